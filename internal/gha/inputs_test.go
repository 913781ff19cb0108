package gha

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// root is the folder of the repository.
const root = "../.."

func TestMetadataHoldsTheTables(t *testing.T) {
	type described struct {
		Description string
		Required    bool
		Default     string
		Value       string
	}
	type step struct {
		ID, Shell, Run string
		Env            map[string]string
	}
	type metadata struct {
		Name, Description, Author string
		Branding                  struct{ Icon, Color string }
		Inputs, Outputs           map[string]described
		Runs                      struct {
			Using, Image string
			Steps        []step
		}
	}
	for name, using := range map[string]string{"action.yml": "docker", "setup/action.yml": "composite"} {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		var action metadata // runs.args, env and entrypoint are refused: inputs are read from the environment
		if err := yaml.UnmarshalWithOptions(data, &action, yaml.Strict()); err != nil {
			t.Fatal(err)
		}
		if action.Name == "" || action.Branding.Icon == "" || action.Branding.Color == "" || action.Runs.Using != using {
			t.Errorf("%s lacks a name, an icon, a colour or runs.using: %s", name, using)
		}
		if n := len(action.Description); n == 0 || name == "action.yml" && n >= 125 {
			t.Errorf("the description has %d characters; the Marketplace takes fewer than 125", n)
		}
		for _, in := range Inputs {
			if got, ok := action.Inputs[in.Name]; !ok || got != (described{Description: in.Description, Default: in.Default}) {
				t.Errorf("input %s: %s has %+v, the code %+v", in.Name, name, got, in)
			}
		}
		for _, out := range Outputs {
			want := described{Description: out.Description}
			if using == "composite" {
				want.Value = "${{ steps.run.outputs." + out.Name + " }}"
			}
			if got, ok := action.Outputs[out.Name]; !ok || got != want {
				t.Errorf("output %s: %s has %+v, want %+v", out.Name, name, got, want)
			}
		}
		if len(action.Inputs) != len(Inputs) || len(action.Outputs) != len(Outputs) {
			t.Errorf("%s has %d inputs and %d outputs, the code %d and %d", name, len(action.Inputs), len(action.Outputs), len(Inputs), len(Outputs))
		}
		for _, s := range action.Runs.Steps {
			if strings.Contains(s.Run, "${{") {
				t.Errorf("%s puts an expression into a script: %s", name, s.Run)
			}
		}
	}
}

func TestReadsInputsUnderBothNames(t *testing.T) {
	env := map[string]string{"INPUT_FAIL-ON": "never", "INPUT_FAIL_ON": "error", "INPUT_MIN_SCORE": " 80 "}
	r := New(io.Discard, func(name string) string { return env[name] })
	for name, want := range map[string]string{"fail-on": "never", "min-score": "80", "command": ""} {
		if got := r.Input(name); got != want {
			t.Errorf("input %s is %q, want %q", name, got, want)
		}
	}
}

func TestReadmeHoldsTheTables(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "README.md"))
	if os.IsNotExist(err) {
		t.Skip("there is no README.md yet")
	}
	if err != nil {
		t.Fatal(err)
	}
	inputs, outputs := Tables()
	for name, want := range map[string]string{"inputs": inputs, "outputs": outputs} {
		between := regexp.MustCompile(`(?s)<!-- ` + name + ` -->\n(.*?)<!-- /` + name + ` -->`).FindSubmatch(data)
		if between == nil {
			t.Errorf("README.md has no <!-- %s --> … <!-- /%s -->", name, name)
			continue
		}
		if got := strings.TrimSpace(string(between[1])); got != strings.TrimSpace(want) {
			t.Errorf("the table of %s in README.md differs from the code's, which is\n%s", name, want)
		}
	}
}

func TestTablesAreWellFormed(t *testing.T) {
	inputs, outputs := Tables()
	for table, columns := range map[string]int{inputs: 4, outputs: 3} {
		for line := range strings.Lines(table) {
			if strings.Count(line, "|") != columns {
				t.Errorf("%d bars in %q", strings.Count(line, "|"), line)
			}
		}
	}
}
