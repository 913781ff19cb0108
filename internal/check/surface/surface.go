// Package surface declares pack surface: what changes for the clients of a
// server from one version to the next.
package surface

import (
	"context"
	_ "embed"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/rule"
)

//go:embed surface.md
var prose string

// Surface compares what the server offers with what it offered in the base. It
// sends nothing and finds nothing by itself: a run does not know the base.
// internal/compare raises its rules when the run is over.
type Surface struct{}

// Info describes the check.
func (Surface) Info() rule.Check { return info }

// Run says that there is nothing to compare with, which holds until
// internal/compare is given a base.
func (Surface) Run(context.Context, *check.Env) check.Report {
	return check.Report{Verdict: rule.NotApplicable, Reason: "There is no base to compare with."}
}

func breaking(id string) rule.Rule {
	return rule.Rule{ID: id, Severity: rule.Warning, Also: []rule.Severity{rule.Note}, Precision: "high", Tags: []string{"mcp", "compatibility"}}
}

func note(id string) rule.Rule {
	return rule.Rule{ID: id, Severity: rule.Note, Precision: "very-high", Tags: []string{"mcp", "compatibility"}}
}

var info = check.MustProse(rule.Check{
	ID: "surface", Pack: "surface", Weight: rule.Advisory, Scope: "server", DecidedBy: "snapshots of this run and of the base", Since: check.FirstMethodology,
	Probes: []rule.Probe{
		{ID: "definitions", Core: true, Text: "the definitions of tools, prompts, resources and capabilities, compared with those of the base; nothing is sent"},
	},
	Verdicts: []rule.VerdictRow{
		{Verdict: rule.Partial, When: "something that clients build on was taken back and no new version announces it"},
		{Verdict: rule.Pass, When: "nothing was taken back, or a new version announces it"},
		{Verdict: rule.NotApplicable, When: "there is no base"},
		{Verdict: rule.Unverified, When: "the base can't be compared with"},
	},
	Rules: []rule.Rule{
		{ID: "surface.breaking-unversioned", Severity: rule.Warning, Precision: "high", Tags: []string{"mcp", "compatibility"}},
		breaking("surface.tool-removed"), breaking("surface.argument-required"), breaking("surface.argument-removed"), breaking("surface.arguments-closed"),
		breaking("surface.type-changed"), breaking("surface.enum-narrowed"), breaking("surface.bound-tightened"), breaking("surface.output-changed"),
		breaking("surface.annotation-changed"), breaking("surface.capability-removed"), breaking("surface.prompt-removed"), breaking("surface.template-removed"),
		note("surface.tool-added"), note("surface.argument-added"), note("surface.output-added"), note("surface.prompt-added"), note("surface.resource-added"),
		note("surface.resource-removed"), note("surface.capability-added"), note("surface.description-changed"), note("surface.schema-changed"), note("surface.server-changed"),
	},
}, prose, []rule.Reference{
	{Title: "Model Context Protocol", Revision: "2025-11-25", Section: "Server features, Tools, Data types", URL: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool"},
	{Title: "Semantic Versioning", Revision: "2.0.0", URL: "https://semver.org/spec/v2.0.0.html"},
})
