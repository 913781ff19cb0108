package confine

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"

	"github.com/sealmark/action/internal/result"
)

type Options struct {
	Root             string
	User             bool
	Offline          bool
	Memory           int64
	Processes, Files int
	Output           int64
	Keep             []string
}
type Box struct {
	o   Options
	dir string
}
type Tree struct{ cmd *exec.Cmd }
type Process struct{ PID int }

func New(ctx context.Context, o Options) (*Box, error) {
	b := &Box{o: o}
	if o.Root != "" {
		dir, err := os.MkdirTemp("", "sealmark-box-")
		if err != nil {
			return nil, err
		}
		if out, err := exec.Command("cp", "-a", o.Root+"/.", dir).CombinedOutput(); err != nil {
			return nil, errors.New(string(out))
		}
		b.dir = dir
	}
	return b, nil
}
func (b *Box) Dir() string   { return b.dir }
func (b *Box) Env() []string { return []string{"HOME=/root", "PATH=" + os.Getenv("PATH")} }
func (b *Box) Start(cmd *exec.Cmd) (*Tree, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return &Tree{cmd}, cmd.Start()
}
func (t *Tree) Kill()                      { syscall.Kill(-t.cmd.Process.Pid, 9) }
func (t *Tree) Processes() []Process       { return nil }
func (b *Box) Isolation() result.Isolation { return result.Isolation{Copy: b.dir != "", Network: "on"} }
func (b *Box) Breaches() []string          { return nil }
func (b *Box) Close() error                { return os.RemoveAll(b.dir) }
