package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/sealmark/action/internal/target"
)

// newFile is a file that init writes.
type newFile struct {
	// name is its path, with forward slashes.
	name, text string
	// others are files that take its place.
	others []string
}

func newInit() *cobra.Command {
	var dry bool
	var server string
	cmd := &cobra.Command{
		Use:   "init [flags] [DIR]",
		Short: "Write sealmark.yml and a workflow for a repository",
		Long: `Init looks at a repository (the current folder unless DIR is given) as detect
does, and writes two files for the best server that it finds: sealmark.yml, with
how the server is built and launched, and .github/workflows/sealmark.yml, which
tests it on each push and pull request. Both say in comments what can be changed.

A file that exists already is left as it is, and named.`,
		Example: `  sealmark init --dry-run
  sealmark init path/to/checkout`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, d, err := detect(args)
			if err != nil {
				return usage(err)
			}
			if len(d.Plans) == 0 {
				return &exitError{exitNotAssessed, errors.New(d.None)}
			}
			plan, err := pick(d.Plans, server)
			if err != nil {
				return usage(err)
			}
			files := initFiles(dir, plan, d.Plans)
			if dry {
				return printFiles(cmd.OutOrStdout(), files)
			}
			return writeFiles(cmd.OutOrStdout(), dir, files)
		},
	}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "print the files in place of writing them")
	cmd.Flags().StringVar(&server, "server", "", "write them for the server of this `name`, as detect calls it")
	return cmd
}

// pick is the plan of a name, the best one for "".
func pick(plans []target.Plan, name string) (target.Plan, error) {
	var names []string
	for _, p := range plans {
		if name == "" || p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return target.Plan{}, fmt.Errorf("there is no server %q: detect finds %q", name, names)
}

func printFiles(out io.Writer, files []newFile) error {
	for i, f := range files {
		if i > 0 {
			fmt.Fprintln(out)
		}
		if _, err := fmt.Fprintf(out, "# %s\n%s", f.name, f.text); err != nil {
			return ownFault(err)
		}
	}
	return nil
}

// writeFiles writes what is not there yet, and nothing outside the folder.
func writeFiles(out io.Writer, dir string, files []newFile) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return ownFault(err)
	}
	defer root.Close()
	for _, f := range files {
		left, err := writeNew(root, f)
		switch {
		case err != nil:
			return ownFault(fmt.Errorf("%s can't be written: %w", f.name, err))
		case left != "":
			fmt.Fprintf(out, "left    %s, which exists already\n", left)
		default:
			fmt.Fprintf(out, "wrote   %s\n", f.name)
		}
	}
	return nil
}

// writeNew writes a file. If it or another one in its place exists, that one's
// name is returned.
func writeNew(root *os.Root, f newFile) (left string, err error) {
	for _, other := range f.others {
		if _, err := root.Lstat(filepath.FromSlash(other)); err == nil {
			return other, nil
		}
	}
	name := filepath.FromSlash(f.name)
	if folder := path.Dir(f.name); folder != "." {
		if err := root.MkdirAll(filepath.FromSlash(folder), 0o755); err != nil {
			return "", err
		}
	}
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return f.name, nil
	}
	if err != nil {
		return "", err
	}
	_, err = io.WriteString(file, f.text)
	return "", errors.Join(err, file.Close())
}
