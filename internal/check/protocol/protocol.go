package protocol

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
)

//go:embed protocol.md
var protocolProse string

// Protocol reads off the snapshot whether the server describes itself as the
// specification asks. It talks to nobody.
type Protocol struct{}

// Info describes the check.
func (Protocol) Info() rule.Check { return protocolInfo }

var note = []rule.Severity{rule.Note}

var protocolInfo = check.MustProse(rule.Check{
	ID: "protocol", Pack: "protocol", Weight: rule.Scored, Scope: "server", DecidedBy: "snapshot", Since: check.FirstMethodology,
	Probes: []rule.Probe{
		{ID: "initialize", Core: true, Text: "the result of `initialize`: version, server info, capabilities, instructions"},
		{ID: "lists", Core: true, Text: "each advertised list, read to its end: tools, resources, resource templates, prompts"},
	},
	Verdicts: []rule.VerdictRow{
		{Verdict: rule.Fail, When: "a read-only tool takes something to execute, or a request was redirected to another origin"},
		{Verdict: rule.Partial, When: "the server describes itself in a way that the specification forbids or advises against (a warning below)"},
		{Verdict: rule.Pass, When: "nothing was found but notes"},
	},
	Rules: []rule.Rule{
		{ID: "protocol.version-missing", Severity: rule.Warning, Precision: "very-high", Tags: []string{"mcp", "protocol"},
			References: cite("Base protocol, Lifecycle, Initialization", "basic/lifecycle#initialization", revisions...)},
		{ID: "protocol.version-unknown", Severity: rule.Warning, Also: note, Precision: "high", Tags: []string{"mcp", "protocol"},
			References: cite("Base protocol, Lifecycle, Version negotiation", "basic/lifecycle#version-negotiation", revisions...)},
		{ID: "protocol.server-info-missing", Severity: rule.Warning, Precision: "very-high", Tags: []string{"mcp", "protocol"},
			References: cite("Base protocol, Lifecycle, Initialization", "basic/lifecycle#initialization", revisions...)},
		{ID: "protocol.client-capability-declared", Severity: rule.Warning, Precision: "very-high", Tags: []string{"mcp", "protocol"},
			References: cite("Base protocol, Lifecycle, Capability negotiation", "basic/lifecycle#capability-negotiation", revisions...)},
		{ID: "protocol.unknown-capability", Severity: rule.Note, Precision: "high", Tags: []string{"mcp", "protocol"},
			References: cite("Base protocol, Lifecycle, Capability negotiation", "basic/lifecycle#capability-negotiation", revisions...)},
		{ID: "protocol.instructions-large", Severity: rule.Note, Precision: "very-high", Tags: []string{"mcp", "protocol"},
			References: cite("Base protocol, Lifecycle, Initialization", "basic/lifecycle#initialization", revisions...)},
		{ID: "protocol.capability-mismatch", Severity: rule.Warning, Also: note, Precision: "high", Tags: []string{"mcp", "protocol"},
			References: cite("Base protocol, Lifecycle, Capability negotiation", "basic/lifecycle#capability-negotiation", revisions...)},
		{ID: "protocol.name-duplicate", Severity: rule.Warning, Precision: "very-high", Tags: []string{"mcp", "protocol"},
			References: cite("Server features, Tools, Data types", "server/tools#data-types", revisions...)},
		{ID: "protocol.name-charset", Severity: rule.Note, Precision: "very-high", Tags: []string{"mcp", "protocol"},
			References: cite("Server features, Tools, Tool names", "server/tools#tool-names", since("2025-11-25")...)},
		{ID: "protocol.name-length", Severity: rule.Warning, Precision: "very-high", Tags: []string{"mcp", "protocol"},
			References: cite("Server features, Tools, Tool names", "server/tools#tool-names", since("2025-11-25")...)},
		{ID: "protocol.name-collision", Severity: rule.Note, Precision: "very-high", Tags: []string{"mcp", "protocol"},
			References: cite("Server features, Tools, Data types", "server/tools#data-types", revisions...)},
		{ID: "protocol.missing-description", Severity: rule.Note, Precision: "very-high", Tags: []string{"mcp", "protocol"},
			References: cite("Server features, Tools, Data types", "server/tools#data-types", revisions...)},
		{ID: "protocol.schema-invalid", Severity: rule.Warning, Precision: "very-high", Tags: []string{"mcp", "protocol", "schema"},
			References: cite("Server features, Tools, Data types", "server/tools#data-types", revisions...)},
		{ID: "protocol.output-schema-invalid", Severity: rule.Note, Precision: "very-high", Tags: []string{"mcp", "protocol", "schema"},
			References: cite("Server features, Tools, Output schema", "server/tools#output-schema", since("2025-06-18")...)},
		{ID: "protocol.schema-required-mismatch", Severity: rule.Warning, Also: note, Precision: "medium", Tags: []string{"mcp", "protocol", "schema"},
			References: []rule.Reference{{Title: "JSON Schema Validation", Revision: "2020-12", Section: "6.5.3. required", URL: "https://json-schema.org/draft/2020-12/json-schema-validation#section-6.5.3"}}},
		{ID: "protocol.annotation-conflict", Severity: rule.Error, SecuritySeverity: 7.1, Precision: "high", Tags: []string{"mcp", "protocol", "security"},
			References: cite("Server features, Tools, Data types", "server/tools#data-types", since("2025-03-26")...)},
		{ID: "protocol.annotation-type", Severity: rule.Note, Precision: "very-high", Tags: []string{"mcp", "protocol"},
			References: cite("Server features, Tools, Data types", "server/tools#data-types", since("2025-03-26")...)},
		{ID: "protocol.icon-invalid", Severity: rule.Note, Precision: "high", Tags: []string{"mcp", "protocol"},
			References: cite("Base protocol, Overview, Icons", "basic#icons", since("2025-11-25")...)},
		{ID: "protocol.resource-uri-unsafe", Severity: rule.Note, Also: []rule.Severity{rule.Warning}, Precision: "high", Tags: []string{"mcp", "protocol", "security"},
			References: cite("Server features, Resources, Common URI schemes", "server/resources#common-uri-schemes", revisions...)},
		{ID: "protocol.resource-uri-duplicate", Severity: rule.Warning, Precision: "very-high", Tags: []string{"mcp", "protocol"},
			References: cite("Server features, Resources, Data types", "server/resources#data-types", revisions...)},
		{ID: "protocol.resource-template-invalid", Severity: rule.Warning, Precision: "very-high", Tags: []string{"mcp", "protocol"},
			References: append(cite("Server features, Resources, Resource templates", "server/resources#resource-templates", revisions...),
				rule.Reference{Title: "RFC 6570, URI Template", Section: "2. Syntax", URL: "https://www.rfc-editor.org/rfc/rfc6570#section-2"})},
		{ID: "protocol.mime-invalid", Severity: rule.Note, Precision: "high", Tags: []string{"mcp", "protocol"},
			References: append(cite("Server features, Resources, Data types", "server/resources#data-types", revisions...),
				rule.Reference{Title: "RFC 6838, Media Type Specifications", Section: "4.2. Naming Requirements", URL: "https://www.rfc-editor.org/rfc/rfc6838#section-4.2"})},
		{ID: "protocol.prompt-argument-invalid", Severity: rule.Warning, Precision: "very-high", Tags: []string{"mcp", "protocol"},
			References: cite("Server features, Prompts, Data types", "server/prompts#data-types", revisions...)},
		{ID: "protocol.cross-origin-redirect", Severity: rule.Error, SecuritySeverity: 7.4, Precision: "very-high", Tags: []string{"mcp", "protocol", "security", "http"},
			References: []rule.Reference{{Title: "RFC 9110, HTTP Semantics", Section: "15.4. Redirection 3xx", URL: "https://www.rfc-editor.org/rfc/rfc9110#section-15.4"}}},
	},
}, protocolProse, nil)

// Run reads the snapshot.
func (Protocol) Run(_ context.Context, env *check.Env) check.Report {
	p := &passive{env: env, snap: env.Snapshot, found: check.NewFindings(protocolInfo), added: map[string]int{}}
	p.initialize()
	p.capabilities()
	p.lists()
	p.names()
	p.tools()
	p.resources()
	p.prompts()
	findings := append(p.found.List(), check.Redirected(env, protocolInfo.ID)...)
	check.Sort(findings)
	report := check.Report{Verdict: check.Judge(protocolInfo, findings), Findings: findings, Reason: "The server describes itself as the specification asks."}
	switch report.Verdict {
	case rule.Fail, rule.Partial:
		report.Reason = findings[0].Message
	}
	return report
}

// passive is a run of the check.
type passive struct {
	env   *check.Env
	snap  *session.Snapshot
	found *check.Findings
	// added counts what was added by rule and severity.
	added map[string]int
}

// hit is a fault of one item.
type hit struct {
	rule     string
	severity rule.Severity // "" for the rule's own
	subject  string
	// message says what is wrong; the item is named before it.
	message string
	match   string
	raw     json.RawMessage
}

// maxEach bounds the findings of one rule and severity: a list of ten thousand
// faulty items is no clearer for ten thousand findings.
const maxEach = 100

func (p *passive) add(h hit) {
	severity := h.severity
	if severity == "" {
		severity = "own"
	}
	kind := h.rule + " " + string(severity)
	if p.added[kind]++; p.added[kind] > maxEach {
		h.subject, h.match = "server", ""
		h.message = fmt.Sprintf("More than %d items have the same fault. The others are not listed one by one; one of them: %s", maxEach, h.message)
	}
	p.found.Add(rule.Finding{Rule: h.rule, Severity: h.severity, Subject: h.subject, Message: h.message,
		Evidence: rule.Evidence{Reply: p.env.Redact.Text(string(h.raw), 2000), Match: h.match}})
}

// common is how many items must have the same fault, and no item be without
// it, for the fault to be that of whatever made the list.
const common = 3

// each adds a finding per item, or a single one for the server if all of the
// listed items have the fault: then one root causes it.
func (p *passive) each(hits []hit, listed int, all string) {
	if len(hits) < common || len(hits) < listed {
		for _, h := range hits {
			p.add(h)
		}
		return
	}
	var names []string
	for _, h := range hits {
		_, name, _ := strings.Cut(h.subject, ":")
		names = append(names, name)
	}
	one := hits[0]
	one.subject, one.message = "server", fmt.Sprintf("All %d tools %s.", len(hits), all)
	one.match = p.line(some(names), 300)
	p.add(one)
}

// some joins the first names of a list.
func some(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

func (p *passive) line(text string, most int) string { return p.env.Redact.Line(text, most) }

func (p *passive) subject(kind, name string) string { return kind + ":" + p.line(name, 256) }

// holds reports whether a rule that came with a revision binds the server.
func (p *passive) holds(revision string) bool {
	return slices.Contains(since(revision), p.snap.ProtocolVersion)
}
