package confine

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestLimits(t *testing.T) {
	eachUser(t, func(t *testing.T, o Options) {
		for _, tt := range []struct {
			name, script string
			limit        func(*Options)
			want         string
		}{
			{"memory", `tail /dev/zero`, func(o *Options) { o.Memory = 128 << 20 }, "It took more than the 128 MiB of memory that it may have, and was ended."},
			{"memory of many", `for i in 1 2 3 4; do setsid sh -c 'x=$(head -c 50M /dev/zero | tr "\\0" x); sleep 1000' & done; sleep 1000`, func(o *Options) { o.Memory = 128 << 20 }, "It took more than the 128 MiB of memory that it may have, and was ended."},
			{"disk", `i=0; while i=$((i+1)); do head -c 1M /dev/zero >"$TMPDIR/$i" || exit; done`, func(o *Options) { o.Output = 32 << 20 }, "It wrote more than the 32 MiB that it may, and was ended."},
			{"disk without a name", `exec 3>"$TMPDIR/x"; rm "$TMPDIR/x"; head -c 31M /dev/zero >&3; exec 4>y; rm y; head -c 31M /dev/zero >&4; sleep 1000`, func(o *Options) { o.Output = 32 << 20 }, "It wrote more than the 32 MiB that it may, and was ended."},
			{"processes", `f() { sleep 1000 & f & f & wait; }; f`, func(o *Options) { o.Processes = 150 }, "It started 150 processes and threads, which is as many as it may, and was ended."},
		} {
			t.Run(tt.name, func(t *testing.T) {
				o := o
				tt.limit(&o)
				if tt.name == "processes" && !o.User {
					t.Skip("SKIPPED: without a user of its own nothing stops a fork bomb in time")
				}
				box := newBox(t, o)
				sh(t, box, tt.script)
				if got := box.Breaches(); !slices.Contains(got, tt.want) {
					t.Errorf("breaches are %q", got)
				}
				if left := slices.DeleteFunc(box.members(nil), process.ended); len(left) > 0 {
					t.Errorf("%v is left", left)
				}
				if i := box.Isolation(); !slices.Equal(i.Breaches, box.Breaches()) {
					t.Errorf("the isolation says %q", i.Breaches)
				}
			})
		}
	})
}

// A server that keeps to its limits is left alone.
func TestWithinLimits(t *testing.T) {
	eachUser(t, func(t *testing.T, o Options) {
		o.Memory, o.Output, o.Processes = 128<<20, 32<<20, 150
		box := newBox(t, o)
		got := sh(t, box, `head -c 20M /dev/zero >a; for i in 1 2 3 4 5; do sleep 0.2 & done; head -c 20M /dev/zero | tail | wc -c; wait; echo done`)
		if !strings.HasSuffix(got, "done\n") || len(box.Breaches()) > 0 {
			t.Errorf("%q, breaches %q", got, box.Breaches())
		}
	})
}

// What a box's user leaves in the folders of all is gone with the box.
func TestSweep(t *testing.T) {
	needRoot(t)
	box, err := New(t.Context(), Options{User: true, Root: tree(t, nil)})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join("/tmp", "sealmark-test-"+filepath.Base(box.base))
	sh(t, box, "mkdir -p "+name+"/a && chmod 0 "+name)
	if _, err := os.Stat(name); err != nil {
		t.Fatal(err)
	}
	if err := box.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(name); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", name, err)
	}
}

// A box's user can reach neither what is ours nor another box.
func TestBoxesAreApart(t *testing.T) {
	needRoot(t)
	one, other := newBox(t, Options{User: true}), newBox(t, Options{User: true})
	if one.user.id == other.user.id {
		t.Fatal("two boxes have one user")
	}
	private := filepath.Join(t.TempDir(), "private")
	if err := os.WriteFile(private, []byte("canary"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sleep", "1000")
	tree, err := other.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	got := sh(t, one, "ls "+other.Dir()+"; cat "+other.Dir()+"/file; cat "+private+"; mv "+one.Dir()+" "+one.base+"/x; kill -0 "+strconv.Itoa(cmd.Process.Pid)+"; cat /proc/"+strconv.Itoa(cmd.Process.Pid)+"/environ")
	if n := strings.Count(got, "ermi"); n != 6 || strings.Contains(got, "canary") {
		t.Errorf("%d of 6 were refused: %s", n, got)
	}
	tree.Kill()
	cmd.Wait()
}
