// Package contract holds the checks of the contract pack: whether a server
// keeps the promises that its tools' schemas make.
package contract

import (
	"context"
	_ "embed"

	"github.com/sealmark/action/internal/argument"
	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/rule"
)

//go:embed argument_contract.md
var argumentContractProse string

// ArgumentContract calls tools with arguments that are invalid in one place,
// one call per keyword and place of the tool's schema, and sees which keywords
// the server enforces.
type ArgumentContract struct{}

const argumentContract = "argument-contract"

var argumentReferences = []rule.Reference{
	{Title: "Model Context Protocol", Revision: "2025-11-25", Section: "Server features, Tools, Security considerations", URL: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#security-considerations"},
	{Title: "JSON Schema Validation", Revision: "2020-12", URL: "https://json-schema.org/draft/2020-12/json-schema-validation"},
}

// Info describes the check.
func (ArgumentContract) Info() rule.Check { return argumentContractInfo }

var argumentContractInfo = check.MustProse(rule.Check{
	ID: argumentContract, Pack: "contract", Weight: rule.Scored, Scope: "server", DecidedBy: "protocol response", Since: check.FirstMethodology,
	Keys: []rule.Key{
		{Name: "checks.argument-contract.mode", Type: rule.Enum, Default: "enforce", Enum: []string{"enforce", "observe"}, Locked: true,
			Meaning: "observe shows what the check finds without points and without the gate, so that a team can look before it commits."},
		{Name: "checks.argument-contract.max_candidates", Type: rule.Int, Default: 64, Locked: true, Threshold: true, Min: new(1.0), Max: new(1000.0),
			Meaning: "The most malformed calls of one tool, the most telling ones of each argument first."},
		{Name: "checks.argument-contract.max_total", Type: rule.Int, Default: 1500, Locked: true, Threshold: true, Min: new(1.0), Max: new(100000.0),
			Meaning: "The most malformed calls of all tools together. Where there are more, each tool gets the same share."},
		{Name: "checks.argument-contract.hang_ms", Type: rule.Int, Nullable: true, Locked: true, Min: new(1.0),
			Meaning: "Milliseconds that a call may take before it counts as hanging. null means the larger of 2000 and timeout_probe_sec * 1000."},
	},
	Probes: []rule.Probe{
		{ID: string(argument.RequiredIgnored), Core: true, Text: "one required argument or member is left out"},
		{ID: string(argument.WrongType), Core: true, Text: "a value of another JSON type"},
		{ID: string(argument.BooleanAsInteger), Core: true, Text: "`true` for a number or an integer"},
		{ID: string(argument.StringCoerced), Core: true, Text: "the right value as a text: `\"2\"` for 2, `\"true\"` for true"},
		{ID: string(argument.FloatAsInteger), Core: true, Text: "a fraction for an integer, never a whole one such as `2.0`"},
		{ID: string(argument.NullAccepted), Core: true, Text: "`null` where it is not allowed"},
		{ID: string(argument.EnumIgnored), Core: true, Text: "a value that is not in the `enum`, or not the `const`"},
		{ID: string(argument.BelowMinimum), Core: true, Text: "a number below `minimum`, zero and a negative one among them"},
		{ID: string(argument.AboveMaximum), Core: true, Text: "a number above `maximum`"},
		{ID: string(argument.AtExclusiveMin), Core: true, Text: "the very number of `exclusiveMinimum`"},
		{ID: string(argument.AtExclusiveMax), Core: true, Text: "the very number of `exclusiveMaximum`"},
		{ID: string(argument.NotMultiple), Core: true, Text: "a number that is no multiple of `multipleOf`"},
		{ID: string(argument.TooShort), Core: true, Text: "a text below `minLength`"},
		{ID: string(argument.TooLong), Core: true, Text: "a text above `maxLength`"},
		{ID: string(argument.Pattern), Core: true, Text: "a text that the `pattern` refuses"},
		{ID: string(argument.Format), Text: "a text that is beyond dispute no value of the `format`"},
		{ID: string(argument.TooFewItems), Core: true, Text: "a list below `minItems`"},
		{ID: string(argument.TooManyItems), Core: true, Text: "a list above `maxItems`"},
		{ID: string(argument.DuplicateItems), Core: true, Text: "equal items where `uniqueItems` forbids them"},
		{ID: string(argument.ItemType), Core: true, Text: "an item of another type"},
		{ID: string(argument.Contains), Core: true, Text: "a list without the item that `contains` asks for"},
		{ID: string(argument.ExtraField), Core: true, Text: "one more argument where `additionalProperties: false` forbids it"},
		{ID: string(argument.NestedExtra), Core: true, Text: "one more member of a nested object that forbids it"},
		{ID: string(argument.TooFewProperties), Core: true, Text: "an object below `minProperties`"},
		{ID: string(argument.TooManyProperties), Core: true, Text: "an object above `maxProperties`"},
		{ID: string(argument.PropertyName), Core: true, Text: "a member whose name `propertyNames` refuses"},
		{ID: string(argument.Combinator), Core: true, Text: "a value that `anyOf`, `oneOf`, `not`, `if`, `dependentRequired` or the like refuses"},
		{ID: string(argument.ArgumentsArray), Core: true, Text: "a list in place of the arguments object"},
		{ID: string(argument.ArgumentsString), Core: true, Text: "a text in place of the arguments object"},
		{ID: string(argument.ArgumentsNull), Text: "`null` in place of the arguments object, when something is required"},
	},
	Verdicts: []rule.VerdictRow{
		{Verdict: rule.Fail, When: "a call was accepted although it broke a keyword whose rule is an error, or a call took the server down or hung where robust-input had not seen it"},
		{Verdict: rule.Partial, When: "a call was accepted although it broke a keyword whose rule is a warning, or a reply shows internals, a runtime error or partial output"},
		{Verdict: rule.Pass, When: "each call was rejected, or accepted only where the rule is a note"},
		{Verdict: rule.NotApplicable, When: "no tool has an argument to break, or none may be called that way, or all that was found is robust-input's or forwarding's, or active_probes is none, or the mode is observe"},
		{Verdict: rule.Unverified, When: "nothing was found, but no call or not all calls could be made, or most were neither rejected nor carried out"},
	},
	Rules: []rule.Rule{
		{ID: "contract.boolean-as-integer", Severity: rule.Error, Precision: "high", Tags: []string{"mcp", "validation"}},
		{ID: "contract.string-coerced", Severity: rule.Warning, Precision: "high", Tags: []string{"mcp", "validation"}},
		{ID: "contract.float-as-integer", Severity: rule.Warning, Precision: "high", Tags: []string{"mcp", "validation"}},
		{ID: "contract.null-accepted", Severity: rule.Warning, Precision: "high", Tags: []string{"mcp", "validation"}},
		{ID: "contract.type-ignored", Severity: rule.Warning, Precision: "high", Tags: []string{"mcp", "validation"}},
		{ID: "contract.required-ignored", Severity: rule.Error, Precision: "high", Tags: []string{"mcp", "validation"}},
		{ID: "contract.enum-ignored", Severity: rule.Error, Precision: "high", Tags: []string{"mcp", "validation"}},
		{ID: "contract.bounds-ignored", Severity: rule.Error, Precision: "high", Tags: []string{"mcp", "validation"}},
		{ID: "contract.clamped", Severity: rule.Error, Precision: "medium", Tags: []string{"mcp", "validation"}},
		{ID: "contract.length-ignored", Severity: rule.Warning, Precision: "high", Tags: []string{"mcp", "validation"}},
		{ID: "contract.pattern-ignored", Severity: rule.Warning, Precision: "high", Tags: []string{"mcp", "validation"}},
		{ID: "contract.format-ignored", Severity: rule.Note, Precision: "high", Tags: []string{"mcp", "validation"}},
		{ID: "contract.items-ignored", Severity: rule.Warning, Precision: "high", Tags: []string{"mcp", "validation"}},
		{ID: "contract.properties-ignored", Severity: rule.Warning, Precision: "high", Tags: []string{"mcp", "validation"}},
		{ID: "contract.combinator-ignored", Severity: rule.Warning, Precision: "high", Tags: []string{"mcp", "validation"}},
		{ID: "contract.extra-field-accepted", Severity: rule.Warning, Precision: "high", Tags: []string{"mcp", "validation"}},
		{ID: "contract.nested-extra-accepted", Severity: rule.Warning, Precision: "high", Tags: []string{"mcp", "validation"}},
		{ID: "contract.arguments-type", Severity: rule.Error, Also: []rule.Severity{rule.Note}, Precision: "high", Tags: []string{"mcp", "validation"}},
		{ID: "contract.partial-output", Severity: rule.Warning, Precision: "medium", Tags: []string{"mcp", "validation"}},
	},
}, argumentContractProse, argumentReferences)

// Run sends the candidates of the tools one after the other; the whole check
// is one unit, since it stops after three hangs.
func (ArgumentContract) Run(ctx context.Context, env *check.Env) check.Report {
	r := newArgumentRun(env)
	defer r.End()
	if env.Config.ActiveProbes == "none" {
		return check.Report{Verdict: rule.NotApplicable, Reason: "active_probes is none: no tool was called."}
	}
	r.plan(ctx)
	r.send(ctx)
	return r.report(ctx)
}
