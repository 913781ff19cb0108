package mergebase

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// Bounds of an export.
const (
	maxFiles = 200_000
	maxBytes = 2 << 30
)

// entry is a file of a commit.
type entry struct{ mode, id, path string }

// The modes of git's tree entries that have content of their own.
const (
	executable = "100755"
	symlink    = "120000"
	submodule  = "160000"
)

// Export writes the files of a commit below a folder that exists and is empty.
// The content is as it is in the commit: no filter is run, so that files in
// large-file storage are their pointers. Submodules are left out. Nothing is
// written outside of the folder, whatever the commit holds.
func (r Repository) Export(ctx context.Context, commit, folder string) error {
	if !objectID.MatchString(commit) {
		return fmt.Errorf("%.100q is no commit", commit)
	}
	entries, err := r.list(ctx, commit)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	// What is read is ended with the function.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := r.git(ctx, "cat-file", "--batch")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("git cat-file: %w", err)
	}
	w := writer{root: root, in: in, out: bufio.NewReaderSize(out, 1<<16), room: maxBytes}
	err = w.write(ctx, entries)
	in.Close()
	cancel()
	cmd.Wait() // it was told to end
	return err
}

// list lists the files of a commit, those that are no files left out.
func (r Repository) list(ctx context.Context, commit string) ([]entry, error) {
	cmd := r.git(ctx, "ls-tree", "-r", "-z", "--full-tree", commit)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("git ls-tree: %w", err)
	}
	var list []entry
	scanner := bufio.NewScanner(out)
	scanner.Split(splitNUL)
	for scanner.Scan() {
		about, name, ok := strings.Cut(scanner.Text(), "\t")
		fields := strings.Fields(about)
		if !ok || len(fields) != 3 || fields[0] == submodule {
			continue
		}
		if list = append(list, entry{fields[0], fields[2], name}); len(list) > maxFiles {
			err = fmt.Errorf("the base has more than %d files", maxFiles)
			break
		}
	}
	io.Copy(io.Discard, out)
	waited := cmd.Wait()
	switch {
	case err != nil:
		return nil, err
	case scanner.Err() != nil:
		return nil, scanner.Err()
	case waited != nil:
		return nil, fmt.Errorf("git ls-tree: %w", waited)
	}
	return list, nil
}

func splitNUL(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// writer writes the files of a commit. room is how many bytes it may still
// write.
type writer struct {
	root *os.Root
	in   io.Writer
	out  *bufio.Reader
	room int64
}

// write writes files first and links last, so that no file is written through
// a link.
func (w *writer) write(ctx context.Context, entries []entry) error {
	for _, links := range []bool{false, true} {
		for _, e := range entries {
			if (e.mode == symlink) != links {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := w.one(e); err != nil {
				return fmt.Errorf("write %.200q of the base: %w", e.path, err)
			}
		}
	}
	return nil
}

func (w *writer) one(e entry) error {
	if !filepath.IsLocal(filepath.FromSlash(e.path)) || strings.Contains(e.path, "\\") || hasGit(e.path) {
		return errors.New("its path leads out of the folder or into .git")
	}
	content, size, err := w.content(e.id)
	if err != nil {
		return err
	}
	if dir := path.Dir(e.path); dir != "." {
		if err := w.root.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	if e.mode == symlink {
		return w.link(e, content, size)
	}
	mode := os.FileMode(0o644)
	if e.mode == executable {
		mode = 0o755
	}
	f, err := w.root.OpenFile(e.path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	return errors.Join(err, f.Close(), w.end())
}

func (w *writer) link(e entry, content io.Reader, size int64) error {
	const most = 4096
	if size > most {
		return errors.New("the target of the link is too long")
	}
	target, err := io.ReadAll(content)
	if err != nil {
		return err
	}
	return errors.Join(w.root.Symlink(string(target), e.path), w.end())
}

// hasGit reports whether a path leads through a folder of git's own.
func hasGit(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if strings.EqualFold(strings.TrimRight(part, ". "), ".git") || strings.EqualFold(part, "git~1") {
			return true
		}
	}
	return false
}

// content asks for an object and returns its bytes, which must be read to
// their end.
func (w *writer) content(id string) (content io.Reader, size int64, err error) {
	if !objectID.MatchString(id) {
		return nil, 0, fmt.Errorf("git names the object %.100q", id)
	}
	if _, err := io.WriteString(w.in, id+"\n"); err != nil {
		return nil, 0, err
	}
	header, err := w.out.ReadString('\n')
	if err != nil {
		return nil, 0, err
	}
	fields := strings.Fields(header)
	if len(fields) != 3 || fields[1] != "blob" {
		return nil, 0, fmt.Errorf("git says %.100q: %w", strings.TrimSpace(header), ErrShallow)
	}
	size, err = strconv.ParseInt(fields[2], 10, 64)
	if err != nil {
		return nil, 0, err
	}
	if w.room -= size; w.room < 0 {
		return nil, 0, fmt.Errorf("the base is over %d GiB", maxBytes>>30)
	}
	return io.LimitReader(w.out, size), size, nil
}

// end reads the line end after an object.
func (w *writer) end() error {
	_, err := w.out.ReadByte()
	return err
}
