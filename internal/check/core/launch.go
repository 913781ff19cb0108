package core

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/check/probe"
	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
)

//go:embed launch.md
var launchProse string

// Launch starts the server, initialises it and reads its listings. Without it
// nothing can be assessed.
type Launch struct{}

// Info describes the check.
func (Launch) Info() rule.Check { return launchInfo }

var launchInfo = check.MustProse(rule.Check{
	ID: "launch", Pack: "core", Weight: rule.Gate, Scope: "server", DecidedBy: "process and initialize reply", Since: check.FirstMethodology,
	Probes: []rule.Probe{
		{ID: "start", Core: true, Text: "the server is started and answers `initialize` within timeout_start_sec"},
		{ID: "listings", Text: "each advertised list is read to its end"},
		{ID: "stock-client", Text: "an unmodified mcp-go client connects, lists the tools and pings, on an instance of its own"},
	},
	Verdicts: []rule.VerdictRow{
		{Verdict: rule.Fail, When: "the server could not be started or initialised: the run is not assessed"},
		{Verdict: rule.Partial, When: "it starts for Sealmark, but a stock client can't connect, list or ping"},
		{Verdict: rule.Pass, When: "it starts, answers `initialize`, and a stock client can use it"},
	},
	Rules: []rule.Rule{
		{ID: "launch.build-failed", Severity: rule.Error, Precision: "very-high", Tags: []string{"mcp", "launch", "build"}},
		{ID: "launch.command-not-found", Severity: rule.Error, Precision: "very-high", Tags: []string{"mcp", "launch"}},
		{ID: "launch.exited", Severity: rule.Error, Precision: "very-high", Tags: []string{"mcp", "launch"}},
		{ID: "launch.handshake-timeout", Severity: rule.Error, Precision: "high", Tags: []string{"mcp", "launch"}},
		{ID: "launch.stdout-flood", Severity: rule.Error, Precision: "very-high", Tags: []string{"mcp", "launch", "stdio"}},
		{ID: "launch.unreachable", Severity: rule.Error, Precision: "high", Tags: []string{"mcp", "launch", "http"}},
		{ID: "launch.initialize-refused", Severity: rule.Error, Precision: "very-high", Tags: []string{"mcp", "launch"}},
		{ID: "launch.missing-config", Severity: rule.Note, Precision: "medium", Tags: []string{"mcp", "launch"}},
		{ID: "launch.slow-start", Severity: rule.Note, Precision: "high", Tags: []string{"mcp", "launch", "performance"}},
		{ID: "interop.stock-client-fails", Severity: rule.Error, Precision: "high", Tags: []string{"mcp", "interoperability"}},
	},
}, launchProse, []rule.Reference{
	{Title: "Model Context Protocol", Revision: "2025-11-25", Section: "Base protocol, Lifecycle, Initialization", URL: "https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization"},
})

// Run opens the first instance, which it hands on to the checks that follow.
func (c Launch) Run(ctx context.Context, env *check.Env) check.Report {
	found := check.NewFindings(launchInfo)
	probes := map[string]int{"start": 1}
	instance, err := env.Lanes.Open(ctx, check.How{})
	var failed *session.StartError
	if errors.As(err, &failed) && failed.Kind == session.Exited {
		probes["start"]++
		given := GiveCanaries(env, failed)
		instance, err = env.Lanes.Open(ctx, check.How{})
		if err != nil && len(given) > 0 && ctx.Err() == nil {
			// What it said before it was given anything is the cause.
			env.Given, err = nil, failed
		}
	}
	if err != nil {
		return notStarted(env, found, probes, err)
	}
	if limit := env.Config.TimeoutStart; instance.StartTime() > limit/2 {
		found.Add(rule.Finding{Rule: "launch.slow-start", Subject: "server",
			Message:  fmt.Sprintf("The server took more than half of the start limit of %s to answer initialize.", limit),
			Evidence: rule.Evidence{Detail: "initialize was answered after more than half of the limit"}})
	}
	probes["listings"]++
	snapshot, err := instance.Snapshot(ctx)
	if err != nil {
		instance.Kill()
		return notStarted(env, found, probes, err)
	}
	env.Snapshot = snapshot
	env.Hand(instance)
	return check.Report{Verdict: rule.Pass, Reason: "The server starts and answers initialize.", Findings: found.List(), Probes: probes}
}

// Unready is why a server is not started at all.
type Unready struct {
	// Built: the server was to be built, and the build failed. Otherwise there
	// is no fault of its own.
	BuildFailed bool
	// Text says what is wrong, Next what to try.
	Text, Next string
	// Log are the last words of the build.
	Log string
}

// NotReady reports a server that is not started.
func NotReady(env *check.Env, u Unready) check.Report {
	text := sentence(redact.Stable(env.Redact.Line(u.Text, 500)))
	stop := &result.Reason{Text: text, Next: env.Redact.Line(u.Next, 1000)}
	report := check.Report{Verdict: rule.Fail, Reason: text, Stop: stop}
	if !u.BuildFailed {
		report.Verdict = rule.Unverified
		return report
	}
	stop.Rule = "launch.build-failed"
	found := check.NewFindings(launchInfo)
	found.Add(rule.Finding{Rule: stop.Rule, Subject: "server", Message: text,
		Evidence: rule.Evidence{Detail: text, Stderr: redact.Stable(env.Redact.Text(u.Log, probe.MaxEvidence))}})
	report.Findings = found.List()
	return report
}

// notStarted reports why the server can't be assessed.
func notStarted(env *check.Env, found *check.Findings, probes map[string]int, err error) check.Report {
	var failed *session.StartError
	if !errors.As(err, &failed) {
		stop := &result.Reason{Text: "The run was cut short before the server had started.", Next: "Give the run more time with --timeout."}
		return check.Report{Verdict: rule.Unverified, Reason: stop.Text, Probes: probes, Stop: stop}
	}
	ruleID, next := launchRule(failed, env)
	detail := redact.Stable(env.Redact.Line(failed.Detail, 500))
	stderr := redact.Stable(env.Redact.Text(failed.Exit.Stderr, probe.MaxEvidence))
	found.Add(rule.Finding{Rule: ruleID, Subject: "server", Message: sentence(detail), Probe: "start",
		Evidence: rule.Evidence{Detail: detail, Stderr: stderr, Reply: env.Redact.Text(string(failed.Reply), probe.MaxEvidence)}})
	stop := &result.Reason{Rule: ruleID, Text: sentence(detail), Next: next}
	if name := firstMissing(failed.Exit.Stderr); name != "" && failed.Kind == session.Exited {
		found.Add(rule.Finding{Rule: "launch.missing-config", Subject: "server", Probe: "start",
			Message:  fmt.Sprintf("The server asks for the environment variable %s, which is not set.", name),
			Evidence: rule.Evidence{Stderr: stderr}})
		stop.Next = fmt.Sprintf("Set %s with --env %s=VALUE, or under server.env in sealmark.yml.", name, name)
	}
	findings := found.List()
	if redirected := check.Redirected(env, launchInfo.ID); len(redirected) > 0 {
		for i := range findings {
			findings[i].ExplainedBy = redirected[0].ID
		}
		findings = append(findings, redirected...)
		stop.Rule, stop.Next = redirected[0].Rule, "Give Sealmark the address that the server redirects to, if you trust it."
	}
	return check.Report{Verdict: rule.Fail, Reason: stop.Text, Findings: findings, Probes: probes, Stop: stop}
}

// launchRule returns the rule for a failed start and what to try next.
func launchRule(failed *session.StartError, env *check.Env) (ruleID, next string) {
	switch failed.Kind {
	case session.NotFound:
		return "launch.command-not-found", "Check the command and its path. It is run without a shell, with the PATH of this terminal and in the working directory given."
	case session.Exited:
		return "launch.exited", "Run the same command by hand and read what it prints. Sealmark gives it a small environment: what it needs must be passed with --env."
	case session.Flooded:
		return "launch.stdout-flood", "Send everything that is not a protocol message to stderr."
	case session.Timeout:
		return "launch.handshake-timeout", fmt.Sprintf("If the server needs longer than %s, raise --timeout-start. If it waits for input in another form, or for a browser or a login, it can't be tested like this.", env.Config.TimeoutStart)
	case session.Refused:
		if env.Server.HTTP() {
			return "launch.unreachable", "Check the URL with its path, and that the server is running."
		}
	}
	return "launch.initialize-refused", "Answer initialize with protocolVersion, capabilities and serverInfo."
}

func firstMissing(stderr string) string {
	if names := missingVariables(stderr); len(names) > 0 {
		return names[0]
	}
	return ""
}

// sentence makes a sentence of a detail.
func sentence(s string) string {
	if s == "" {
		return s
	}
	s = strings.ToUpper(s[:1]) + s[1:]
	if strings.HasSuffix(s, ".") || strings.HasSuffix(s, "…") {
		return s
	}
	return s + "."
}
