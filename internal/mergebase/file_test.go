package mergebase

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestAt(t *testing.T) {
	r := repository(t)
	write(t, r.Root, "kept/a[b].json", "content")
	write(t, r.Root, "kept/other.json", "other")
	links := runtime.GOOS != "windows"
	if links {
		for name, target := range map[string]string{"link.json": "kept/other.json", "way": "kept"} {
			if err := os.Symlink(target, filepath.Join(r.Root, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	id := commit(t, r.Root)
	sub := feed(t, r.Root, "160000 commit "+id+"\tsub\n", "mktree")
	withSub := feed(t, r.Root, "x", "commit-tree", sub)
	for _, tt := range []struct {
		commit, path string
		there, file  bool
		link         bool
	}{
		{id, "kept/other.json", true, true, false}, {"HEAD", "README", true, true, false}, {id, "kept/a[b].json", true, true, false},
		{id, "kept", true, false, false}, {id, "none", false, false, false}, {id, "kept/none/x", false, false, false}, {id, "README/x", false, false, false},
		{id, "kept/*.json", false, false, false}, {id, ":(top)README", false, false, false}, {id, "--help", false, false, false},
		{id, "link.json", true, false, true}, {id, "way/other.json", true, false, true}, {withSub, "sub/x.json", true, false, false},
	} {
		if tt.link && !links {
			continue
		}
		e, err := r.At(t.Context(), tt.commit, tt.path)
		if err != nil || (e.ID != "") != tt.there || e.File != tt.file {
			t.Errorf("%s: %+v, %v", tt.path, e, err)
		}
	}
	if _, err := r.At(t.Context(), "main", "README"); err == nil {
		t.Error("a name was taken for a commit")
	}
	if _, err := (Repository{Root: t.TempDir()}).At(t.Context(), "HEAD", "README"); err == nil {
		t.Error("there is no repository")
	}
}

func TestRead(t *testing.T) {
	r := repository(t)
	e, err := r.At(t.Context(), "HEAD", "README")
	if err != nil {
		t.Fatal(err)
	}
	if data, err := r.Read(t.Context(), e, 3); err != nil || string(data) != "one" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := r.Read(t.Context(), e, 2); err == nil || !strings.Contains(err.Error(), "over 2") {
		t.Errorf("too large: %v", err)
	}
	if _, err := r.Read(t.Context(), Entry{ID: e.ID}, 9); err == nil {
		t.Error("what is no file was read")
	}
	if _, err := r.Read(t.Context(), Entry{ID: strings.Repeat("1", 40), File: true}, 9); err != ErrShallow {
		t.Errorf("missing: %v", err)
	}
}
