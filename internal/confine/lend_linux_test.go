package confine

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestLend: a folder that outlives the box can be written by its user, and
// belongs to the owner of the checkout afterwards; files of others that are
// linked into it stay theirs.
func TestLend(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: needs root")
	}
	around := t.TempDir()
	for _, dir := range []string{around, filepath.Dir(around)} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	const checkoutOwner = 4321
	cache := filepath.Join(around, "cache")
	other := filepath.Join(around, "other")
	for _, err := range []error{os.Mkdir(cache, 0o700), os.WriteFile(filepath.Join(cache, "kept"), nil, 0o600), os.WriteFile(other, nil, 0o600), os.Chown(around, checkoutOwner, checkoutOwner)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	b, err := New(t.Context(), Options{User: true})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.Lend(cache, around); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh", "-c", "echo x >kept && mkdir -p a/b && echo y >a/b/new")
	cmd.Dir, cmd.Env = cache, b.Env()
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
	for path, want := range map[string]int{cache: checkoutOwner, filepath.Join(cache, "kept"): checkoutOwner, filepath.Join(cache, "a/b/new"): checkoutOwner, other: 0} {
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if uid, _ := owner(info); uid != want {
			t.Errorf("%s belongs to %d, want %d", path, uid, want)
		}
	}
}
