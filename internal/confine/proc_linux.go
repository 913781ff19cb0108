package confine

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// process is what /proc says of a process.
type process struct {
	pid, parent, user, session int
	state                      byte
	threads                    int
	resident                   int64 // bytes
}

func (p process) ended() bool   { return p.state == 'Z' || p.state == 'X' }
func (p process) stopped() bool { return p.state == 'T' || p.state == 't' }

// processes lists all processes that /proc shows.
func processes() []process {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	list := make([]process, 0, len(names))
	buf := make([]byte, 8<<10)
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			if p, ok := inspect(pid, buf); ok {
				list = append(list, p)
			}
		}
	}
	return list
}

// inspect reads /proc/PID/status. The owner of the folder would not do: it is
// root for a process that forbids to be traced.
func inspect(pid int, buf []byte) (p process, ok bool) {
	fd, err := syscall.Open("/proc/"+strconv.Itoa(pid)+"/status", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return p, false
	}
	n, err := syscall.Read(fd, buf)
	syscall.Close(fd)
	if err != nil || n <= 0 {
		return p, false
	}
	p.pid = pid
	for line := range bytes.Lines(buf[:n]) {
		name, value, found := bytes.Cut(line, []byte(":\t"))
		if !found {
			continue
		}
		switch string(name) {
		case "State":
			p.state = value[0]
		case "PPid":
			p.parent = number(value)
		case "NSsid":
			p.session = number(value)
		case "Uid":
			p.user = number(value) // the real one
		case "Threads":
			p.threads = number(value)
		case "VmRSS":
			p.resident = int64(number(bytes.TrimSpace(value))) << 10
		}
	}
	return p, true
}

// number reads the digits at the start.
func number(text []byte) int {
	n := 0
	for _, c := range text {
		if c < '0' || c > '9' {
			break
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// markOf is the mark that a process bears.
func markOf(pid int) (mark uint64, ok bool) {
	f, err := os.Open("/proc/" + strconv.Itoa(pid) + "/limits")
	if err != nil {
		return 0, false
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if rest, is := strings.CutPrefix(lines.Text(), "Max file locks"); is {
			fields := strings.Fields(rest)
			if len(fields) < 2 {
				return 0, false
			}
			mark, err := strconv.ParseUint(fields[1], 10, 64) // the hard value
			return mark, err == nil
		}
	}
	return 0, false
}

// shared memory counts in each process that has it; the proportional size
// counts it once.
func proportional(pid int) (int64, bool) {
	f, err := os.Open(filepath.Join("/proc", strconv.Itoa(pid), "smaps_rollup"))
	if err != nil {
		return 0, false
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if rest, is := strings.CutPrefix(lines.Text(), "Pss:"); is {
			return int64(number([]byte(strings.TrimSpace(rest)))) << 10, true
		}
	}
	return 0, false
}
