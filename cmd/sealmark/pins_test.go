package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// pinnedFiles are the workflows and the Dockerfile.
func pinnedFiles(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, pattern := range []string{".github/workflows/*.yml", "docs/examples/*.yml", "Dockerfile"} {
		found, err := filepath.Glob(filepath.Join(checkout, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", pattern, found, err)
		}
		for _, path := range found {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			name, _ := filepath.Rel(checkout, path)
			files[name] = string(data)
		}
	}
	return files
}

// TestPins: actions are pinned to commits and bases to digests, each with its
// tag, which renew-pins and dependabot read.
func TestPins(t *testing.T) {
	action := regexp.MustCompile(`^[A-Za-z0-9._/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	base := regexp.MustCompile(`^(\$\{[A-Z_]+\}|[a-z0-9./-]+:[A-Za-z0-9._-]+@sha256:[0-9a-f]{64})$`)
	stage := map[string]string{}
	for name, text := range pinnedFiles(t) {
		for line := range strings.Lines(text) {
			words := strings.Fields(line)
			if _, what, ok := strings.Cut(strings.TrimSpace(line), "uses: "); ok && !strings.HasPrefix(strings.TrimSpace(line), "#") {
				own := strings.HasPrefix(what, "./") || strings.HasPrefix(what, "sealmark/action")
				if !own && !action.MatchString(what) {
					t.Errorf("%s: %s is not pinned to a commit, with its tag behind it", name, what)
				}
			}
			if name != "Dockerfile" || len(words) < 2 {
				continue
			}
			switch words[0] {
			case "ARG":
				if key, value, ok := strings.Cut(words[1], "="); ok {
					stage[key] = value
				}
			case "FROM":
				from := words[1]
				if strings.HasPrefix(from, "--platform") {
					from = words[2]
				}
				if !base.MatchString(from) {
					t.Errorf("%s: %s is not pinned by digest", name, from)
				}
			}
		}
	}
	for key, value := range stage {
		if !strings.Contains(pinnedFiles(t)["Dockerfile"], " AS "+value+"\n") {
			t.Errorf("Dockerfile: %s=%s names no stage that is pinned", key, value)
		}
	}
}

// TestRenewPins: each tag's commit and digest take the place of the old ones,
// and nothing else changes.
func TestRenewPins(t *testing.T) {
	needsLinux(t)
	tree, bin := t.TempDir(), t.TempDir()
	script, err := os.ReadFile(filepath.Join(checkout, "scripts", "renew-pins"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(tree, "scripts", "renew-pins"), string(script), 0o755)
	files := pinnedFiles(t)
	for name, text := range files {
		write(t, filepath.Join(tree, name), text, 0o644)
	}
	commit, digest := strings.Repeat("c0ffee00", 5), "sha256:"+strings.Repeat("c0ffee00", 8)
	write(t, filepath.Join(bin, "git"), fmt.Sprintf("#!/bin/sh\n[ \"$1\" = ls-remote ] || exit 1\ncase $2 in https://github.com/*/*/*) exit 1;; esac\necho '%040d\t'$3\necho '%s\t'$4\n", 1, commit), 0o755)
	write(t, filepath.Join(bin, "docker"), "#!/bin/sh\n[ \"$1 $2 $3\" = 'buildx imagetools inspect' ] || exit 1\necho "+digest+"\n", 0o755)
	env := append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, code := shell(t, tree, env, "scripts/renew-pins")
	if code != 0 {
		t.Fatalf("exit code %d, %s", code, out)
	}
	for name, text := range files {
		want := regexp.MustCompile(`@[0-9a-f]{40} #`).ReplaceAllString(text, "@"+commit+" #")
		want = regexp.MustCompile(`@sha256:[0-9a-f]{64}`).ReplaceAllString(want, "@"+digest)
		if got, err := os.ReadFile(filepath.Join(tree, name)); err != nil || string(got) != want {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
	if old, _ := filepath.Glob(filepath.Join(tree, ".github", "workflows", "*.old")); len(old) != 0 {
		t.Errorf("left behind: %v", old)
	}
	write(t, filepath.Join(bin, "git"), "#!/bin/sh\n", 0o755)
	if out, code := shell(t, tree, env, "scripts/renew-pins"); code == 0 || !strings.Contains(out, "has no tag") {
		t.Errorf("a tag that is gone: exit code %d, %s", code, out)
	}
}
