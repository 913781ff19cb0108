package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/session"
	"github.com/sealmark/action/internal/suite"
)

func newSnapshot() *cobra.Command {
	var f runFlags
	output := "-"
	cmd := &cobra.Command{
		Use:   "snapshot [flags] [-- COMMAND [ARG...]]",
		Short: "Record what a server says of itself",
		Long: `Snapshot launches an MCP server (or connects to one by URL), reads its initialize
result and its listings, and writes them as JSON. It calls no tool. Secrets and
planted values are taken out. Without a command and a URL it finds out, builds
and launches the repository's server as sealmark run does.

sealmark run --snapshot FILE applies the passive checks to it, later and without
the server.`,
		Example: `  sealmark snapshot --output snapshot.json -- node dist/index.js --stdio
  sealmark run --snapshot snapshot.json`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.config(cmd.Flags(), args)
			if err != nil {
				return usage(err)
			}
			if err := writable(output); err != nil {
				return usage(err)
			}
			document, err := f.record(cmd, c)
			if err != nil {
				return err
			}
			if err := save(cmd.OutOrStdout(), output, document); err != nil {
				return ownFault(err)
			}
			return nil
		},
	}
	flags := cmd.Flags()
	f.addServer(flags)
	flags.StringVar(&output, "output", output, "write the snapshot to `file`, - for standard output")
	for _, key := range config.Keys {
		if strings.HasPrefix(key.Name, "timeout_") {
			flags.Var(&setting{key: key}, strings.TrimPrefix(key.Flag, "--"), flagUsage(key))
		}
	}
	return cmd
}

// record records a snapshot of the server that is meant.
func (f *runFlags) record(cmd *cobra.Command, c *config.Config) ([]byte, error) {
	var document []byte
	err := f.started(cmd, c, func(ctx context.Context, run suite.Run) error {
		var err error
		document, err = suite.Record(ctx, run)
		return err
	})
	return document, err
}

// started builds the one server that is meant, and does something with it by
// the first way to launch it that works.
func (f *runFlags) started(cmd *cobra.Command, c *config.Config, do func(context.Context, suite.Run) error) error {
	p := f.pipeline(cmd)
	jobs, err := plan([]*config.Config{c}, p.root)
	if err != nil {
		return err
	}
	if len(jobs) > 1 {
		return usage(errors.New("several servers are meant: pick one with --server"))
	}
	j := jobs[0]
	r, err := p.ready(cmd.Context(), j)
	if err != nil {
		return err
	}
	defer r.end()
	if u := r.run.Unready; u != nil {
		return &exitError{exitNotAssessed, fmt.Errorf("%s. %s", strings.TrimSuffix(u.Text, "."), u.Next)}
	}
	var first error
	for _, l := range r.launches {
		err := do(cmd.Context(), launched(r.run, j, l))
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return &exitError{exitNotAssessed, first}
}

// readSnapshot reads a snapshot that was recorded to a file.
func readSnapshot(path string) (*session.Snapshot, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("--snapshot %s: the file does not exist", path)
	case err != nil:
		return nil, fmt.Errorf("--snapshot: %w", err)
	case info.IsDir():
		return nil, fmt.Errorf("--snapshot %s: it is a folder", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--snapshot: %w", err)
	}
	defer file.Close()
	snap, err := session.ReadRecording(file)
	if err != nil {
		return nil, fmt.Errorf("--snapshot %s: %w", path, err)
	}
	return snap, nil
}
