package confine

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// tree writes files, by their paths.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// listing are the paths below a folder, sorted.
func listing(t *testing.T, root string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			rel, _ := filepath.Rel(root, path)
			list = append(list, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return list
}

func TestCopy(t *testing.T) {
	files := map[string]string{
		".gitignore": "node_modules/\n*.log\n/secret.env\n", "index.js": "1", "src/.gitignore": "*.tmp\n", "src/a.js": "2", "src/b.tmp": "3", ".github/.gitignore": "made\n", ".github/made": "4",
		"node_modules/a/index.js": "5", "run.log": "6", "src/run.log": "7", "sealmark-results/result.json": "8", "lib/sealmark-x/a": "9",
		"gha-creds-0123.json": "10", "secret.env": "11", ".git/HEAD": "ref: refs/heads/main\n", ".git/info/exclude": "private\n", "private": "12",
		".git/hooks/post-checkout": "x", ".git/logs/HEAD": "https://u:p@example.invalid", ".git/config": "[http \"https://example.invalid/\"]\n\textraheader = AUTHORIZATION: basic c2VjcmV0\n", ".git/FETCH_HEAD": "x", ".git/refs/heads/main": "0", ".git/objects/00/11": "x",
		".git/modules/part/HEAD": "x", ".git/modules/part/config": "[credential]\n\thelper = store\n[core]\n\tworktree = ../../../part\n", ".git/modules/part/hooks/update": "x", "part/.git": "gitdir: ../.git/modules/part\n", "worktree/.git": "gitdir: /elsewhere/.git/worktrees/x\n", "worktree/file": "13",
	}
	always := []string{".git/HEAD", ".git/config", ".git/info/exclude", ".git/modules/part/HEAD", ".git/modules/part/config", ".git/objects/00/11", ".git/refs/heads/main", ".github/.gitignore", ".gitignore", "index.js", "lib/sealmark-x/a", "part/.git", "src/.gitignore", "src/a.js", "worktree/file"}
	for _, tt := range []struct {
		name       string
		keep, also []string
	}{
		{"what Git would have", nil, nil},
		{"and a folder that is kept", []string{"node_modules/a", "src/run.log"}, []string{"node_modules/a/index.js", "src/run.log"}},
		{"and all that is ignored", []string{"."}, []string{"node_modules/a/index.js", "src/run.log", "run.log", "src/b.tmp", ".github/made", "secret.env", "private"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			box, err := New(t.Context(), Options{Root: tree(t, files), Keep: tt.keep})
			if err != nil {
				t.Fatal(err)
			}
			want := append(slices.Clone(always), tt.also...)
			slices.Sort(want)
			if got := listing(t, box.Dir()); !slices.Equal(got, want) {
				t.Errorf("the copy holds %q, want %q", got, want)
			}
			config, _ := os.ReadFile(filepath.Join(box.Dir(), ".git/config"))
			if strings.Contains(string(config), "c2VjcmV0") {
				t.Errorf("the configuration of Git is %s", config)
			}
			if err := box.Close(); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(box.Dir()); !os.IsNotExist(err) {
				t.Errorf("the copy is still there: %v", err)
			}
		})
	}
}

func TestCopySpecialFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: links need rights on Windows")
	}
	root := tree(t, map[string]string{"a/file": "x", "run.sh": "x"})
	for name, target := range map[string]string{"inside": "a/file", "a/up": "../run.sh", "outside": "../elsewhere", "absolute": "/etc/passwd", "a/out": "../../x", "loop": "loop", "dead": "a/nothing"} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(root, "run.sh"), 0o755|os.ModeSetuid|os.ModeSetgid); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mkfifo", filepath.Join(root, "pipe")).CombinedOutput(); err != nil {
		t.Fatalf("mkfifo: %v %s", err, out)
	}
	if err := os.Chmod(filepath.Join(root, "a"), 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(filepath.Join(root, "a"), 0o755)
	box, err := New(t.Context(), Options{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	if got, want := listing(t, box.Dir()), []string{"a/file", "a/up", "dead", "inside", "loop", "run.sh"}; !slices.Equal(got, want) {
		t.Errorf("the copy holds %q, want %q", got, want)
	}
	if info, err := os.Stat(filepath.Join(box.Dir(), "run.sh")); err != nil || info.Mode() != 0o755 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestCopyIsBounded(t *testing.T) {
	root := tree(t, map[string]string{"a": strings.Repeat("x", 3000), "b": strings.Repeat("x", 3000)})
	if _, err := New(t.Context(), Options{Root: root, Output: 5000}); err == nil || !strings.Contains(err.Error(), "it holds more than 5000 bytes") {
		t.Errorf("error %v", err)
	}
	box, err := New(t.Context(), Options{Root: root, Output: 6000})
	if err != nil {
		t.Fatal(err)
	}
	box.Close()
}

// What Git tracks is copied also where it is ignored.
func TestCopyTracked(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: git is not installed")
	}
	for _, version := range []string{"2", "3", "4"} {
		root := tree(t, map[string]string{".gitignore": "dist\nout.js\n", "dist/a.js": "1", "dist/" + strings.Repeat("long/", 30) + "b.js": "2", "src/out.js": "3", "src/deep/out.js": "4", "out.js": "5"})
		for _, args := range [][]string{{"init", "-q"}, {"config", "index.version", version}, {"add", "-f", "dist", "src/out.js"}, {"add", "."}} {
			cmd := exec.Command("git", args...)
			cmd.Dir, cmd.Env = root, append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("git %q: %v %s", args, err, out)
			}
		}
		box, err := New(t.Context(), Options{Root: root})
		if err != nil {
			t.Fatal(err)
		}
		defer box.Close()
		got := slices.DeleteFunc(listing(t, box.Dir()), func(name string) bool { return strings.HasPrefix(name, ".git/") })
		if want := []string{".gitignore", "dist/a.js", "dist/" + strings.Repeat("long/", 30) + "b.js", "src/out.js"}; !slices.Equal(got, want) {
			t.Errorf("index version %s: the copy holds %q, want %q", version, got, want)
		}
		status := exec.Command("git", "status", "--porcelain")
		status.Dir = box.Dir()
		if out, err := status.CombinedOutput(); err != nil || strings.Contains(string(out), " D ") {
			t.Errorf("git status in the copy: %v %s", err, out)
		}
	}
}

func FuzzReadIndex(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x01" + strings.Repeat("\x00", 60) + "\x00\x01a\x00\x00\x00"))
	f.Add([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x02" + strings.Repeat("\x00", 60) + "\x00\x01\x00a\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		x := readIndex(data)
		if !slices.IsSorted(x.names) {
			t.Errorf("%q is not sorted", x.names)
		}
		x.has("a", true)
	})
}

func TestHarmlessConfig(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"a plain repository", "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n[remote \"origin\"]\n\turl = https://example.invalid/barn/sheep\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n",
			"[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n[remote \"origin\"]\n\turl = https://example.invalid/barn/sheep\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n"},
		{"a user in the URL", "[remote \"origin\"]\n\turl = https://x-access-token:secret@example.invalid/barn/sheep?token=secret\n", "[remote \"origin\"]\n\turl = https://example.invalid/barn/sheep\n"},
		{"a short URL", "[remote \"origin\"]\n\turl = git@example.invalid:barn/sheep.git\n", "[remote \"origin\"]\n\turl = git@example.invalid:barn/sheep.git\n"},
		{"a short URL of another user", "[remote \"origin\"]\n\turl = secret@example.invalid:barn/sheep.git\n", ""},
		{"credentials", "[http \"https://example.invalid/\"]\n\textraheader = AUTHORIZATION: basic secret\n[credential]\n\thelper = !secret\n[includeIf \"gitdir:/x\"]\n\tpath = /secret\n[include]\n\tpath = /secret\n[url \"https://secret@x/\"]\n\tinsteadOf = https://x/\n", ""},
		{"programs", "[core]\n\thooksPath = x\n\tfsmonitor = x\n\tsshCommand = x\n\tpager = x\n\tworktree = /x\n[filter \"x\"]\n\tclean = x\n[alias]\n\tx = !x\n[diff]\n\texternal = x\n", ""},
		{"a setting beside its section", "[core] bare = false\n\tfilemode = true\n", ""},
		{"lines that go on", "[core]\n\teol = lf \\\n[http]\n\textraheader = secret\n", ""},
	} {
		if got := string(harmlessConfig([]byte(tt.in))); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func FuzzHarmlessConfig(f *testing.F) {
	f.Add("[core]\n\tbare = false\n")
	f.Add("[remote \"o\"]\n\turl = https://u:secret@x/y\n")
	f.Add("[http \"https://x/\"]\n\textraheader = y\n")
	f.Fuzz(func(t *testing.T, config string) {
		out := harmlessConfig([]byte(config))
		for line := range strings.Lines(strings.ToLower(string(out))) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), " = ")
			if !strings.HasPrefix(line, "[") && (strings.Contains(value, "://") && strings.Contains(value, "@") || slices.Contains([]string{"extraheader", "helper", "path", "hookspath", "sshcommand", "fsmonitor"}, name)) {
				t.Errorf("%q is kept of %q", line, config)
			}
		}
		if again := harmlessConfig(out); string(again) != string(out) {
			t.Errorf("%q becomes %q", out, again)
		}
	})
}
