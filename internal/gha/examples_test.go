package gha

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// workflow is what a test looks at of a workflow.
type workflow struct {
	Name        string
	Permissions map[string]string
	Jobs        map[string]struct {
		Permissions map[string]string
		Steps       []struct {
			Uses, Run string
			With      map[string]any
		}
	}
}

func readWorkflow(t *testing.T, name string) (workflow, string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, "docs", "examples", name))
	if err != nil {
		t.Fatal(err)
	}
	var w workflow
	if err := yaml.Unmarshal(data, &w); err != nil {
		t.Fatal(err)
	}
	return w, string(data)
}

var pinned = regexp.MustCompile(`^[\w.-]+/[\w.-]+@[0-9a-f]{40}$`)

// The two workflows for pull requests of forks give no more than is needed to
// each side, and use inputs that there are.
func TestWorkflowsForForks(t *testing.T) {
	for name, permissions := range map[string]map[string]string{
		"fork-run.yml":     {"contents": "read"},
		"fork-publish.yml": {"actions": "read", "security-events": "write", "pull-requests": "write"},
	} {
		w, source := readWorkflow(t, name)
		if len(w.Permissions) != len(permissions) {
			t.Errorf("%s: permissions %v", name, w.Permissions)
		}
		for scope, access := range permissions {
			if w.Permissions[scope] != access {
				t.Errorf("%s: %s is %q", name, scope, w.Permissions[scope])
			}
		}
		for _, job := range w.Jobs {
			if job.Permissions != nil {
				t.Errorf("%s: a job has permissions of its own", name)
			}
			for _, step := range job.Steps {
				if ours := strings.HasPrefix(step.Uses, "sealmark/action@"); !ours && !pinned.MatchString(step.Uses) || step.Run != "" {
					t.Errorf("%s: step %q is not pinned, or runs a script", name, step.Uses+step.Run)
				} else if ours {
					for input := range step.With {
						if !slices.ContainsFunc(Inputs, func(in Input) bool { return in.Name == input }) {
							t.Errorf("%s: there is no input %s", name, input)
						}
					}
				}
				if name == "fork-publish.yml" && strings.Contains(step.Uses, "checkout") {
					t.Error("the workflow that can write checks something out")
				}
			}
		}
		if strings.Contains(source, "secrets.") || strings.Contains(source, "pull_request_target") {
			t.Errorf("%s uses what it must not", name)
		}
	}
	run, _ := readWorkflow(t, "fork-run.yml")
	if _, source := readWorkflow(t, "fork-publish.yml"); !strings.Contains(source, "workflows: ["+run.Name+"]") {
		t.Errorf("the second workflow does not wait for %s", run.Name)
	}
}
