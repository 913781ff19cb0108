package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/sealmark/action/internal/report"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/suite"
	"github.com/sealmark/action/sarif"
)

// outputs are the files and streams that a run writes.
type outputs struct {
	json, sarif, markdown string
	quiet                 bool
}

func (o *outputs) add(flags *pflag.FlagSet) {
	flags.StringVar(&o.json, "json", "", "write the result as JSON to `file`, - for standard output")
	flags.StringVar(&o.sarif, "sarif", "", "write the findings as SARIF 2.1.0 to `file`, - for standard output")
	flags.StringVar(&o.markdown, "markdown", "", "write the report as Markdown to `file`, - for standard output")
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "show no progress")
}

// check refuses what can't be written before anything is run.
func (o *outputs) check() error {
	stdout := 0
	for _, path := range []string{o.json, o.sarif, o.markdown} {
		switch {
		case path == "-":
			stdout++
		case path != "":
			if err := writable(path); err != nil {
				return err
			}
		}
	}
	if stdout > 1 {
		return fmt.Errorf("only one of --json, --sarif and --markdown can go to standard output")
	}
	return nil
}

// toStdout reports whether a machine form goes to standard output.
func (o *outputs) toStdout() bool { return o.json == "-" || o.sarif == "-" || o.markdown == "-" }

// named are the outputs of one of several servers: the suffix stands before the
// extension of each file.
func (o outputs) named(suffix string) *outputs {
	for _, path := range []*string{&o.json, &o.sarif, &o.markdown} {
		if *path != "" && *path != "-" {
			ext := filepath.Ext(*path)
			*path = strings.TrimSuffix(*path, ext) + suffix + ext
		}
	}
	return &o
}

// writable refuses a path that no file can be written to; - is none.
func writable(path string) error {
	if path == "-" {
		return nil
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return fmt.Errorf("can't write %s: its folder does not exist", path)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("can't write %s: it is a folder", path)
	}
	return nil
}

// progress shows on standard error what is being done.
func (o *outputs) progress(cmd *cobra.Command) *report.Progress {
	w := cmd.ErrOrStderr()
	if o.quiet {
		w = io.Discard
	}
	return report.NewProgress(w, isTerminal(w) && os.Getenv("GITHUB_ACTIONS") == "")
}

// write writes the result in all forms asked for. The readable report goes to
// standard output unless a machine form does.
func (o *outputs) write(cmd *cobra.Command, res *result.Result) error {
	document, err := res.Marshal()
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	if !o.toStdout() {
		err := report.Terminal(out, res, suite.Catalog(), report.Options{Color: colored(out), Width: width(out)})
		if err != nil {
			return fmt.Errorf("write the report: %w", err)
		}
	}
	if err := save(out, o.json, document); err != nil {
		return err
	}
	if o.sarif != "" {
		findings, err := toSARIF(document, sarif.Options{Indent: true, Root: repositoryRoot()})
		if err != nil {
			return err
		}
		if err := save(out, o.sarif, findings); err != nil {
			return err
		}
	}
	if o.markdown == "" {
		return nil
	}
	return save(out, o.markdown, []byte(report.Markdown(res, suite.Catalog(), report.MarkdownOptions{Kind: report.Summary})))
}

// toSARIF converts a result document.
func toSARIF(document []byte, o sarif.Options) ([]byte, error) {
	var b bytes.Buffer
	err := sarif.Convert(bytes.NewReader(document), &b, o)
	return b.Bytes(), err
}

// save writes a file in one step, so that a reader never sees half of it.
func save(out io.Writer, path string, data []byte) error {
	switch path {
	case "":
		return nil
	case "-":
		_, err := out.Write(data)
		return err
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(path, data, 0o644)
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".sealmark-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	if _, err := temp.Write(data); err != nil {
		temp.Close()
		return err
	}
	if err := temp.Close(); err != nil {
		return err
	}
	if err := os.Chmod(temp.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// colored reports whether to colour: only on a terminal, and not where
// NO_COLOR is set (no-color.org).
func colored(w io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(w)
}

// width is the width of the terminal in columns, 100 elsewhere.
func width(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return columns
		}
	}
	return 100
}
