package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/suite"
)

func newReplay() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "replay [flags] RESULT.json FINDING [-- COMMAND [ARG...]]",
		Short: "Send the probe of a finding again, to a fresh server",
		Long: `Replay starts the server of a result anew, sends the recorded request of one
finding again, and shows the recorded reply and the new one. FINDING is the id
that the report prints, or the beginning of one.

The launch command comes from the result file, so replay only files that you
trust, or give the command yourself after --. Variables that the server needs
are given with --env or come from sealmark.yml: a result holds their names only. A
server that was found in the repository is found and built again.`,
		Example: `  sealmark run --json result.json -- node dist/index.js
  sealmark replay result.json robust.hang:1a2b3c4d`,
		Args: func(cmd *cobra.Command, args []string) error {
			if n := fileArgs(cmd, args); n != 2 {
				return fmt.Errorf("replay takes a result file and a finding, got %d arguments", n)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.replay(cmd, args[0], args[1], args[2:]) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.env, "env", nil, "give the server a variable, `NAME=VALUE`; may be repeated")
	flags.StringVar(&f.configPath, "config", "", "configuration `file` (default sealmark.yml, if there is one)")
	for _, key := range config.Keys {
		if key.Name == "timeout_start_sec" || key.Name == "timeout_probe_sec" {
			flags.Var(&setting{key: key}, strings.TrimPrefix(key.Flag, "--"), flagUsage(key))
		}
	}
	return cmd
}

// fileArgs counts the arguments before --.
func fileArgs(cmd *cobra.Command, args []string) int {
	if n := cmd.ArgsLenAtDash(); n >= 0 {
		return n
	}
	return len(args)
}

func (f *runFlags) replay(cmd *cobra.Command, path, id string, command []string) error {
	file, err := os.Open(path)
	if err != nil {
		return usage(err)
	}
	defer file.Close()
	res, err := result.Read(file)
	if err != nil {
		return usage(fmt.Errorf("%s: %w", path, err))
	}
	finding, ok := res.Finding(id)
	if !ok {
		return usage(fmt.Errorf("%s holds no finding %q, or more than one that starts with it; it holds: %s", path, id, findingIDs(res)))
	}
	if finding.Evidence.Request == "" {
		return usage(fmt.Errorf("finding %s has no recorded request to send again", finding.ID))
	}
	plan := res.Server.Plan
	if plan == nil {
		f.directory = res.Server.Directory
	}
	switch {
	case len(command) > 0:
	case plan != nil:
		f.server = plan.Name
	default:
		command, f.url = launchCommand(res), res.Server.URL
	}
	c, err := f.config(cmd.Flags(), command)
	if err != nil {
		return usage(err)
	}
	var answer reply.Answer
	err = f.started(cmd, c, func(ctx context.Context, run suite.Run) error {
		fmt.Fprintf(cmd.ErrOrStderr(), "starting %s\n", strings.Join(append(run.Config.Command, run.Config.URL), " "))
		var err error
		answer, err = suite.Replay(ctx, run, append(finding.Evidence.Prefix, finding.Evidence.Request))
		return err
	})
	if err != nil {
		return err
	}
	show(cmd.OutOrStdout(), finding, answer)
	return nil
}

// launchCommand is the recorded launch command; that of a built-in server is
// this program.
func launchCommand(res *result.Result) []string {
	command := res.Server.Command
	if len(command) > 2 && command[0] == "sealmark" && command[1] == "fixture" {
		if self, err := os.Executable(); err == nil {
			return append([]string{self}, command[1:]...)
		}
	}
	return command
}

func findingIDs(res *result.Result) string {
	const most = 20
	var ids []string
	for i, f := range res.Findings {
		if i == most {
			return strings.Join(ids, ", ") + fmt.Sprintf(" and %d more", len(res.Findings)-most)
		}
		ids = append(ids, f.ID)
	}
	if len(ids) == 0 {
		return "none"
	}
	return strings.Join(ids, ", ")
}

// show prints what was recorded and what came now.
func show(w io.Writer, f rule.Finding, now reply.Answer) {
	fmt.Fprintf(w, "%s  %s\n%s\n\n", f.ID, f.Subject, f.Message)
	fmt.Fprintf(w, "request    %s\n", f.Evidence.Request)
	recorded := f.Evidence.Reply
	if recorded == "" || f.Evidence.Detail != "" {
		recorded = strings.TrimSpace(recorded + "\n           " + f.Evidence.Detail)
	}
	fmt.Fprintf(w, "recorded   %s\n", recorded)
	came := string(now.Raw)
	if now.Detail != "" {
		came = strings.TrimSpace(came + "\n           " + now.Detail)
	}
	fmt.Fprintf(w, "now        %s\n", came)
	if now.Stderr != "" {
		fmt.Fprintf(w, "stderr     %s\n", strings.ReplaceAll(strings.TrimSpace(now.Stderr), "\n", "\n           "))
	}
}
