package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/session"
	"github.com/sealmark/action/internal/suite"
	"github.com/sealmark/action/internal/version"
)

func newSnapshot() *cobra.Command {
	var f runFlags
	output := "-"
	cmd := &cobra.Command{
		Use:   "snapshot [flags] -- COMMAND [ARG...]",
		Short: "Record what a server says of itself",
		Long: `Snapshot launches an MCP server (or connects to one by URL), reads its initialize
result and its listings, and writes them as JSON. It calls no tool. Secrets and
planted values are taken out.

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
			document, err := suite.Record(cmd.Context(), c, version.String())
			if err != nil {
				return &exitError{exitNotAssessed, err}
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
