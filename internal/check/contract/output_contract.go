package contract

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/sealmark/action/internal/argument"
	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/check/probe"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
)

//go:embed output_contract.md
var outputContractProse string

// OutputContract reads the results of all calls: their content, and what the
// tool's output schema and the configuration say of them.
type OutputContract struct{}

// Info describes the check.
func (OutputContract) Info() rule.Check { return outputContractInfo }

var outputContractInfo = check.MustProse(rule.Check{
	ID: "output-contract", Pack: "contract", Weight: rule.Scored, Scope: "server", DecidedBy: "output", Since: check.FirstMethodology,
	Probes: []rule.Probe{
		{ID: "results", Core: true, Text: "read off the results of all calls that other checks made"},
		{ID: "output-schemas", Core: true, Text: "the declared output schemas, compiled"},
	},
	Verdicts: []rule.VerdictRow{
		{Verdict: rule.Fail, When: "a success breaks the tool's output schema or lacks structuredContent, a result has no content, or an output schema is none"},
		{Verdict: rule.Partial, When: "a success does not hold what was asked for, or a content block is malformed"},
		{Verdict: rule.Pass, When: "each result is well formed and fits its schema and its request"},
		{Verdict: rule.Unverified, When: "nothing was found, but an output schema can't be used here, or each result was too large to be read"},
		{Verdict: rule.NotApplicable, When: "no call was answered with a result and no tool has an output schema"},
	},
	Rules: []rule.Rule{
		{ID: "output.schema-mismatch", Severity: rule.Error, Precision: "very-high", Tags: []string{"mcp", "correctness", "schema"}},
		{ID: "output.structured-missing", Severity: rule.Error, Precision: "very-high", Tags: []string{"mcp", "correctness", "schema"}},
		{ID: "output.schema-uncompilable", Severity: rule.Error, Precision: "very-high", Tags: []string{"mcp", "schema"}},
		{ID: "output.receipt-mismatch", Severity: rule.Warning, Precision: "high", Tags: []string{"mcp", "correctness"}},
		{ID: "output.content-missing", Severity: rule.Error, Precision: "very-high", Tags: []string{"mcp", "correctness", "schema"}},
		{ID: "output.content-invalid", Severity: rule.Warning, Precision: "high", Tags: []string{"mcp", "correctness", "schema"}},
		{ID: "output.empty-success", Severity: rule.Note, Precision: "medium", Tags: []string{"mcp", "usability"}},
		{ID: "output.text-mirror-missing", Severity: rule.Note, Precision: "high", Tags: []string{"mcp", "compatibility"}},
	},
}, outputContractProse, []rule.Reference{
	{Title: "Model Context Protocol", Revision: "2025-11-25", Section: "Server features, Tools, Tool result", URL: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-result"},
	{Title: "Model Context Protocol", Revision: "2025-11-25", Section: "Server features, Tools, Output schema", URL: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#output-schema"},
})

// output is a run of the check.
type output struct {
	env      *check.Env
	findings *check.Findings
	probes   map[string]int
	schemas  map[string]*argument.Schema
	// unread names a tool whose output schema could not be used.
	unread string
}

// Run reads the record of the calls.
func (OutputContract) Run(_ context.Context, env *check.Env) check.Report {
	o := &output{env: env, findings: check.NewFindings(outputContractInfo), probes: map[string]int{}, schemas: map[string]*argument.Schema{}}
	if check.StructuredResults(env.Snapshot.ProtocolVersion) {
		for _, t := range env.Snapshot.Tools {
			o.compile(t)
		}
	}
	large := 0
	for _, c := range env.Calls.List() {
		if c.Cut {
			large++
		}
		if c.Answered() && c.Answer.Error == nil && c.Answer.Result != nil {
			o.probes["results"]++
			o.read(c)
		}
	}
	list := o.findings.List()
	report := check.Report{Verdict: check.Judge(outputContractInfo, list), Findings: list, Probes: o.probes}
	switch {
	case report.Verdict == rule.Fail:
		report.Reason = "A result breaks what the tool or the protocol promises."
	case report.Verdict == rule.Partial:
		report.Reason = "A result does not hold what was asked for, or is malformed."
	case o.probes["results"] == 0 && large > 0:
		report.Verdict, report.Reason = rule.Unverified, "Each of "+rule.Counted(large, "answer")+" was too large to be read."
	case o.probes["results"] == 0 && o.probes["output-schemas"] == 0:
		report.Verdict, report.Reason = rule.NotApplicable, "No call was answered with a result, and no tool has an output schema."
	case o.unread != "":
		report.Verdict, report.Reason = rule.Unverified, "The output schema of "+o.unread+"."
	default:
		report.Reason = rule.Counted(o.probes["results"], "result") + ": each is well formed and fits its schema."
	}
	return report
}

// compile compiles the output schema of a tool.
func (o *output) compile(t session.Tool) {
	if len(t.OutputSchema) == 0 || string(t.OutputSchema) == "null" {
		return
	}
	o.probes["output-schemas"]++
	schema, err := argument.Compile(t.OutputSchema)
	if err == nil {
		o.schemas[t.Name] = schema
		return
	}
	reason := o.env.Redact.Line(err.Error(), 200)
	name := o.env.Redact.Line(t.Name, 80)
	if !argument.Faulty(err) {
		o.unread = fmt.Sprintf("%q can't be used here: %s", name, reason)
		return
	}
	o.findings.Add(rule.Finding{Rule: "output.schema-uncompilable", Subject: probe.Subject(o.env, t), Probe: "output-schemas", ExplainedBy: o.protocolOwner(t),
		Message:  fmt.Sprintf("The output schema of tool %q can't be used: %s.", name, reason),
		Evidence: rule.Evidence{Match: o.env.Redact.Text(string(t.OutputSchema), 500)}})
}

// protocolOwner is the finding of check protocol about the output schema of a
// tool, "" if there is none: the rule that a requirement names owns the fault.
func (o *output) protocolOwner(t session.Tool) string {
	if o.env.Report == nil {
		return ""
	}
	report, _ := o.env.Report("protocol")
	for _, f := range report.Findings {
		if f.Rule == "protocol.output-schema-invalid" && (f.Subject == probe.Subject(o.env, t) || f.Subject == "server") {
			return f.ID
		}
	}
	return ""
}

// read reads a result.
func (o *output) read(c check.Call) {
	var result map[string]json.RawMessage
	json.Unmarshal(c.Answer.Result, &result)
	blocks, fault := content(result)
	if fault != "" {
		o.add(c, "output.content-missing", "", fmt.Sprintf("Tool %s answers with a result %s.", o.name(c), fault))
	}
	for i, block := range blocks {
		if fault := blockFault(block); fault != "" {
			o.add(c, "output.content-invalid", "", fmt.Sprintf("Tool %s answers with a malformed content block (number %d): %s.", o.name(c), i+1, o.env.Redact.Line(fault, 200)))
			break
		}
	}
	if c.Reading.Decision != reply.Accepted && !c.Confirmed {
		return
	}
	structured := check.StructuredContent(c.Answer.Result)
	if fault == "" && c.Expect == check.Valid && structured == nil && blank(blocks) {
		o.add(c, "output.empty-success", "", fmt.Sprintf("Tool %s answers a valid call with a success that says nothing.", o.name(c)))
	}
	mismatch := o.structured(c, structured, blocks)
	if m := c.Mismatch(); m != nil {
		got := "nothing"
		if m.Got != nil {
			got = string(m.Got)
		}
		owner := ""
		if mismatch {
			owner = rule.FindingID("output.schema-mismatch", o.subject(c))
		}
		o.explained(c, "output.receipt-mismatch", got, owner, fmt.Sprintf("Tool %s reports a success that does not match its request: %s is %s, not %s.",
			o.name(c), o.env.Redact.Line(m.Pointer, 80), o.env.Redact.Line(got, 80), o.env.Redact.Line(string(m.Want), 80)))
	}
}

// structured holds a success against the output schema and reports whether the
// schema refuses it. What a tool answers to a call that it should have refused
// need not have a structure.
func (o *output) structured(c check.Call, structured json.RawMessage, blocks []json.RawMessage) (mismatch bool) {
	schema := o.schemas[c.Tool]
	if structured == nil {
		if schema != nil && c.Expect == check.Valid {
			o.add(c, "output.structured-missing", "", fmt.Sprintf("Tool %s has an output schema, but its success has no structuredContent.", o.name(c)))
		}
		return false
	}
	if schema != nil {
		if refused := check.Refused(schema, structured); refused != "" {
			mismatch = true
			o.add(c, "output.schema-mismatch", refused, fmt.Sprintf("Tool %s answers with structuredContent that its own output schema refuses: %s.", o.name(c), o.env.Redact.Line(refused, 200)))
		}
	}
	if blank(blocks) {
		o.add(c, "output.text-mirror-missing", "", fmt.Sprintf("Tool %s answers with structuredContent alone: a client that does not read it sees nothing.", o.name(c)))
	}
	return mismatch
}

func (o *output) subject(c check.Call) string { return "tool:" + o.env.Redact.Line(c.Tool, 256) }

func (o *output) name(c check.Call) string { return `"` + o.env.Redact.Line(c.Tool, 80) + `"` }

func (o *output) add(c check.Call, ruleID, match, message string) {
	o.explained(c, ruleID, match, "", message)
}

// explained adds a finding that another one owns, if owner is not empty.
func (o *output) explained(c check.Call, ruleID, match, owner, message string) {
	evidence := c.Evidence(o.env.Redact)
	evidence.Match = o.env.Redact.Line(match, 300)
	o.findings.Add(rule.Finding{Rule: ruleID, Subject: o.subject(c), Message: message, Probe: c.Probe, ExplainedBy: owner, Evidence: evidence})
}
