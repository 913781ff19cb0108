package confine

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestLend: a folder that outlives the box can be written by its user, and
// belongs to the owner of the checkout afterwards; files of others that are
// linked into it stay theirs, and are not to be had through it.
func TestLend(t *testing.T) {
	needRoot(t)
	for name, mode := range map[string]os.FileMode{"it can be entered": 0o755, "it can't be entered": 0o700} {
		t.Run(name, func(t *testing.T) {
			around := t.TempDir()
			for path, mode := range map[string]os.FileMode{around: mode, filepath.Dir(around): 0o755} {
				if err := os.Chmod(path, mode); err != nil {
					t.Fatal(err)
				}
			}
			const checkoutOwner = 4321
			cache, other := filepath.Join(around, "cache"), filepath.Join(around, "other")
			for _, err := range []error{
				os.Mkdir(cache, 0o700), os.WriteFile(filepath.Join(cache, "kept"), nil, 0o600), os.WriteFile(filepath.Join(cache, "same"), []byte("x"), 0o444),
				os.WriteFile(other, []byte("secret"), 0o600), os.Chown(around, checkoutOwner, checkoutOwner),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
			b, err := New(t.Context(), Options{User: true})
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			at, err := b.Lend(cache, around)
			if err != nil || (at == cache) != (mode == 0o755) {
				t.Fatal(at, err)
			}
			cmd := exec.Command("/bin/sh", "-c", "cat same && echo x >kept && mkdir -p a/b && echo y >a/b/new && ln -s b a/link && ln -s "+other+" out && mkfifo pipe")
			cmd.Dir, cmd.Env = at, b.Env()
			tree, err := b.Start(cmd)
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil {
				t.Fatal(err)
			}
			tree.Kill()
			if err := os.Link(other, filepath.Join(cache, "linked")); err != nil {
				t.Fatal(err)
			}
			if err := b.Close(); err != nil {
				t.Fatal(err)
			}
			for path, want := range map[string]int{
				cache: checkoutOwner, filepath.Join(cache, "kept"): checkoutOwner, filepath.Join(cache, "a/b/new"): checkoutOwner, filepath.Join(cache, "a/link"): checkoutOwner,
				other: 0, filepath.Join(cache, "linked"): 0,
			} {
				info, err := os.Lstat(path)
				if err != nil {
					t.Fatal(err)
				}
				// A copy leaves the folder itself to who had it.
				if uid, _ := owner(info); uid != want && (at == cache || path != cache) {
					t.Errorf("%s belongs to %d, want %d", path, uid, want)
				}
			}
			if text, err := os.ReadFile(filepath.Join(cache, "kept")); string(text) != "x\n" || err != nil {
				t.Errorf("kept holds %q, %v", text, err)
			}
			if _, err := os.Lstat(filepath.Join(cache, "out")); at != cache && err == nil {
				t.Error("a link that leads out was copied")
			}
		})
	}
}
