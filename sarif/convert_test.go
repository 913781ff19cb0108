package sarif_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sealmark/action/internal/golden"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/sarif"
)

func TestGolden(t *testing.T) {
	clean := sample()
	clean.Findings = nil
	for name, r := range map[string]*result.Result{"assessed": sample(), "not-assessed": unassessed(), "clean": clean} {
		t.Run(name, func(t *testing.T) {
			got, _ := convert(t, r, sarif.Options{Indent: true})
			golden.Check(t, filepath.Join("testdata", name+".sarif"), string(got))
		})
	}
}

func TestResults(t *testing.T) {
	_, d := convert(t, sample(), sarif.Options{})
	if len(d.Runs) != 1 {
		t.Fatalf("%d runs", len(d.Runs))
	}
	if got, want := subjects(d), "tool:fetch_parcel tool:print_label tool:book_pickup "; got != want {
		t.Errorf("results are about %q, want %q", got, want)
	}
	run := d.Runs[0]
	for i, f := range run.Results {
		if run.Tool.Driver.Rules[f.RuleIndex].ID != f.RuleID {
			t.Errorf("result %d: rule index %d is not %s", i, f.RuleIndex, f.RuleID)
		}
	}
	if hang := run.Results[0]; hang.Level != "error" || hang.OccurrenceCount != 3 || hang.Locations[0].PhysicalLocation.ArtifactLocation["uri"] != "packages/desk/package.json" {
		t.Errorf("hang: %+v", hang)
	}
	accepted := run.Results[1]
	if p := accepted.Locations[0].PhysicalLocation; p.ArtifactLocation["uri"] != "src/labels/print%20label.ts" || p.Region.StartLine != 42 || p.Region.EndLine != 42 {
		t.Errorf("place: %+v", p)
	}
	if want := `Tool "print_label" accepted schema-invalid arguments {{"copies": \[1\]}} without any refusal.`; accepted.Message.Text != want {
		t.Errorf("message %q, want %q", accepted.Message.Text, want)
	}
	if flaky := run.Results[2]; flaky.Level != "note" || flaky.Properties["flaky"] != true {
		t.Errorf("flaky: %+v", flaky)
	}
	if !run.Invocations[0].ExecutionSuccessful || len(run.Invocations[0].ToolExecutionNotifications) > 0 {
		t.Errorf("invocation: %+v", run.Invocations[0])
	}
}

func TestNotAssessed(t *testing.T) {
	_, d := convert(t, unassessed(), sarif.Options{})
	i := d.Runs[0].Invocations[0]
	if i.ExecutionSuccessful || len(i.ToolExecutionNotifications) != 1 {
		t.Fatalf("%+v", i)
	}
	n := i.ToolExecutionNotifications[0]
	if n.Level != "error" || n.AssociatedRule == nil || n.AssociatedRule.ID != "launch.exited" ||
		!strings.Contains(n.Message.Text, `\[fatal\] {{config}} missing. Run the command by hand.`) {
		t.Errorf("%+v", n)
	}
}

func TestInterrupted(t *testing.T) {
	r := sample()
	r.Completeness = result.Completeness{State: "partial", Interrupted: true, Reasons: []string{"the time limit was reached"}}
	_, d := convert(t, r, sarif.Options{})
	i := d.Runs[0].Invocations[0]
	if i.ExecutionSuccessful || len(i.ToolExecutionNotifications) != 1 || !strings.Contains(i.ToolExecutionNotifications[0].Message.Text, "the time limit was reached") {
		t.Errorf("%+v", i)
	}
}

func TestRules(t *testing.T) {
	_, d := convert(t, sample(), sarif.Options{})
	list := d.Runs[0].Tool.Driver.Rules
	var ids []string
	for _, r := range list {
		ids = append(ids, r.ID)
		_, secure := r.Properties["security-severity"]
		if _, problem := r.Properties["problem.severity"]; problem == secure {
			t.Errorf("%s: must have one of security-severity and problem.severity", r.ID)
		}
	}
	if got := strings.Join(ids, " "); got != "launch.exited robust.accepted-invalid robust.hang stdio.crlf" {
		t.Errorf("rules %s", got)
	}
	hang := list[2]
	want := map[string]any{"precision": "high", "security-severity": "6.5", "tags": []any{"mcp", "robustness", "security"}}
	if diff := cmp.Diff(want, hang.Properties); diff != "" {
		t.Error(diff)
	}
	if hang.Name != "RobustHang" || hang.DefaultConfiguration.Level != "error" || !strings.HasSuffix(hang.HelpURI, "/docs/checks/robust-input.md#robusthang") {
		t.Errorf("%+v", hang)
	}
	for _, part := range []string{"The call gets no answer.", "Check the arguments first.", "Sent call:", hang.HelpURI} {
		if !strings.Contains(hang.Help.Text, part) || !strings.Contains(hang.Help.Markdown, part) {
			t.Errorf("the help lacks %q", part)
		}
	}
	if list[3].Properties["problem.severity"] != "recommendation" {
		t.Errorf("%+v", list[3].Properties)
	}
}

// Rules are the same for all servers, so that only results differ between two
// analyses.
func TestRulesDoNotDependOnTheServer(t *testing.T) {
	other := unassessed()
	other.Server = result.Server{Key: "other", Name: "Evil <b>server</b>", Anchor: rule.Location{Path: "go.mod"}}
	first, _ := convert(t, sample(), sarif.Options{})
	second, _ := convert(t, other, sarif.Options{})
	if !bytes.Equal(rulesOf(t, first), rulesOf(t, second)) {
		t.Error("the rules differ")
	}
}

func rulesOf(t *testing.T, data []byte) []byte {
	t.Helper()
	var d struct {
		Runs []struct {
			Tool json.RawMessage `json:"tool"`
		} `json:"runs"`
	}
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	return d.Runs[0].Tool
}

func TestUnfitInput(t *testing.T) {
	undeclared := sample()
	undeclared.Rules = undeclared.Rules[1:]
	twice := sample()
	twice.Rules = append(twice.Rules, twice.Rules[0])
	strange := sample()
	strange.Rules[0].ID = "robust hang"
	for name, c := range map[string]struct {
		in   string
		want string
	}{
		"nothing":         {"", "not a sealmark result"},
		"half a document": {`{"schema_version":"1.0"`, "not a sealmark result"},
		"other version":   {`{"schema_version":"7.0"}`, "schema version"},
		"undeclared rule": {marshal(t, undeclared), `names the rule "robust.hang"`},
		"rule twice":      {marshal(t, twice), "robust.hang twice"},
		"strange rule id": {marshal(t, strange), `"robust hang"`},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			err := sarif.Convert(strings.NewReader(c.in), &out, sarif.Options{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one about %q", err, c.want)
			}
			if out.Len() > 0 {
				t.Error("something was written")
			}
		})
	}
}

func marshal(t *testing.T, r *result.Result) string {
	t.Helper()
	data, err := r.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
