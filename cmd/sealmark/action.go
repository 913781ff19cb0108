package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/gha"
	"github.com/sealmark/action/internal/publish"
	"github.com/sealmark/action/internal/report"
	"github.com/sealmark/action/internal/suite"
	"github.com/sealmark/action/internal/version"
	"github.com/sealmark/action/sarif"
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
	conceal()
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
	c, d, err := inputs(runner, untrusted)
	if err != nil {
		return usage(err)
	}
	for _, secret := range c.Secrets {
		runner.Mask(secret)
	}
	c.Secrets["the token of the job"] = token
	key := serverKey(c)
	log, end := runner.Guarded()
	progress := report.NewProgress(log, false)
	res := assess(ctx, suite.Run{Config: c, Version: version.String(), Key: key, Anchor: anchor(c), Progress: progress})
	err = report.Terminal(log, res, suite.Catalog(), report.Options{})
	end()
	if err != nil {
		return ownFault(err)
	}
	d.Catalog, d.Token = suite.Catalog(), token
	r := publish.Report{Result: res, Key: sarif.Category(key, runner.Input("category"))}
	if err := files(&r, event.Workspace, runner.Input("category")); err != nil {
		return ownFault(err)
	}
	d.Reports = append(d.Reports, r)
	publish.Deliver(context.WithoutCancel(ctx), runner, event, d)
	return outcome(res)
}

// admit refuses to run code that anybody can send in a job that can write,
// unless that is explicitly allowed, and reports whether it is such code.
func admit(runner *gha.Runner, event gha.Event) (untrusted bool, err error) {
	const input = "allow-pull-request-target"
	why := event.Untrusted()
	if why == "" {
		return false, nil
	}
	allowed, err := runner.Flag(input)
	if err == nil && !allowed {
		err = fmt.Errorf("%s, with a token that can write and with the secrets of this repository. Use pull_request; the comment on pull requests of forks comes from a second workflow: https://github.com/sealmark/action/blob/main/docs/forks.md. Who knows what this means sets %s: true", why, input)
	}
	return true, err
}

// inputs reads the action's inputs as a configuration and a way of delivery.
// The configuration file of untrusted code gets no variable at all.
func inputs(runner *gha.Runner, untrusted bool) (*config.Config, publish.Delivery, error) {
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
		FlagPrefix: "input ", Flags: map[string]string{}, URL: runner.Input("url"),
		Path: runner.Input("config"), Directory: runner.Input("working-directory"), Environ: harmless,
	}
	if untrusted {
		s.Environ = func(string) (string, bool) { return "", false }
	}
	for _, in := range gha.Inputs {
		if text := runner.Input(in.Name); in.Flag != "" && text != "" {
			s.Flags[in.Flag] = text
		}
	}
	for line := range strings.Lines(runner.Input("env")) {
		if line = strings.TrimSpace(line); line != "" {
			s.Env = append(s.Env, line)
		}
	}
	if text := runner.Input("command"); text != "" {
		words, err := config.Split(text)
		if err != nil {
			errs = append(errs, fmt.Errorf("input command: %w", err))
		}
		s.Command = words
	}
	c, err := config.Build(s, suite.Catalog())
	return c, d, errors.Join(append(errs, err)...)
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

// files writes the result and the SARIF document to a new folder. The paths
// that r gets hold for later steps too.
func files(r *publish.Report, workspace, category string) error {
	dir, shown, err := folder(workspace)
	if err != nil {
		return err
	}
	document, err := r.Result.Marshal()
	if err != nil {
		return err
	}
	o := sarif.Options{Category: category, Root: repositoryRoot()}
	findings, err := toSARIF(document, o)
	if err != nil {
		return err
	}
	o.OmitAccepted = true
	if r.SARIF, err = toSARIF(document, o); err != nil {
		return err
	}
	for _, file := range []struct {
		name string
		path *string
		data []byte
	}{{"result.json", &r.ResultFile, document}, {"sealmark.sarif", &r.SARIFFile, findings}} {
		path := filepath.Join(dir, file.name)
		if err := save(nil, path, file.data); err != nil {
			return err
		}
		*file.path = filepath.Join(shown, file.name)
		adopt(path, workspace)
	}
	return nil
}

// folder makes a folder in the checkout, which git ignores and whose name the
// code under test can't know. It is shown relative to the checkout: later
// steps see the checkout elsewhere than this container does. Without a
// checkout that can be written, it is in the temporary folder.
func folder(workspace string) (dir, shown string, err error) {
	if workspace != "" {
		dir, err = os.MkdirTemp(workspace, "sealmark-")
	}
	if workspace == "" || err != nil {
		dir, err = os.MkdirTemp("", "sealmark-")
		return dir, dir, err
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return "", "", err
	}
	ignore := filepath.Join(dir, ".gitignore")
	if err := os.WriteFile(ignore, []byte("*\n"), 0o644); err != nil {
		return "", "", err
	}
	adopt(ignore, workspace)
	adopt(dir, workspace)
	return dir, filepath.Base(dir), nil
}
