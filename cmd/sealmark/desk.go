package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/spf13/cobra"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/suite"
)

// deskWarning is what is not kept from a server without a container.
const deskWarning = "There is no container here: the build and the server run with your rights, and can read what you can."

// pipeline is the one at the desk: a server whose command is given runs where
// it lies.
func (f *runFlags) pipeline(cmd *cobra.Command) *pipeline {
	return &pipeline{root: repositoryRoot(), proposed: os.Getenv("GITHUB_BASE_REF") != "", caches: deskCaches(f.cache), console: &terminal{flags: f, cmd: cmd}}
}

// terminal shows on standard error what a pipeline does.
type terminal struct {
	flags *runFlags
	cmd   *cobra.Command
	warn  sync.Once
}

func (t *terminal) starting() {
	t.warn.Do(func() { fmt.Fprintln(t.cmd.ErrOrStderr(), "sealmark:", deskWarning) })
}

func (t *terminal) building(title string) (io.Writer, func()) {
	if !t.flags.outputs.quiet {
		fmt.Fprintln(t.cmd.ErrOrStderr(), title)
	}
	return io.Discard, func() {}
}

func (t *terminal) testing() (suite.Progress, func()) {
	progress := t.flags.outputs.progress(t.cmd)
	return progress, progress.Done
}

// keepLog writes the log of a build where the next one of the server replaces
// it, and says where that is if the build failed.
func keepLog(out io.Writer, t tested) {
	cache, err := os.UserCacheDir()
	if t.Log == nil || err != nil {
		return
	}
	path := filepath.Join(cache, "sealmark", "build"+suffixes([]tested{t, {}})[0]+".log")
	if os.MkdirAll(filepath.Dir(path), 0o755) != nil || save(nil, path, t.Log) != nil {
		return
	}
	t.Result.Volatile.BuildLog = path
	if t.Result.Status == result.NotAssessed {
		fmt.Fprintf(out, "sealmark: the log of the build is in %s\n", path)
	}
}
