package suite

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/sealmark/action/internal/argument"
	"github.com/sealmark/action/internal/fixture"
)

// TestSafety: whatever is configured short of a wider reach, no check makes a
// call that the schema of a tool allows if the tool may write.
func TestSafety(t *testing.T) {
	for name, yaml := range map[string]string{"default": "", "full": "active_probes: full\n", "read-only": "contract: { reach: read-only }\n"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "calls")
			r := run(t, setup{fixture: "records", args: []string{file}, yaml: yaml})
			if got := reported(r); len(got) > 0 {
				t.Errorf("raised %q\n%s", got, describe(r))
			}
			calls, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer calls.Close()
			n := 0
			for lines := bufio.NewScanner(calls); lines.Scan(); n++ {
				var call struct {
					Params struct {
						Name      any
						Arguments json.RawMessage
					}
				}
				if json.Unmarshal(lines.Bytes(), &call) != nil {
					t.Fatalf("call %s", lines.Bytes())
				}
				name, _ := call.Params.Name.(string)
				raw, listed := fixture.RecordedSchemas[name]
				if !listed {
					continue // a probe with a name that no tool has
				}
				schema, err := argument.Compile(json.RawMessage(raw))
				if err != nil {
					t.Fatal(err)
				}
				if call.Params.Arguments == nil || schema.Valid(call.Params.Arguments) == nil {
					t.Errorf("the schema of %s allows %s", name, lines.Bytes())
				}
			}
			if n < 10 {
				t.Errorf("only %d calls were made", n)
			}
		})
	}
}
