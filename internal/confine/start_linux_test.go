package confine

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// eachUser runs a test with and without a user of the box's own.
func eachUser(t *testing.T, f func(t *testing.T, o Options)) {
	t.Run("our user", func(t *testing.T) { f(t, Options{}) })
	t.Run("its own user", func(t *testing.T) {
		needRoot(t)
		f(t, Options{User: true})
	})
}

// needRoot skips a test that only root can run, but not in CI.
func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() == 0 {
		return
	}
	if os.Getenv("CI") != "" {
		t.Fatal("this test must run as root in CI")
	}
	t.Skip("SKIPPED: only root can run commands as another user")
}

func newBox(t *testing.T, o Options) *Box {
	t.Helper()
	if o.Root == "" {
		o.Root = tree(t, map[string]string{"file": "x", "sub/file": "x"})
	}
	box, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	return box
}

// sh runs a shell script in a box to its end and returns what it wrote.
func sh(t *testing.T, box *Box, script string) string {
	t.Helper()
	// A file, since who inherits a pipe would be waited for.
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd := exec.Command("/bin/sh", "-c", script)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = box.Dir(), box.Env(), out, out
	tree, err := box.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	tree.Kill()
	text, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestStart(t *testing.T) {
	eachUser(t, func(t *testing.T, o Options) {
		secret, err := os.Open("/etc/passwd") // a file that is ours
		if err != nil {
			t.Fatal(err)
		}
		defer secret.Close()
		t.Setenv("SECRET", "canary")
		box := newBox(t, o)
		got := sh(t, box, `id -u; id -G; grep -E 'NoNewPrivs|CapEff|CapBnd|Groups' /proc/self/status; ulimit -Hc; ulimit -Hn; ls /proc/self/fd | wc -l; env; pwd; cat sub/file; echo x >new && echo written; touch "$HOME/a" "$TMPDIR/b" && echo owned`)
		want := []string{"NoNewPrivs:\t1\n", "\n0\n16384\n4\n", "HOME=" + filepath.Dir(box.Dir()) + "/home\n", box.Dir() + "\nxwritten\nowned\n"}
		if o.User {
			want = append(want, "CapEff:\t0000000000000000\n", "Groups:\t \n")
			if strings.HasPrefix(got, "0\n") {
				t.Errorf("it runs as root")
			}
		}
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("no %q in %s", part, got)
			}
		}
		if strings.Contains(got, "canary") {
			t.Errorf("our environment is in %s", got)
		}
	})
}

func TestStartFails(t *testing.T) {
	eachUser(t, func(t *testing.T, o Options) {
		box := newBox(t, o)
		for _, tt := range []struct {
			path, dir string
			is        error
		}{{"/nowhere/program", box.Dir(), os.ErrNotExist}, {filepath.Join(box.Dir(), "file"), box.Dir(), os.ErrPermission}, {"/bin/true", box.Dir() + "/nothing", nil}} {
			cmd := exec.Command(tt.path)
			cmd.Dir = tt.dir
			_, err := box.Start(cmd)
			if err == nil || tt.is != nil && !os.IsNotExist(err) && !os.IsPermission(err) {
				t.Errorf("%s in %s: %v", tt.path, tt.dir, err)
			}
		}
		if left := box.members(nil); len(left) > 0 {
			t.Errorf("%v is left", left)
		}
	})
}

// strays are ways to leave a tree, each of which starts the command sleep.
var strays = map[string]string{
	"in the background":     `sleep 1000 &`,
	"in another session":    `setsid sleep 1000 &`,
	"orphaned twice":        `(setsid sh -c 'sleep 1000 & sleep 1000 &' &) `,
	"without environment":   `env -i setsid sh -c 'sleep 1000 &' `,
	"with lowered limits":   `(ulimit -n 20; setsid nohup sleep 1000 >/dev/null 2>&1 </dev/null &)`,
	"stopped":               `setsid sh -c 'kill -STOP $$' &`,
	"with ignored signals":  `trap '' HUP TERM INT; setsid sleep 1000 &`,
	"ended and not awaited": `setsid sh -c 'true & exec sleep 1000' &`,
}

func TestKill(t *testing.T) {
	eachUser(t, func(t *testing.T, o Options) {
		for name, script := range strays {
			t.Run(name, func(t *testing.T) {
				box := newBox(t, o)
				start := func() (*exec.Cmd, *Tree) {
					cmd := exec.Command("/bin/sh", "-c", script+"\n exec sleep 1000")
					cmd.Dir, cmd.Env = box.Dir(), box.Env()
					tree, err := box.Start(cmd)
					if err != nil {
						t.Fatal(err)
					}
					return cmd, tree
				}
				other, stays := start()
				cmd, tree := start()
				// Until the script has done its work.
				await(t, func() bool { return len(box.members(tree)) > 1 && len(box.members(stays)) > 1 })
				tree.Kill()
				cmd.Wait()
				if left := box.members(tree); len(left) > 0 {
					t.Errorf("%v is left", left)
				}
				if left := slices.DeleteFunc(box.members(stays), process.ended); len(left) < 2 {
					t.Errorf("of the other tree %v is left", left)
				}
				box.end()
				other.Wait()
				if left := box.members(nil); len(left) > 0 {
					t.Errorf("%v is left", left)
				}
			})
		}
	})
}

// await waits for something that is about to happen.
func await(t *testing.T, happened func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !happened(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it did not happen within a minute")
		}
	}
}

func BenchmarkStart(b *testing.B) {
	for name, o := range map[string]*Options{"no box": nil, "our user": {}, "its own user": {User: os.Geteuid() == 0}} {
		b.Run(name, func(b *testing.B) {
			var box *Box
			if o != nil {
				var err error
				if box, err = New(b.Context(), *o); err != nil {
					b.Fatal(err)
				}
				defer box.Close()
			}
			for b.Loop() {
				cmd := exec.Command("/bin/true")
				tree, err := box.Start(cmd)
				if err != nil {
					b.Fatal(err)
				}
				cmd.Wait()
				tree.Kill()
			}
		})
	}
}
