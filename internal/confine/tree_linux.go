package confine

import (
	"os"
	"slices"
	"syscall"
	"time"
)

// killWait bounds how long a kill waits for processes that don't end: those
// that are stuck in the kernel end when that lets go of them.
const killWait = 10 * time.Second

// members are the processes of a tree, or of the whole box where t is nil:
// those of the box's user that bear the mark, and what descends from them.
// Ended ones that wait for their parent are among them.
func (b *Box) members(t *Tree) []process {
	all := processes()
	mine := map[int]bool{}
	user := b.user.id
	if user == 0 {
		user = os.Getuid()
	}
	marks := b.marks()
	for _, p := range all {
		if p.user != user {
			continue
		}
		if t == nil && b.user.id != 0 {
			mine[p.pid] = true
			continue
		}
		mark, ok := markOf(p.pid)
		mine[p.pid] = ok && (t != nil && mark == t.mark || t == nil && marks[mark])
	}
	if b.user.id == 0 {
		descend(all, mine)
	}
	var list []process
	for _, p := range all {
		if mine[p.pid] && p.pid != os.Getpid() {
			list = append(list, p)
		}
	}
	return list
}

// descend adds the descendants of the processes in mine.
func descend(all []process, mine map[int]bool) {
	for grown := true; grown; {
		grown = false
		for _, p := range all {
			if !mine[p.pid] && mine[p.parent] {
				mine[p.pid], grown = true, true
			}
		}
	}
}

// marks are the marks of the trees of the box.
func (b *Box) marks() map[uint64]bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	marks := map[uint64]bool{}
	for t := range b.trees {
		marks[t.mark] = true
	}
	return marks
}

// parting is how long processes may take to notice that the command which
// started them has ended.
const parting = time.Second

const outlived = "A process left the session of the command that started it and outlived that; it was ended."

func (t *Tree) kill() {
	for deadline := time.Now().Add(parting); t.strays(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.box.breach(outlived)
			break
		}
	}
	t.box.killAll(t)
}

// strays reports whether processes of the tree have outlived its command in
// another session, which nobody has noticed yet.
func (t *Tree) strays() bool {
	if slices.Contains(t.box.Breaches(), outlived) {
		return false
	}
	found := false
	for _, p := range t.box.members(t) {
		if p.pid == t.cmd.Process.Pid && !p.ended() {
			return false
		}
		found = found || !p.ended() && p.session != t.cmd.Process.Pid
	}
	return found
}

// killAll ends the processes of a tree, or of the box where t is nil. They are
// stopped first, so that none can start another one while it is not looked at.
func (b *Box) killAll(t *Tree) {
	quiet := 0
	for deadline := time.Now().Add(killWait); time.Now().Before(deadline); {
		alive := false
		for _, p := range b.members(t) {
			switch {
			case p.ended():
				b.reap(p)
				continue
			case !p.stopped():
				syscall.Kill(p.pid, syscall.SIGSTOP)
			}
			alive = true
		}
		if !alive {
			if quiet++; quiet == 2 {
				return
			}
			continue
		}
		quiet = 0
		for _, p := range b.members(t) {
			syscall.Kill(p.pid, syscall.SIGKILL)
		}
		time.Sleep(time.Millisecond)
	}
	b.breach("A process did not end when it was killed.")
}

// reap takes the exit status of a process that came to us when its parent
// ended. Those that we started ourselves are waited for by who did.
func (b *Box) reap(p process) {
	b.mu.Lock()
	started := b.started[p.pid]
	b.mu.Unlock()
	if p.parent == os.Getpid() && !started {
		syscall.Wait4(p.pid, nil, syscall.WNOHANG, nil)
	}
}

// end ends all that runs in the box.
func (b *Box) end() {
	b.killAll(nil)
	b.mu.Lock()
	clear(b.trees)
	b.mu.Unlock()
	b.watched.Wait()
}
