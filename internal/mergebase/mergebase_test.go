package mergebase

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// repository is a repository with one commit on main.
func repository(t *testing.T) Repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("git is not installed")
		}
		t.Skip("git is not installed")
	}
	r := Repository{Root: t.TempDir()}
	run(t, r.Root, "init", "-q", "-b", "main")
	write(t, r.Root, "README", "one")
	write(t, r.Root, "src/run.sh", "#!/bin/sh\n")
	if err := os.Chmod(filepath.Join(r.Root, "src", "run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	commit(t, r.Root)
	return r
}

func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	return feed(t, dir, "", args...)
}

func feed(t *testing.T, dir, in string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(in)
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org",
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func write(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func commit(t *testing.T, dir string) string {
	t.Helper()
	run(t, dir, "add", "-A")
	run(t, dir, "commit", "-q", "-m", "x")
	return run(t, dir, "rev-parse", "HEAD")
}

func TestFind(t *testing.T) {
	r := repository(t)
	base := run(t, r.Root, "rev-parse", "HEAD")
	if _, err := r.Find(t.Context(), ""); !errors.Is(err, ErrSame) {
		t.Errorf("on main itself: %v", err)
	}
	run(t, r.Root, "checkout", "-q", "-b", "change")
	write(t, r.Root, "README", "two")
	head := commit(t, r.Root)
	run(t, r.Root, "checkout", "-q", "main")
	write(t, r.Root, "other", "three")
	tip := commit(t, r.Root)
	run(t, r.Root, "checkout", "-q", "change")
	for _, name := range []string{"", base, tip, "refs/heads/main"} {
		if got, err := r.Find(t.Context(), name); got != base || err != nil {
			t.Errorf("%q: %s, %v", name, got, err)
		}
	}
	// The merge that GitHub tests a pull request by has the tip as its base.
	run(t, r.Root, "checkout", "-q", "--detach", "main")
	run(t, r.Root, "merge", "-q", "--no-edit", "change")
	if got, err := r.Find(t.Context(), tip); got != tip || err != nil {
		t.Errorf("merge: %s, %v", got, err)
	}
	for _, name := range []string{"main", "--help", "HEAD", "refs/heads/main\n"} {
		if got, err := r.Find(t.Context(), name); err == nil {
			t.Errorf("%q: %s", name, got)
		}
	}
	if _, err := r.Find(t.Context(), strings.Repeat("0", 40)); !errors.Is(err, ErrShallow) {
		t.Errorf("unknown commit: %v", err)
	}
	if _, err := (Repository{Root: t.TempDir()}).Find(t.Context(), ""); err == nil || errors.Is(err, ErrShallow) {
		t.Errorf("no repository: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Find(ctx, tip); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}

	shallow := Repository{Root: filepath.Join(t.TempDir(), "shallow")}
	run(t, t.TempDir(), "clone", "-q", "--depth", "1", "--branch", "change", "file://"+filepath.ToSlash(r.Root), shallow.Root)
	for _, name := range []string{head, tip} {
		if got, err := shallow.Find(t.Context(), name); err == nil {
			t.Errorf("shallow, %s: %s", name, got)
		}
	}
	if _, err := shallow.Find(t.Context(), tip); !errors.Is(err, ErrShallow) || !strings.Contains(err.Error(), "fetch-depth: 0") {
		t.Errorf("shallow: %v", err)
	}
}

func TestExport(t *testing.T) {
	r := repository(t)
	write(t, r.Root, ".gitattributes", "README export-ignore\n*.txt filter=evil\n*.crlf text eol=crlf\n")
	write(t, r.Root, "a.txt", "plain")
	write(t, r.Root, "a.crlf", "a\nb\n")
	write(t, r.Root, "with blank/ä.txt", "umlaut")
	if runtime.GOOS != "windows" {
		for name, target := range map[string]string{"out": "/etc", "up": "../..", "in": "src/run.sh"} {
			if err := os.Symlink(target, filepath.Join(r.Root, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	id := commit(t, r.Root)
	mark := filepath.Join(t.TempDir(), "mark")
	for _, key := range []string{"filter.evil.smudge", "filter.evil.process", "core.fsmonitor", "core.pager", "core.sshCommand", "core.alternateRefsCommand", "uploadpack.packObjectsHook"} {
		run(t, r.Root, "config", key, "touch '"+mark+"'")
	}
	write(t, r.Root, ".git/hooks/post-checkout", "#!/bin/sh\ntouch '"+mark+"'\n")
	if err := os.Chmod(filepath.Join(r.Root, ".git", "hooks", "post-checkout"), 0o755); err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	if err := r.Export(t.Context(), id, to); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"README": "one", "a.txt": "plain", "a.crlf": "a\nb\n", "src/run.sh": "#!/bin/sh\n", "with blank/ä.txt": "umlaut"} {
		if got, err := os.ReadFile(filepath.Join(to, filepath.FromSlash(name))); string(got) != want || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if runtime.GOOS != "windows" {
		if info, err := os.Stat(filepath.Join(to, "src", "run.sh")); err != nil || info.Mode()&0o100 == 0 {
			t.Errorf("run.sh: %v, %v", info, err)
		}
		if target, err := os.Readlink(filepath.Join(to, "up")); target != "../.." || err != nil {
			t.Errorf("link: %s, %v", target, err)
		}
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("git ran what the repository configures")
	}
	if _, err := os.Stat(filepath.Join(to, ".git")); err == nil {
		t.Error("there is a .git")
	}
	if err := r.Export(t.Context(), "HEAD", t.TempDir()); err == nil {
		t.Error("a name was taken for a commit")
	}
}

// TestHostileTrees: what git itself would not check out is not written.
func TestHostileTrees(t *testing.T) {
	r := repository(t)
	blob := feed(t, r.Root, "content", "hash-object", "-w", "--stdin")
	link := feed(t, r.Root, "/tmp", "hash-object", "-w", "--stdin")
	inner := feed(t, r.Root, "100644 blob "+blob+"\tx\n", "mktree")
	for name, tree := range map[string]string{
		"git folder":         "040000 tree " + inner + "\t.git\n",
		"git folder, case":   "040000 tree " + inner + "\t.GIT\n",
		"up":                 "040000 tree " + inner + "\t..\n",
		"through a link":     "120000 blob " + link + "\tdir\n040000 tree " + inner + "\tdir\n",
		"twice":              "100644 blob " + blob + "\tx\n100644 blob " + link + "\tx\n",
		"backslash":          "100644 blob " + blob + "\ta\\b\n",
		"content is missing": "100644 blob " + strings.Repeat("1", 40) + "\tx\n",
	} {
		t.Run(name, func(t *testing.T) {
			id := raw(t, r.Root, tree)
			commit := feed(t, r.Root, "x", "commit-tree", id)
			to := t.TempDir()
			if err := r.Export(t.Context(), commit, to); err == nil {
				t.Error("it was exported")
			}
			entries, err := os.ReadDir(filepath.Dir(to))
			if err != nil || len(entries) != 1 {
				t.Errorf("beside the folder: %v, %v", entries, err)
			}
		})
	}
}

// raw writes a tree as it is, which mktree would refuse or sort.
func raw(t *testing.T, dir, entries string) string {
	t.Helper()
	var b bytes.Buffer
	for line := range strings.Lines(entries) {
		about, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		fields := strings.Fields(about)
		b.WriteString(strings.TrimPrefix(fields[0], "0") + " " + name + "\x00")
		for i := 0; i < len(fields[2]); i += 2 {
			var v byte
			for _, c := range fields[2][i : i+2] {
				v = v<<4 | byte(strings.IndexRune("0123456789abcdef", c))
			}
			b.WriteByte(v)
		}
	}
	return feed(t, dir, b.String(), "hash-object", "-t", "tree", "-w", "--literally", "--stdin")
}
