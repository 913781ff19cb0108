package suite

import (
	"slices"
	"testing"

	"github.com/sealmark/action/internal/fixture"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// ruleOfKeyword says which rule the lack of each keyword raises.
var ruleOfKeyword = map[string]string{
	"integer": "contract.float-as-integer", "any-type": "contract.type-ignored",
	"required-missing": "contract.required-ignored", "wrong-type": "contract.type-ignored", "boolean-as-integer": "contract.boolean-as-integer",
	"string-coerced": "contract.string-coerced", "float-as-integer": "contract.float-as-integer", "null": "contract.null-accepted", "enum": "contract.enum-ignored",
	"below-minimum": "contract.bounds-ignored", "above-maximum": "contract.bounds-ignored", "at-exclusive-minimum": "contract.bounds-ignored",
	"at-exclusive-maximum": "contract.bounds-ignored", "not-multiple": "contract.bounds-ignored", "clamped": "contract.clamped",
	"too-short": "contract.length-ignored", "too-long": "contract.length-ignored", "pattern": "contract.pattern-ignored", "format": "contract.format-ignored",
	"too-few-items": "contract.items-ignored", "too-many-items": "contract.items-ignored", "duplicate-items": "contract.items-ignored", "item-type": "contract.items-ignored", "contains": "contract.items-ignored",
	"too-few-properties": "contract.properties-ignored", "too-many-properties": "contract.properties-ignored", "property-name": "contract.properties-ignored",
	"combinator": "contract.combinator-ignored", "extra-field": "contract.extra-field-accepted", "nested-extra-field": "contract.nested-extra-accepted",
	"arguments-array": "contract.arguments-type", "arguments-string": "contract.arguments-type", "arguments-null": "contract.arguments-type", "partial-output": "contract.partial-output",
}

// implied says which further rules the lack of something raises, since one
// check serves several shapes.
var implied = map[string][]string{
	"integer":  {"contract.boolean-as-integer"},
	"any-type": {"contract.boolean-as-integer", "contract.string-coerced", "contract.float-as-integer", "contract.null-accepted"},
}

// patient leaves the limits as they are: nothing hangs here, and a busy
// machine must not make it look so.
const patient = "timeout_sec: 600\n"

// TestKeywords: with all keywords enforced nothing is raised, with none each
// rule is, and with one lacking exactly its rule and what the table implies.
func TestKeywords(t *testing.T) {
	only := []string{"robust-input", "argument-contract", "launch"}
	t.Run("all", func(t *testing.T) {
		t.Parallel()
		r := run(t, setup{fixture: "keyword-all", only: only, yaml: patient})
		if len(r.Findings) != 0 || verdict(r, "argument-contract") != rule.Pass || r.Contract.Total[result.Rejected] != r.Contract.Total.Sent() || r.Contract.Total[result.NotSent] != 0 {
			t.Errorf("outcomes %v\n%s", r.Contract.Total, describe(r))
		}
	})
	t.Run("none", func(t *testing.T) {
		t.Parallel()
		r := run(t, setup{fixture: "keyword-none", only: only, yaml: patient})
		var own []string
		for _, known := range Rules() {
			if known.Check == "argument-contract" {
				own = append(own, known.ID)
			}
		}
		if got := raised(r); !slices.Equal(got, own) || verdict(r, "argument-contract") != rule.Fail {
			t.Errorf("raised %q, want %q\n%s", got, own, describe(r))
		}
	})
	for _, name := range fixture.Keywords() {
		t.Run("without "+name, func(t *testing.T) {
			t.Parallel()
			r := run(t, setup{fixture: "keyword-without-" + name, only: []string{"argument-contract"}, yaml: patient})
			want := append([]string{ruleOfKeyword[name]}, implied[name]...)
			slices.Sort(want)
			if got := raised(r); !slices.Equal(got, want) {
				t.Errorf("raised %q, want %q\n%s", got, want, describe(r))
			}
			for _, f := range r.Findings {
				if f.Subject != "tool:"+name && f.Subject != "server" {
					t.Errorf("%s is about %s", f.Rule, f.Subject)
				}
			}
			for _, line := range r.Contract.Tools {
				if line.Tool != name && line.Total[result.Accepted] > 0 {
					t.Errorf("%s accepts %v", line.Tool, line.Cells)
				}
			}
		})
	}
}
