package wire

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sealmark/action/internal/confine"
)

// strays leaves processes behind that left the group and the session, one of
// them without its environment, and then serves as cat does.
const strays = `
setsid sh -c 'echo $$ >one; exec sleep 1000' &
(env -i PATH="$PATH" setsid sh -c 'sh -c "echo \$\$ >two; exec sleep 1000" & exit' &)
trap '' HUP
while ! [ -s one ] || ! [ -s two ]; do sleep 0.01; done
echo '{"jsonrpc":"2.0","id":1,"result":{}}'
exec cat
`

func TestBoxLeavesNothingBehind(t *testing.T) {
	for name, end := range map[string]func(Conn){
		"close": func(c Conn) { c.Close(context.Background()) },
		"kill":  Conn.Kill,
	} {
		for user, o := range map[string]*confine.Options{"no box": nil, "our user": {}, "its own user": {User: true}} {
			t.Run(name+" "+user, func(t *testing.T) {
				dir := t.TempDir()
				command := Command{Args: []string{"/bin/sh", "-c", strays}, Dir: dir, Env: []string{"PATH=" + os.Getenv("PATH")}}
				if o != nil {
					if o.User && os.Geteuid() != 0 {
						if os.Getenv("CI") != "" {
							t.Fatal("this test must run as root in CI")
						}
						t.Skip("SKIPPED: only root can run commands as another user")
					}
					o := *o
					o.Root = dir
					box, err := confine.New(t.Context(), o)
					if err != nil {
						t.Fatal(err)
					}
					defer box.Close()
					command.Box, command.Dir, command.Env = box, box.Dir(), box.Env()
				}
				frames := make(chan Frame, 1)
				c, err := StartStdio(command, Limits{}, Handler{Frame: func(f Frame) { frames <- f }})
				if err != nil {
					t.Fatal(err)
				}
				select {
				case <-frames:
				case <-time.After(time.Minute):
					t.Fatal("the server says nothing")
				}
				end(c)
				for _, file := range []string{"one", "two"} {
					text, err := os.ReadFile(filepath.Join(command.Dir, file))
					if err != nil {
						t.Fatal(err)
					}
					pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
					if err != nil {
						t.Fatal(err)
					}
					alive := syscall.Kill(pid, 0) == nil
					if o != nil && alive {
						t.Errorf("process %s is still there", file)
					}
					if o == nil {
						if !alive {
							t.Errorf("process %s ended without a box, so this shows nothing", file)
						}
						syscall.Kill(pid, syscall.SIGKILL)
					}
				}
				if command.Box != nil && name == "close" && len(command.Box.Breaches()) != 1 {
					t.Errorf("breaches are %q", command.Box.Breaches())
				}
			})
		}
	}
}
