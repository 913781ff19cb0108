package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sealmark/action/internal/compare"
	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/report"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/score"
)

// diffFlags are the flags of diff.
type diffFlags struct {
	json, markdown, failOn string
}

func newDiff() *cobra.Command {
	f := diffFlags{failOn: string(rule.Error)}
	cmd := &cobra.Command{
		Use:   "diff [flags] BASE.json NOW.json",
		Short: "Compare two results",
		Long: `Diff says what changed from one result to another: the score, the findings, and
what the server offers. Both are files that sealmark run --json wrote, or
folders that hold result.json.

It exits with 1 if a new finding, or one that became graver, is of the level of
--fail-on or above. A breaking change of what the server offers is a warning; a
note if the server's version announces it. It exits with 3 if the findings of the
two can't be compared.`,
		Example: `  sealmark diff before.json after.json
  sealmark diff --fail-on warning --markdown changes.md before.json after.json`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return f.diff(cmd, args[0], args[1]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.json, "json", "", "write the changes as JSON to `file`, - for standard output")
	flags.StringVar(&f.markdown, "markdown", "", "write the changes as Markdown to `file`, - for standard output")
	for _, key := range config.Keys {
		if key.Name == "fail_on" {
			flags.StringVar(&f.failOn, "fail-on", f.failOn, flagUsage(key))
		}
	}
	return cmd
}

// changes is the JSON form of a comparison. New holds the findings whose ids
// the comparison names.
type changes struct {
	SchemaVersion string             `json:"schema_version"`
	Comparison    *result.Comparison `json:"comparison"`
	Findings      []rule.Finding     `json:"findings"`
}

func (f diffFlags) diff(cmd *cobra.Command, basePath, nowPath string) error {
	if _, err := rule.ParseSeverity(f.failOn); err != nil && f.failOn != "never" {
		return usage(fmt.Errorf("--fail-on must be error, warning, note or never, not %q", f.failOn))
	}
	o := outputs{json: f.json, markdown: f.markdown}
	if err := o.check(); err != nil {
		return usage(err)
	}
	now, err := readBase(nowPath, "", openResult)
	if err != nil {
		return usage(err)
	}
	base, err := readBase(basePath, now.Server.Key, openResult)
	if err != nil {
		return usage(err)
	}
	compare.Apply(now, base, result.FromBaseline, base.Volatile.Commit)
	if err := f.write(cmd, now); err != nil {
		return ownFault(err)
	}
	if !now.Comparison.FindingsCompared {
		return &exitError{exitNotAssessed, errors.New("the findings of the two can't be compared")}
	}
	score.Gate(now, score.Limits{FailOn: f.failOn, NewOnly: true})
	if !now.Gate.Passed {
		return &exitError{code: exitGate}
	}
	return nil
}

func (f diffFlags) write(cmd *cobra.Command, now *result.Result) error {
	out := cmd.OutOrStdout()
	if f.json != "-" && f.markdown != "-" {
		if err := report.Changes(out, now, report.Options{Color: colored(out), Width: width(out)}); err != nil {
			return fmt.Errorf("write the changes: %w", err)
		}
	}
	c := now.Comparison
	document := changes{SchemaVersion: result.SchemaVersion, Comparison: c, Findings: []rule.Finding{}}
	for _, ids := range [][]string{c.New, c.Worse, c.Unsure} {
		for _, id := range ids {
			if finding, ok := now.Finding(id); ok {
				document.Findings = append(document.Findings, finding)
			}
		}
	}
	data, err := json.MarshalIndent(document, "", "  ")
	if err != nil {
		return err
	}
	if err := save(out, f.json, append(data, '\n')); err != nil {
		return err
	}
	if f.markdown == "" {
		return nil
	}
	return save(out, f.markdown, []byte(report.ChangesMarkdown(now)))
}
