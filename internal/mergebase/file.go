package mergebase

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Entry is what a commit holds at a path, the zero Entry for nothing.
type Entry struct {
	// ID is the object that is there, or the link or submodule that the path
	// leads through.
	ID string
	// File: it is a plain file.
	File bool
}

// At returns what a commit, or HEAD, holds at a path relative to the root.
func (r Repository) At(ctx context.Context, commit, path string) (Entry, error) {
	if commit != "HEAD" && !objectID.MatchString(commit) {
		return Entry{}, fmt.Errorf("%.100q is no commit", commit)
	}
	args := []string{"--literal-pathspecs", "ls-tree", "-z", "--full-tree", commit, "--"}
	for i, c := range path {
		if c == '/' {
			args = append(args, path[:i])
		}
	}
	cmd := r.git(ctx, append(args, path)...)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return Entry{}, fmt.Errorf("git ls-tree: %w: %.200q", err, strings.TrimSpace(complaint.String()))
	}
	for item := range strings.SplitSeq(string(out), "\x00") {
		about, name, _ := strings.Cut(item, "\t")
		fields := strings.Fields(about)
		switch {
		case len(fields) != 3:
		case fields[0] == symlink, fields[0] == submodule:
			return Entry{ID: fields[2]}, nil
		case name == path:
			return Entry{ID: fields[2], File: fields[1] == "blob"}, nil
		}
	}
	return Entry{}, nil
}

// Read returns the content of a file, of no more than most bytes. No filter is
// run. Its error is ErrShallow where the file is not in the checkout's history.
func (r Repository) Read(ctx context.Context, e Entry, most int64) ([]byte, error) {
	if !e.File {
		return nil, errors.New("it is no plain file")
	}
	size, err := r.line(ctx, "cat-file", "-s", e.ID)
	if err != nil {
		return nil, ErrShallow
	}
	if n, err := strconv.ParseInt(size, 10, 64); err != nil || n > most {
		return nil, fmt.Errorf("it has %.20s bytes, over %d", size, most)
	}
	cmd := r.git(ctx, "cat-file", "blob", e.ID)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("git cat-file: %w", err)
	}
	data, err := io.ReadAll(io.LimitReader(out, most))
	if waited := cmd.Wait(); err == nil && waited != nil {
		err = fmt.Errorf("git cat-file: %w", waited)
	}
	return data, err
}
