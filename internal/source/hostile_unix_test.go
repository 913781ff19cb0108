//go:build unix

package source

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestLinks: no link leads out of the repository, round in it, or to a second
// place of one file.
func TestLinks(t *testing.T) {
	outside, root := t.TempDir(), t.TempDir()
	write(t, outside, map[string]string{"a.ts": defining, "package.json": `{"name":"outside"}`})
	write(t, root, map[string]string{"src/own.ts": "server.tool(\"own\", \"Own\", {}, own);\n"})
	for name, target := range map[string]string{
		"src/file.ts": filepath.Join(outside, "a.ts"), "src/folder": outside, "package.json": filepath.Join(outside, "package.json"),
		".gitignore": "/etc/passwd", "src/loop": "..", "src/self.ts": "self.ts", "src/twice.ts": "own.ts", "src/up.ts": "../../" + filepath.Base(outside) + "/a.ts",
	} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, o := range []Options{
		{Root: root}, {Root: root, Directory: "src/folder"}, {Root: root, Directory: "../" + filepath.Base(outside)},
		{Root: root, Command: []string{"node", "src/file.ts"}}, {Root: root, Command: []string{"node", filepath.Join(outside, "a.ts")}}, {Root: root, Command: []string{"node", "src/folder/a.ts"}},
	} {
		x := finder(t, o)
		if got := x.at(t, "tool:search"); got != "nowhere" {
			t.Errorf("%+v: search is at %s", o, got)
		}
		if got := x.at(t, "tool:own"); got != "src/own.ts:1" {
			t.Errorf("%+v: own is at %s", o, got)
		}
	}
}

// TestNoFiles: nobody waits for a pipe, and what can't be read or shown is
// left out.
func TestNoFiles(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a.ts": defining, "b\xff.ts": defining, "c\n.ts": defining, "d\x1b[31m/d.ts": defining, "e\u202e.ts": defining})
	for _, name := range []string{"package.json", ".gitignore", "pipe.ts", "go.mod"} {
		if err := syscall.Mkfifo(filepath.Join(root, name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(root, "locked"), 0); err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{{Root: root}, {Root: root, Command: []string{"./pipe.ts"}}, {Root: root, Command: []string{"node", "package.json"}, Directory: "locked"}} {
		if got := finder(t, o).at(t, "tool:search"); got != "a.ts:1" {
			t.Errorf("%+v: search is at %s", o, got)
		}
	}
}
