package protocol

import (
	"context"
	_ "embed"
	"strings"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
)

//go:embed probes.md
var probesProse string

// Probes sends requests that no conforming client would send, and watches
// whether the server rejects them and lives on. No probe calls a declared
// tool.
type Probes struct{}

// Info describes the check.
func (Probes) Info() rule.Check { return probesInfo }

// Bounds of the check.
const (
	maxDeaths   = 5 // probes that the server dies of
	maxSilences = 3 // probes without an answer
)

var probesInfo = check.MustProse(rule.Check{
	ID: "protocol-probes", Pack: "protocol", Weight: rule.Scored, Scope: "server", DecidedBy: "protocol response", Since: check.FirstMethodology,
	Keys: []rule.Key{
		{Name: "checks.protocol-probes.hang_ms", Type: rule.Int, Nullable: true, Locked: true, Min: new(1.0),
			Meaning: "Milliseconds that a probe may take before it counts as unanswered. null means the larger of 2000 and timeout_probe_sec * 1000."},
	},
	Probes: describeProbes(),
	Verdicts: []rule.VerdictRow{
		{Verdict: rule.Fail, When: "the server closed the connection or exited instead of answering a request, or answered nothing any more after it"},
		{Verdict: rule.Partial, When: "it did so after an object that is no request, a probe was answered with success or not at all, an answer shows internals, or a capability that is not advertised answers"},
		{Verdict: rule.Pass, When: "each probe was rejected cleanly and the server kept answering"},
		{Verdict: rule.Unverified, When: "the server could not be reached again after a probe, so the rest was not sent"},
		{Verdict: rule.NotApplicable, When: "active_probes is none"},
	},
	Rules: []rule.Rule{
		{ID: "protocol.probe-connection-died", Severity: rule.Error, Also: []rule.Severity{rule.Warning}, SecuritySeverity: 7.5, Precision: "very-high", Tags: []string{"mcp", "protocol", "robustness", "denial-of-service"},
			References: jsonrpc("Base protocol, Overview, Responses", "basic#responses", "5. Response object", "response_object")},
		{ID: "protocol.probe-unexpected-answer", Severity: rule.Warning, Also: note, Precision: "high", Tags: []string{"mcp", "protocol"},
			References: jsonrpc("Base protocol, Overview, Requests", "basic#requests", "5.1. Error object", "error_object")},
		{ID: "protocol.probe-accepted-unanswered", Severity: rule.Warning, Also: note, Precision: "high", Tags: []string{"mcp", "protocol", "robustness"},
			References: jsonrpc("Base protocol, Overview, Responses", "basic#responses", "5. Response object", "response_object")},
		{ID: "protocol.probe-leaks-internals", Severity: rule.Warning, SecuritySeverity: 4.3, Precision: "medium", Tags: []string{"mcp", "protocol", "information-disclosure"},
			References: []rule.Reference{{Title: "CWE-209: Generation of Error Message Containing Sensitive Information", URL: "https://cwe.mitre.org/data/definitions/209.html"}}},
	},
}, probesProse, nil)

// jsonrpc cites a section of all revisions and one of JSON-RPC 2.0, which they
// incorporate.
func jsonrpc(section, page, its, anchor string) []rule.Reference {
	return append(cite(section, page, revisions...),
		rule.Reference{Title: "JSON-RPC 2.0 Specification", Section: its, URL: "https://www.jsonrpc.org/specification#" + anchor})
}

func describeProbes() []rule.Probe {
	list := make([]rule.Probe, 0, len(catalogue)+1)
	for _, pr := range catalogue {
		list = append(list, rule.Probe{ID: pr.id, Text: pr.text, Core: true})
	}
	return append(list, rule.Probe{ID: unsupportedVersion, Text: "`initialize` on an instance of its own, offering the revision " + impossible, Core: true})
}

// Run sends the probes one after the other.
func (Probes) Run(ctx context.Context, env *check.Env) check.Report {
	p := &prober{env: env, limit: env.HangLimit("protocol-probes"), findings: check.NewFindings(probesInfo, protocolInfo.Rules...), probes: map[string]int{}}
	if env.Config.ActiveProbes == "none" {
		return p.report(rule.NotApplicable, "active_probes is none: no probe was sent.")
	}
	defer p.end()
	for _, pr := range catalogue {
		if pr.fits != nil && !pr.fits(env.Snapshot) || pr.id == arrayParams && p.sign == "tools/list" {
			continue // it makes no sense for the server, or it does not know ping
		}
		if p.stopped != "" {
			break
		}
		p.send(ctx, pr)
	}
	p.end()
	if p.stopped == "" {
		p.version(ctx)
	}
	return p.verdict(ctx)
}

func (p *prober) report(v rule.Verdict, reason string) check.Report {
	p.leaked()
	report := check.Report{Verdict: v, Reason: reason, Findings: explained(p.env.Snapshot, p.findings.List()), Probes: p.probes}
	if p.lost {
		report.Lost = p.stopped
	}
	return report
}

func (p *prober) verdict(ctx context.Context) check.Report {
	sent := 0
	for _, n := range p.probes {
		sent += n
	}
	p.leaked()
	findings := explained(p.env.Snapshot, p.findings.List())
	found := check.Judge(probesInfo, findings)
	switch {
	case found == rule.Fail:
		return p.report(rule.Fail, "The server died of a probe that any client can send.")
	case p.stopped != "" || ctx.Err() != nil:
		return p.report(rule.Unverified, "Not all probes were sent: "+p.stopped+".")
	case found == rule.Partial:
		return p.report(rule.Partial, "The server stayed up, but not each probe was rejected cleanly.")
	}
	if len(findings) > 0 {
		return p.report(rule.Pass, rule.Counted(sent, "probe")+": the server kept answering; how it took some of them is noted.")
	}
	return p.report(rule.Pass, rule.Counted(sent, "probe")+": each was rejected cleanly, and the server kept answering.")
}

// explained marks what shows once more that the server can't refuse a method
// that it does not know: it is the same fault as with a method that nobody has.
func explained(s *session.Snapshot, findings []rule.Finding) []rule.Finding {
	for _, cause := range findings {
		if cause.Probe != unknownMethod || cause.Subject != "server" || cause.Flaky {
			continue
		}
		for i, f := range findings {
			if f.ID != cause.ID && sameCause(s, cause.Rule, f) {
				findings[i].ExplainedBy = cause.ID
			}
		}
	}
	return findings
}

// sameCause reports whether a finding follows from what the server does with a
// method that nobody has, which the rule names.
func sameCause(s *session.Snapshot, cause string, f rule.Finding) bool {
	unknown := strings.HasPrefix(f.Subject, "capability:") || f.Subject == "method:resources/read" && !s.Advertises("resources")
	switch cause {
	case "protocol.probe-unexpected-answer":
		return f.Rule == "protocol.capability-mismatch" || f.Rule == cause && f.Subject == "method:resources/read"
	case "protocol.probe-connection-died":
		return f.Rule == cause && unknown
	case "protocol.probe-accepted-unanswered":
		// A server that sends no error here sends none elsewhere.
		return f.Rule == cause
	}
	return false
}
