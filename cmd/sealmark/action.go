package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/gha"
	"github.com/sealmark/action/internal/publish"
	"github.com/sealmark/action/internal/suite"
)

func newAction() *cobra.Command {
	return &cobra.Command{
		Use:   "action",
		Short: "Run as a step of GitHub Actions",
		Long: `Action is the entrypoint of the container action. It reads the action's inputs
from the environment, runs the suite, and writes outputs, annotations, the job
summary, code-scanning alerts and one comment on the pull request. With the
input publish it delivers results that another workflow made.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			runner := gha.New(cmd.OutOrStdout(), os.Getenv)
			err := action(cmd.Context(), runner)
			var exit *exitError
			if errors.As(err, &exit) && exit.err != nil {
				runner.Fail(exit.err.Error())
				return &exitError{code: exit.code}
			}
			return err
		},
	}
}

func action(ctx context.Context, runner *gha.Runner) error {
	token := runner.Input("token")
	runner.Mask(token)
	event, err := runner.Event()
	if err != nil {
		return ownFault(err)
	}
	if runner.Input("publish") != "" {
		var f publishFlags
		paths, err := f.fromInputs(runner)
		if err != nil {
			return usage(err)
		}
		return f.publish(ctx, runner, event, paths)
	}
	untrusted, err := admit(runner, event)
	if err != nil {
		return usage(err)
	}
	list, d, err := inputs(runner, untrusted)
	if err != nil {
		return usage(err)
	}
	for _, c := range list {
		for _, secret := range c.Secrets {
			runner.Mask(secret)
		}
		c.Secrets["the token of the job"] = token
	}
	all, err := testAll(ctx, runner, event, list)
	if err != nil {
		return err
	}
	d.Catalog, d.Token = suite.Catalog(), token
	if d.Reports, err = reports(all, event.Workspace, runner.Input("category")); err != nil {
		return ownFault(err)
	}
	publish.Deliver(context.WithoutCancel(ctx), runner, event, d)
	return outcomes(all)
}

// admit refuses to run code that anybody can send in a job that can write,
// unless that is explicitly allowed and the code gets a user of its own, and
// reports whether it is such code.
func admit(runner *gha.Runner, event gha.Event) (untrusted bool, err error) {
	const input = "allow-pull-request-target"
	why := event.Untrusted()
	if why == "" {
		return false, nil
	}
	allowed, err := runner.Flag(input)
	switch {
	case err != nil:
	case allowed && !mayDropRights():
		err = fmt.Errorf("%s, and as the user of the job, who can read its secrets and change what it does: outside of the container, code from elsewhere can't be run as a user of its own. Use the container action, sealmark/action", why)
	case !allowed:
		err = fmt.Errorf("%s, with a token that can write and with the secrets of this repository. Use pull_request; the comment on pull requests of forks comes from a second workflow: https://github.com/sealmark/action/blob/main/docs/forks.md. Who knows what this means sets %s: true", why, input)
	}
	return true, err
}

// inputs reads the action's inputs as a configuration and a way of delivery.
// The configuration file of untrusted code gets no variable at all.
func inputs(runner *gha.Runner, untrusted bool) ([]*config.Config, publish.Delivery, error) {
	var d publish.Delivery
	var errs []error
	for _, flag := range []struct {
		name   string
		target *bool
	}{{"comment", &d.Comment}, {"upload-sarif", &d.Upload}, {"annotations", &d.Annotations}} {
		value, err := runner.Flag(flag.name)
		if err != nil {
			errs = append(errs, err)
		}
		*flag.target = value
	}
	s := config.Sources{
		Within: repositoryRoot(), FlagPrefix: "input ", Flags: map[string]string{}, URL: runner.Input("url"),
		Path: runner.Input("config"), Directory: runner.Input("working-directory"), Server: runner.Input("server"), Environ: harmless,
		Env: lines(runner.Input("env")), BuildEnv: lines(runner.Input("build-env")), Build: lines(runner.Input("build")),
	}
	if untrusted {
		s.Environ = func(string) (string, bool) { return "", false }
	}
	for _, in := range gha.Inputs {
		if text := runner.Input(in.Name); in.Flag != "" && text != "" {
			s.Flags[in.Flag] = text
		}
	}
	if text := runner.Input("command"); text != "" {
		words, err := config.Split(text)
		if err != nil {
			errs = append(errs, fmt.Errorf("input command: %w", err))
		}
		s.Command = words
	}
	list, err := config.BuildAll(s, suite.Catalog())
	return list, d, errors.Join(append(errs, err)...)
}

// lines are the lines of an input that hold anything.
func lines(text string) []string {
	var list []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return list
}

// harmless looks up a variable for ${NAME} in sealmark.yml. The file comes
// with the code under test, so the runner's own credentials and the action's
// inputs are out of its reach.
func harmless(name string) (string, bool) {
	for _, prefix := range []string{"INPUT_", "ACTIONS_", "GITHUB_", "RUNNER_", "GH_"} {
		if strings.HasPrefix(strings.ToUpper(name), prefix) {
			return "", false
		}
	}
	return os.LookupEnv(name)
}
