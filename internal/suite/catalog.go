// Package suite runs the checks: it plans them onto lanes, confirms nothing
// and judges nothing itself, and makes one Result of their reports.
package suite

import (
	"context"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/check/contract"
	"github.com/sealmark/action/internal/check/core"
	"github.com/sealmark/action/internal/check/protocol"
	"github.com/sealmark/action/internal/check/security"
	"github.com/sealmark/action/internal/check/surface"
	"github.com/sealmark/action/internal/rule"
)

// entry is a check and its place in the run.
type entry struct {
	check check.Check
	// reads: the check talks to nobody and reads the tape when all others are
	// done.
	reads bool
	// passive: the check also judges a snapshot that was read from a file, and
	// needs nothing but that, the configuration and the tape then.
	passive bool
	// follows: the check builds on the calls that others made, so it starts when
	// they are done.
	follows bool
	// takesFirst: the check uses the instance that launch opened.
	takesFirst bool
	// after is the check whose report this one reads, "" for none. It is run
	// when that one has ended.
	after string
	// beside runs on a lane of its own while the active checks run; its
	// findings belong to the check.
	beside func(context.Context, *check.Env) []rule.Finding
	// complete completes the check's report with what the tape shows when all
	// others are done.
	complete func(*check.Env, check.Report) check.Report
}

// catalog lists all checks in the order of the report; launch comes first.
var catalog = []entry{
	{check: core.Launch{}, beside: core.StockClient},
	{check: core.StdioClean{}, reads: true, beside: core.DotEnv},
	{check: core.RobustInput{}, takesFirst: true},
	{check: contract.ArgumentContract{}, after: "robust-input"},
	{check: core.UserProbes{}},
	{check: core.CallLimits{}, follows: true},
	{check: contract.Forwarding{}, follows: true},
	{check: contract.SchemaContract{}, reads: true, passive: true},
	{check: protocol.Protocol{}, reads: true, passive: true},
	{check: protocol.Probes{}},
	{check: protocol.Spec{}, passive: true, complete: protocol.Spec{}.Complete},
	{check: contract.OutputContract{}, reads: true},
	{check: contract.ErrorContract{}, reads: true},
	{check: security.SecretEcho{}, reads: true},
	{check: surface.Surface{}, reads: true, passive: true},
	{check: core.Accepted{}, reads: true, passive: true},
}

// Catalog describes all checks in the order of the report.
func Catalog() []rule.Check {
	checks := make([]rule.Check, len(catalog))
	for i, e := range catalog {
		checks[i] = e.check.Info()
	}
	return checks
}

// Rules lists the rules of all checks, sorted by id.
func Rules() []rule.Rule {
	var rules []rule.Rule
	for _, c := range Catalog() {
		rules = append(rules, c.Rules...)
	}
	sortRules(rules)
	return rules
}
