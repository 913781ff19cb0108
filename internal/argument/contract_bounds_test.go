package argument

import (
	"encoding/json"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/sealmark/action/internal/rawjson"
)

// TestContractBounds makes candidates from hostile schemas in bounded time and
// memory.
func TestContractBounds(t *testing.T) {
	all := hostile()
	for _, name := range sorted(all) {
		t.Run(name, func(t *testing.T) {
			schema, err := Compile(json.RawMessage(all[name]))
			if err != nil {
				t.Skip(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			made, drafts := schema.contract(64)
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			t.Logf("%s, %d MB allocated: base %.40s (%.80s), %d candidates, %d unsent, %d more",
				took, (after.TotalAlloc-before.TotalAlloc)>>20, made.Base, made.BaseReason, len(made.List), len(made.Unsent), made.Truncated)
			if took > 4*patience {
				t.Errorf("took %s", took)
			}
			size := len(made.Base)
			for _, c := range made.List {
				size += len(c.ID) + len(c.Pointer) + len(c.Arguments) + len(c.Value)
				if len(c.Arguments) > maxArguments {
					t.Errorf("%s has %d bytes", c.ID, len(c.Arguments))
				}
			}
			for _, u := range made.Unsent {
				size += len(u.ID) + len(u.Reason)
			}
			if size > 64*3*maxArguments+1<<20 {
				t.Errorf("the candidates have %d bytes", size)
			}
			for _, fault := range violations(schema, made, drafts, 64) {
				t.Errorf("%.500s", fault)
			}
		})
	}
}

// TestContractUnusable checks that what can't be compiled stays a compile
// error, which is what its rules report.
func TestContractUnusable(t *testing.T) {
	for _, schema := range []string{
		`{"type":"object","properties":{"a":{"$ref":"https://example.com/schema.json"}}}`,
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/none"}}}`,
	} {
		if _, err := Compile(json.RawMessage(schema)); err == nil {
			t.Errorf("%s was compiled", schema)
		}
	}
}

func FuzzContract(f *testing.F) {
	for _, schema := range []string{
		`{"type":"object","properties":{"a":{"type":"integer","minimum":1,"maximum":4},"b":{"type":"string","maxLength":40}},"required":["a","b"],"additionalProperties":false}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"type":"array","items":[{"type":"string"}],"minItems":1},"b":{"format":"email"}},"dependencies":{"a":["b"]}}`,
		`{"oneOf":[{"required":["a"]},{"required":["b"]}],"patternProperties":{"^x":{"enum":[1,null]}},"if":{"required":["a"]},"then":{"not":{"required":["c"]}}}`,
		`{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"n":{"anyOf":[{"$ref":"#/$defs/n"},{"type":"null"}]},"v":{"multipleOf":0.01,"exclusiveMinimum":0}},"required":["v"]}}}`,
		`{"properties":{"a":{"contains":{"const":7},"uniqueItems":true,"maxItems":3},"b":{"minProperties":2,"propertyNames":{"pattern":"^[a-z]+$"}}},"unevaluatedProperties":false}`,
	} {
		f.Add([]byte(schema))
	}
	for seed := range uint64(20) {
		f.Add([]byte(rawjson.Encode(schemas{rand.New(rand.NewPCG(seed, 7)), seed%3 == 0}.root())))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 20_000 {
			return
		}
		schema, err := Compile(data)
		if err != nil {
			return
		}
		start := time.Now()
		made, drafts := schema.contract(64)
		if took := time.Since(start); took > 4*patience {
			t.Errorf("took %s", took)
		}
		for _, fault := range violations(schema, made, drafts, 64) {
			t.Error(fault)
		}
		if again, _ := schema.contract(64); string(rawjson.Encode(again)) != string(rawjson.Encode(made)) {
			t.Error("another result the second time")
		}
	})
}

func BenchmarkContract(b *testing.B) {
	tools := corpusTools(b)
	var compiled []*Schema
	for _, name := range sorted(tools) {
		if schema, err := Compile(tools[name]); err == nil {
			compiled = append(compiled, schema)
		}
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		compiled[i%len(compiled)].Contract(64)
	}
}
