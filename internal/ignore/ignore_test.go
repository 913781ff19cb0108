package ignore_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sealmark/action/internal/ignore"
)

// The files of a checkout; those that end in .gitignore have rules.
var files = map[string]string{
	".gitignore": "# made\n*.log\n/top\nbuild/\n!keep.log\n\\#literal\n\\!mark\nspace\\ \ntrail   \n" +
		"docs/*.txt\n**/deep/x\nany/**\n!any/back\nmid/**/end\n[ab].c\n[!ab].h\nq?.c\n{a,b}.ts\n/nested/secret\n*.tmp\n",
	"nested/.gitignore":   "!*.log\n/only\nother/\n*.md\n",
	"nested/b/.gitignore": "!*.md\n!*.tmp\n",
	"a.log":               "", "keep.log": "", "top": "", "sub/top": "", "build/x": "", "sub/build/y": "", "buildx": "",
	"#literal": "", "!mark": "", "space ": "", "trail": "", "docs/a.txt": "", "docs/b/a.txt": "", "deep/x": "", "z/deep/x": "", "z/deep/y": "",
	"any/one": "", "any/back": "", "any/in/two": "", "mid/end": "", "mid/1/2/end": "", "mid/1/2/other": "", "a.c": "", "c.c": "", "a.h": "", "c.h": "",
	"q1.c": "", "q12.c": "", "a.ts": "", "{a,b}.ts": "", "nested/secret": "", "nested/a.log": "", "nested/only": "", "nested/b/only": "",
	"nested/other/f": "", "nested/a.md": "", "nested/b/a.md": "", "nested/b/a.tmp": "", "sub/build": "",
}

// Git itself is held against what is read here.
func TestLikeGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("CI must have git")
		}
		t.Skip("SKIPPED: there is no git to compare with")
	}
	root := t.TempDir()
	for name, text := range files {
		if name == "sub/build" || name == "{a,b}.ts" && filepath.Separator == '\\' {
			continue
		}
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) string {
		cmd := exec.Command(git, append([]string{"-c", "core.excludesFile=/dev/null", "-c", "core.quotePath=false"}, args...)...)
		cmd.Dir = root
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return string(out)
	}
	run("init", "-q")
	want := strings.Split(strings.Trim(run("ls-files", "-z", "--cached", "--others", "--exclude-standard"), "\x00"), "\x00")
	got := walk(t, os.DirFS(root), ".", nil)
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("git sees (-), sealmark sees (+):\n%s", diff)
	}
}

func walk(t *testing.T, fsys fs.FS, dir string, rules *ignore.Rules) []string {
	t.Helper()
	name := dir
	if dir == "." {
		name = ""
	}
	if data, err := fs.ReadFile(fsys, path.Join(dir, ".gitignore")); err == nil {
		rules = rules.In(name, data)
	}
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		at := path.Join(name, e.Name())
		switch {
		case e.Name() == ".git" || rules.Match(at, e.IsDir()):
		case e.IsDir():
			list = append(list, walk(t, fsys, at, rules)...)
		default:
			list = append(list, at)
		}
	}
	return list
}

func FuzzRules(f *testing.F) {
	for _, text := range files {
		f.Add([]byte(text), "nested/b/a.md")
	}
	f.Add([]byte("[\n**a**/***/b\n!\n/\n\\\n"), "a/b")
	f.Fuzz(func(t *testing.T, file []byte, name string) {
		rules := (*ignore.Rules)(nil).In("", file)
		inner := rules.In("nested", bytes.ToUpper(file))
		inner.Match(name, false)
		inner.Match(name, true)
	})
}
