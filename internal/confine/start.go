package confine

import "os/exec"

// Tree is a process that was started and all that descend from it.
type Tree struct {
	cmd  *exec.Cmd
	box  *Box
	mark uint64 // that all of it bear, see mark
}

// Start starts a command in the box, offline if the box is. The caller waits
// for it, and kills the tree afterwards. The command's environment is the
// whole one. A nil box only gives the command a process group of its own.
func (b *Box) Start(cmd *exec.Cmd) (*Tree, error) { return b.start(cmd, b != nil && b.offline) }

// StartOnline is Start with the network, for builds.
func (b *Box) StartOnline(cmd *exec.Cmd) (*Tree, error) { return b.start(cmd, false) }

// StartServing is StartOnline for a server that is reached over the network,
// after which the box does not count as offline.
func (b *Box) StartServing(cmd *exec.Cmd) (*Tree, error) {
	if b != nil {
		b.mu.Lock()
		b.offline = false
		b.mu.Unlock()
	}
	return b.start(cmd, false)
}

func (b *Box) start(cmd *exec.Cmd, offline bool) (*Tree, error) {
	if cmd.Env == nil {
		cmd.Env = []string{} // nil would mean ours, with its secrets
	}
	t := &Tree{cmd: cmd, box: b}
	if b == nil {
		own(cmd)
		return t, cmd.Start()
	}
	t.mark = newMark()
	b.mu.Lock()
	b.trees[t] = true
	b.mu.Unlock()
	if err := t.launch(offline); err != nil {
		b.forget(t)
		return nil, err
	}
	b.watch()
	return t, nil
}

func (b *Box) forget(t *Tree) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.trees, t)
}

// Terminate asks the process group of the command to end.
func (t *Tree) Terminate() { terminateGroup(t.cmd) }

// Kill ends every process of the tree, also those that left its group and
// session, and waits until none is left. The command itself is waited for by
// who started it.
func (t *Tree) Kill() {
	if t.box == nil {
		killGroup(t.cmd)
		return
	}
	t.kill()
	t.box.forget(t)
}
