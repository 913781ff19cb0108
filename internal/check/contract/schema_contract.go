package contract

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/argument"
	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/check/probe"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
)

//go:embed schema_contract.md
var schemaContractProse string

// SchemaContract reads the input schemas: whether a client can use them, and
// what they leave open.
type SchemaContract struct{}

// Info describes the check.
func (SchemaContract) Info() rule.Check { return schemaContractInfo }

var schemaContractInfo = check.MustProse(rule.Check{
	ID: "schema-contract", Pack: "contract", Weight: rule.Scored, Scope: "server", DecidedBy: "snapshot", Since: check.FirstMethodology,
	Probes: []rule.Probe{
		{ID: "input-schemas", Core: true, Text: "the declared input schemas, compiled and read; nothing is sent"},
	},
	Verdicts: []rule.VerdictRow{
		{Verdict: rule.Fail, When: "an input schema is no valid JSON Schema, or one of its references leads nowhere"},
		{Verdict: rule.Partial, When: "an input schema refers to something outside of it"},
		{Verdict: rule.Pass, When: "each input schema can be used as it is"},
		{Verdict: rule.NotApplicable, When: "no tool has an input schema of an object"},
		{Verdict: rule.Unverified, When: "a schema is beyond the bounds of Sealmark or in a dialect that it does not know"},
	},
	Rules: []rule.Rule{
		{ID: "contract.schema-uncompilable", Severity: rule.Error, Precision: "very-high", Tags: []string{"mcp", "correctness", "schema"}},
		{ID: "contract.ref-unresolved", Severity: rule.Error, Precision: "very-high", Tags: []string{"mcp", "correctness", "schema"}},
		{ID: "contract.untyped-property", Severity: rule.Note, Precision: "high", Tags: []string{"mcp", "usability", "schema"}},
		{ID: "contract.open-object", Severity: rule.Note, Advice: true, Precision: "high", Tags: []string{"mcp", "schema"}},
		{ID: "contract.unbounded", Severity: rule.Note, Advice: true, Precision: "high", Tags: []string{"mcp", "schema"}},
		{ID: "contract.authority-argument", Severity: rule.Note, Advice: true, Precision: "medium", Tags: []string{"mcp", "security", "authorization"}},
		{ID: "contract.dialect-unpinned", Severity: rule.Note, Advice: true, Precision: "very-high", Tags: []string{"mcp", "schema"}},
	},
}, schemaContractProse, []rule.Reference{
	{Title: "Model Context Protocol", Revision: "2025-11-25", Section: "Server features, Tools, Data types", URL: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool"},
	{Title: "JSON Schema Core", Revision: "2020-12", URL: "https://json-schema.org/draft/2020-12/json-schema-core"},
})

// revisionWithDialect is the first revision that says which dialect a schema
// without $schema is in.
const revisionWithDialect = "2025-11-25"

// survey collects what the schemas of a server leave open.
type survey struct {
	env      *check.Env
	findings *check.Findings
	// read counts the schemas.
	read int
	// beyond names a tool whose schema could not be judged.
	beyond string
	// tools and places are by rule: the tools concerned, and where in them.
	tools, places map[string][]string
}

// Run reads the snapshot.
func (SchemaContract) Run(_ context.Context, env *check.Env) check.Report {
	s := &survey{env: env, findings: check.NewFindings(schemaContractInfo), tools: map[string][]string{}, places: map[string][]string{}}
	for _, t := range env.Snapshot.Tools {
		if argument.OfObject(t.InputSchema) {
			s.look(t)
		}
	}
	s.advise()
	list := s.findings.List()
	report := check.Report{Verdict: check.Judge(schemaContractInfo, list), Findings: list, Probes: map[string]int{"input-schemas": s.read}}
	switch {
	case report.Verdict == rule.Fail:
		report.Reason = "An input schema can't be used."
	case report.Verdict == rule.Partial:
		report.Reason = "An input schema refers to something outside of it."
	case s.read == 0:
		report.Verdict, report.Reason = rule.NotApplicable, "No tool has an input schema of an object."
	case s.beyond != "":
		report.Verdict, report.Reason = rule.Unverified, "The input schema of "+s.beyond+"."
	default:
		report.Reason = fmt.Sprintf("%s: each can be used as it is.", rule.Counted(s.read, "input schema"))
	}
	return report
}

// look reads the schema of a tool.
func (s *survey) look(t session.Tool) {
	s.read++
	name := `"` + s.env.Redact.Line(t.Name, 80) + `"`
	if _, err := argument.Compile(t.InputSchema); err != nil {
		s.unusable(t, name, err)
		return
	}
	seen := argument.Look(t.InputSchema)
	s.note("contract.open-object", name, seen.Open)
	s.note("contract.unbounded", name, seen.Unbounded)
	s.note("contract.authority-argument", name, common(argument.Declared(t.InputSchema), sortedKeys(authorityFields())))
	if seen.Dialect == "" && s.env.Snapshot.ProtocolVersion < revisionWithDialect {
		s.note("contract.dialect-unpinned", name, []string{""})
	}
	if len(seen.Untyped) > 0 {
		s.addAt(t, only(seen.Untyped), "contract.untyped-property", "", fmt.Sprintf("Tool %s declares %s without a type: any value is allowed.", name, s.placed(seen.Untyped)), "")
	}
}

// common returns the members of a list that are in another one.
func common(list, among []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return !slices.Contains(among, s) })
}

// unusable reports a schema that can't be compiled.
func (s *survey) unusable(t session.Tool, name string, err error) {
	reason := s.env.Redact.Line(err.Error(), 300)
	switch {
	case argument.RefersNowhere(err):
		s.add(t, "contract.ref-unresolved", "", fmt.Sprintf("The input schema of tool %s can't be used: %s.", name, reason), reason)
	case argument.RefersOut(err):
		s.add(t, "contract.ref-unresolved", rule.Warning, fmt.Sprintf("The input schema of tool %s can't be used as it is: %s. Clients don't fetch schemas.", name, reason), reason)
	case argument.Uncompilable(err):
		s.add(t, "contract.schema-uncompilable", "", fmt.Sprintf("The input schema of tool %s can't be used: %s.", name, reason), reason)
	case s.beyond == "":
		s.beyond = fmt.Sprintf("%s can't be judged: %s", name, reason)
	}
}

func (s *survey) add(t session.Tool, ruleID string, severity rule.Severity, message, detail string) {
	s.addAt(t, "", ruleID, severity, message, detail)
}

func (s *survey) addAt(t session.Tool, argument, ruleID string, severity rule.Severity, message, detail string) {
	s.findings.Add(rule.Finding{Rule: ruleID, Severity: severity, Subject: "tool:" + s.env.Redact.Line(t.Name, 256), Argument: probe.Argument(s.env, argument), Probe: "input-schemas", Message: message, Evidence: rule.Evidence{Detail: detail}})
}

// only is the one place of a list as a JSON pointer, "" if there are several.
func only(places []string) string {
	if len(places) != 1 || places[0] == "" {
		return ""
	}
	return "/" + strings.ReplaceAll(places[0], "[]", "0")
}

// note counts a tool for advice that is given once for the server.
func (s *survey) note(ruleID, tool string, places []string) {
	if len(places) == 0 {
		return
	}
	s.tools[ruleID] = append(s.tools[ruleID], tool)
	if s.places[ruleID] == nil {
		s.places[ruleID] = places
	}
}

// advice words the findings that are about the server as a whole. Each takes
// how many of how many tools.
var advice = []struct{ rule, text string }{
	{"contract.open-object", "The input schemas of %s don't say that undeclared fields are refused"},
	{"contract.unbounded", "The input schemas of %s have texts or arrays without an upper bound"},
	{"contract.authority-argument", "The input schemas of %s take an argument by which the caller says what it may do"},
	{"contract.dialect-unpinned", "The input schemas of %s don't name their dialect in $schema, and the negotiated revision does not say which one that means"},
}

func (s *survey) advise() {
	for _, a := range advice {
		tools := s.tools[a.rule]
		if len(tools) == 0 {
			continue
		}
		detail := ""
		if first := s.places[a.rule]; first[0] != "" || len(first) > 1 {
			detail = "in " + tools[0] + ": " + s.placed(first)
		}
		s.findings.Add(rule.Finding{Rule: a.rule, Subject: "server", Probe: "input-schemas", Count: len(tools),
			Message:  fmt.Sprintf(a.text+": %s.", rule.Counted(len(tools), "tool")+fmt.Sprintf(" of %d", s.read), listed(tools, maxTools)),
			Evidence: rule.Evidence{Detail: detail}})
	}
}

// placed writes places for a message.
func (s *survey) placed(places []string) string {
	shown := make([]string, len(places))
	for i, place := range places {
		if shown[i] = s.env.Redact.Line(strings.ReplaceAll(place, "/[]", "[]"), 80); place == "" {
			shown[i] = "the arguments as a whole"
		}
	}
	return listed(shown, maxPlaces)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
