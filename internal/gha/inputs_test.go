package gha

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// root is the folder of the repository.
const root = "../.."

func TestActionMetadataHoldsTheTables(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	type described struct {
		Description string
		Required    bool
		Default     string
	}
	var action struct {
		Name, Description, Author string
		Branding                  struct{ Icon, Color string }
		Inputs, Outputs           map[string]described
		Runs                      map[string]any
	}
	if err := yaml.UnmarshalWithOptions(data, &action, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	if n := len(action.Description); n == 0 || n >= 125 {
		t.Errorf("the description has %d characters; the Marketplace takes fewer than 125", n)
	}
	if action.Name == "" || action.Branding.Icon == "" || action.Branding.Color == "" {
		t.Error("the Marketplace needs a name, an icon and a colour")
	}
	for _, key := range []string{"args", "env", "entrypoint"} {
		if action.Runs[key] != nil {
			t.Errorf("runs.%s is set: inputs are read from the environment", key)
		}
	}
	for _, in := range Inputs {
		got, ok := action.Inputs[in.Name]
		if !ok || got != (described{in.Description, false, in.Default}) {
			t.Errorf("input %s: action.yml has %+v, the code %+v", in.Name, got, in)
		}
	}
	for _, out := range Outputs {
		if got, ok := action.Outputs[out.Name]; !ok || got != (described{Description: out.Description}) {
			t.Errorf("output %s: action.yml has %+v, the code %+v", out.Name, got, out)
		}
	}
	if len(action.Inputs) != len(Inputs) || len(action.Outputs) != len(Outputs) {
		t.Errorf("action.yml has %d inputs and %d outputs, the code %d and %d", len(action.Inputs), len(action.Outputs), len(Inputs), len(Outputs))
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
