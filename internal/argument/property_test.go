package argument

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sealmark/action/internal/golden"
	"github.com/sealmark/action/internal/rawjson"
	"github.com/sealmark/action/internal/shared"
)

// schemas generates schemas, the same for the same seed.
type schemas struct {
	*rand.Rand
	draft7 bool
}

func (g schemas) maybe(percent int) bool { return g.IntN(100) < percent }

func pick[T any](g schemas, list ...T) T { return list[g.IntN(len(list))] }

// root makes a schema of arguments.
func (g schemas) root() map[string]any {
	s := g.object(3)
	if g.draft7 {
		s["$schema"] = "http://json-schema.org/draft-07/schema#"
	}
	s["$defs"] = map[string]any{"leaf": g.any(0), "node": g.object(1), "self": map[string]any{
		"type": "object", "properties": map[string]any{"v": g.any(0), "next": map[string]any{"$ref": "#/$defs/self"}, "all": map[string]any{"type": "array", "items": map[string]any{"$ref": "#/$defs/self"}}},
	}}
	return s
}

func (g schemas) any(depth int) map[string]any {
	kinds := []func(int) map[string]any{g.integer, g.number, g.text, g.text, g.boolean, g.list, g.union, g.whole}
	if depth > 0 {
		kinds = append(kinds, g.object, g.array, g.array, g.reference, g.combined)
	}
	s := pick(g, kinds...)(depth - 1)
	if g.maybe(5) {
		s["default"] = pick[any](g, 1, "x", nil, true)
	}
	return s
}

func (g schemas) whole(int) map[string]any { return map[string]any{"type": "string"} }

func (g schemas) boolean(int) map[string]any { return map[string]any{"type": "boolean"} }

func (g schemas) list(int) map[string]any {
	if g.maybe(30) {
		return map[string]any{"const": pick[any](g, "k", 7, true, nil)}
	}
	s := map[string]any{"enum": pick(g, []any{"a", "b"}, []any{1, 2, 3}, []any{"a", nil}, []any{true, "b", 3})}
	if g.maybe(30) {
		s["type"] = pick(g, "string", "integer")
	}
	return s
}

func (g schemas) bounds(s map[string]any, numbers func() any) {
	if g.maybe(40) {
		s["minimum"] = numbers()
	}
	if g.maybe(30) {
		s["maximum"] = numbers()
	}
	if g.maybe(15) {
		s["exclusiveMinimum"] = numbers()
	}
	if g.maybe(15) {
		s["exclusiveMaximum"] = numbers()
	}
}

func (g schemas) integer(int) map[string]any {
	s := map[string]any{"type": "integer"}
	g.bounds(s, func() any { return g.IntN(40) - 10 })
	if g.maybe(15) {
		s["multipleOf"] = 1 + g.IntN(7)
	}
	return s
}

func (g schemas) number(int) map[string]any {
	s := map[string]any{"type": "number"}
	g.bounds(s, func() any { return float64(g.IntN(400)-100) / 4 })
	if g.maybe(15) {
		s["multipleOf"] = pick[any](g, 0.5, 0.01, 2, 0.1)
	}
	return s
}

func (g schemas) text(int) map[string]any {
	s := map[string]any{"type": "string"}
	if g.maybe(30) {
		s["minLength"] = g.IntN(12)
	}
	if g.maybe(30) {
		s["maxLength"] = g.IntN(30)
	}
	if g.maybe(25) {
		s["pattern"] = pick(g, "^[A-Z]{3}$", "^[a-z]+$", "x", `^\d{4}-\d{2}$`, "^(?!no)", ".*", "^(a|b)*c$", "[[:bad", `^\p{L}+$`)
		if s["pattern"] == "[[:bad" {
			delete(s, "pattern")
		}
	}
	if g.maybe(20) {
		s["format"] = pick(g, "date-time", "date", "email", "uri", "uuid", "ipv4", "ipv6", "hostname", "colour", "time", "duration")
	}
	return s
}

func (g schemas) union(int) map[string]any {
	return map[string]any{"type": pick(g, []any{"string", "null"}, []any{"integer", "null"}, []any{"integer", "string"}, []any{"null", "boolean", "number"}, []any{"string", "array"})}
}

func (g schemas) array(depth int) map[string]any {
	s := map[string]any{"type": "array"}
	tuple := "prefixItems"
	if g.draft7 {
		tuple = "items"
	}
	switch g.IntN(8) {
	case 0:
		s[tuple] = []any{g.any(depth), g.any(depth)}
	case 1:
		s["contains"] = g.any(depth)
	case 2:
		s["items"] = g.any(depth)
		s["contains"] = g.any(depth)
		s["uniqueItems"] = true
	case 3:
	default:
		s["items"] = g.any(depth)
	}
	if g.maybe(40) {
		s["minItems"] = g.IntN(4)
	}
	if g.maybe(30) {
		s["maxItems"] = g.IntN(6)
	}
	if g.maybe(25) {
		s["uniqueItems"] = g.maybe(80)
	}
	return s
}

func (g schemas) reference(int) map[string]any {
	s := map[string]any{"$ref": "#/$defs/" + pick(g, "leaf", "node", "self")}
	if g.maybe(20) {
		s["description"] = "x"
		s["minProperties"] = 1
	}
	return s
}

func (g schemas) combined(depth int) map[string]any {
	switch g.IntN(6) {
	case 0:
		return map[string]any{"allOf": []any{g.integer(0), g.number(0)}}
	case 1:
		return map[string]any{"anyOf": []any{g.any(depth), map[string]any{"type": "null"}}}
	case 2:
		return map[string]any{"oneOf": []any{g.object(depth), g.object(depth), g.any(depth)}}
	case 3:
		s := g.any(depth)
		s["not"] = g.any(depth)
		return s
	case 4:
		s := g.any(depth)
		s["if"], s["then"], s["else"] = g.any(depth), g.any(depth), g.any(depth)
		return s
	}
	return map[string]any{"anyOf": []any{g.any(depth), g.any(depth)}}
}

var fieldNames = []string{"a", "b", "c", "a/b", "m~n", "", "é", "long_name"}

func (g schemas) object(depth int) map[string]any {
	properties := map[string]any{}
	for range 1 + g.IntN(5) {
		properties[pick(g, fieldNames...)] = g.any(depth)
	}
	s := map[string]any{"type": "object", "properties": properties}
	demanded := []any{}
	for _, name := range fieldNames {
		if properties[name] != nil && g.maybe(40) || g.maybe(2) {
			demanded = append(demanded, name)
		}
	}
	if g.maybe(80) {
		s["required"] = demanded
	}
	if g.maybe(25) {
		s["additionalProperties"] = pick[any](g, false, false, true, g.any(0))
	}
	if g.maybe(8) {
		s["minProperties"] = g.IntN(4)
	}
	if g.maybe(8) {
		s["maxProperties"] = 1 + g.IntN(5)
	}
	if g.maybe(5) {
		s["propertyNames"] = map[string]any{"maxLength": 3 + g.IntN(8)}
	}
	if g.maybe(6) {
		s["patternProperties"] = map[string]any{pick(g, "^x_", "^[a-c]$", "y$"): g.any(depth - 1)}
	}
	word := "dependentRequired"
	if g.draft7 {
		word = "dependencies"
	}
	if g.maybe(8) {
		s[word] = map[string]any{pick(g, fieldNames...): []any{pick(g, fieldNames...)}}
	}
	if !g.draft7 && g.maybe(6) {
		s["dependentSchemas"] = map[string]any{pick(g, fieldNames...): map[string]any{"required": []any{pick(g, fieldNames...)}}}
	}
	if g.maybe(6) {
		s[pick(g, "anyOf", "oneOf")] = []any{map[string]any{"required": []any{pick(g, fieldNames...)}}, map[string]any{"required": []any{pick(g, fieldNames...)}}}
	}
	if g.maybe(6) {
		name := pick(g, fieldNames...)
		s["if"] = map[string]any{"required": []any{name}}
		s["then"] = map[string]any{"properties": map[string]any{pick(g, fieldNames...): g.any(0)}, "required": []any{pick(g, fieldNames...)}}
	}
	if g.maybe(4) {
		s["not"] = map[string]any{"required": []any{pick(g, fieldNames...)}}
	}
	return s
}

// tally counts candidates by shape, keyword and reason.
type tally struct {
	schemas, based, candidates, truncated int
	slowest                               time.Duration
	shapes, unsent                        map[string]int
}

func newTally() *tally { return &tally{shapes: map[string]int{}, unsent: map[string]int{}} }

func (t *tally) add(made Candidates, took time.Duration) {
	t.schemas++
	t.candidates += len(made.List)
	t.truncated += made.Truncated
	t.slowest = max(t.slowest, took)
	if made.Base != nil {
		t.based++
	}
	for _, c := range made.List {
		t.shapes[string(c.Shape)+" "+c.Keyword]++
	}
	for _, u := range made.Unsent {
		t.unsent[string(u.Shape)+": "+u.Reason]++
	}
}

func (t *tally) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "schemas %d\nwith a base %d\ncandidates %d\nbeyond the limit %d\n\n", t.schemas, t.based, t.candidates, t.truncated)
	for _, shape := range sorted(t.shapes) {
		fmt.Fprintf(&b, "%6d %s\n", t.shapes[shape], shape)
	}
	b.WriteString("\nnot sent\n")
	reasons := sorted(t.unsent)
	for _, reason := range reasons {
		fmt.Fprintf(&b, "%6d %s\n", t.unsent[reason], reason)
	}
	return b.String()
}

// TestContractGenerated is a property test: of 2,000 schemas no candidate is
// allowed and no base refused.
func TestContractGenerated(t *testing.T) {
	total := newTally()
	for seed := range uint64(2000) {
		g := schemas{rand.New(rand.NewPCG(seed, 4)), seed%3 == 0}
		schema := rawjson.Encode(g.root())
		compiled, err := Compile(schema)
		if err != nil {
			t.Fatalf("seed %d: %v: %s", seed, err, schema)
		}
		start := time.Now()
		made, drafts := compiled.contract(64)
		total.add(made, time.Since(start))
		for _, fault := range violations(compiled, made, drafts, 64) {
			t.Errorf("seed %d: %s\n%s", seed, fault, schema)
		}
		if seed%20 == 0 {
			again, _ := compiled.contract(64)
			if string(rawjson.Encode(again)) != string(rawjson.Encode(made)) {
				t.Errorf("seed %d: another result the second time", seed)
			}
		}
		if t.Failed() {
			break
		}
	}
	t.Logf("slowest %s", total.slowest)
	golden.Check(t, "testdata/contract_generated.golden", total.String())
}

// corpusTools returns the input schemas of real servers, by server and tool.
func corpusTools(t testing.TB) map[string]json.RawMessage {
	tools := map[string]json.RawMessage{}
	for file, list := range shared.Tools(t) {
		for _, tool := range list {
			tools[strings.TrimSuffix(file, ".json")+" "+tool.Name] = tool.InputSchema
		}
	}
	return tools
}

// TestContractCorpus makes candidates for the tools of real servers.
func TestContractCorpus(t *testing.T) {
	total := newTally()
	tools := corpusTools(t)
	for _, name := range sorted(tools) {
		schema, err := Compile(tools[name])
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		start := time.Now()
		made, drafts := schema.contract(64)
		total.add(made, time.Since(start))
		for _, fault := range violations(schema, made, drafts, 64) {
			t.Errorf("%s: %s", name, fault)
		}
	}
	if total.based*100 < total.schemas*95 {
		t.Errorf("a base for %d of %d tools", total.based, total.schemas)
	}
	t.Logf("slowest %s", total.slowest)
	golden.Check(t, "testdata/contract_corpus.golden", total.String())
}

// TestContractLimit checks that a lower limit keeps the beginning.
func TestContractLimit(t *testing.T) {
	var properties []string
	for i := range 200 {
		properties = append(properties, fmt.Sprintf(`"p%03d":{"type":"integer","minimum":1,"maximum":9}`, i))
	}
	schema := `{"type":"object","properties":{` + strings.Join(properties, ",") + `},"additionalProperties":false}`
	all := contract(t, schema, 10_000)
	some := contract(t, schema, 300)
	if len(some.List) != 300 || len(some.List)+some.Truncated != len(all.List)+all.Truncated || all.Truncated != 0 {
		t.Errorf("%d and %d more, of %d", len(some.List), some.Truncated, len(all.List))
	}
	seen := map[string]bool{}
	for i, c := range some.List {
		if c.ID != all.List[i].ID {
			t.Fatalf("%d: %s, without the limit %s", i, c.ID, all.List[i].ID)
		}
		seen[c.Pointer] = true
	}
	for i := range 200 {
		if name := fmt.Sprintf("/p%03d", i); !seen[name] {
			t.Errorf("%s has no candidate", name)
		}
	}
	if none := contract(t, schema, 0); len(none.List) != 0 || none.Truncated != len(all.List) {
		t.Errorf("%d for a limit of 0, %d more", len(none.List), none.Truncated)
	}
	if !slices.ContainsFunc(some.List[:10], func(c Candidate) bool { return c.Shape == ExtraField }) {
		t.Error("the extra field is not among the first")
	}
}
