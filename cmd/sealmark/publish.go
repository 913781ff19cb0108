package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sealmark/action/internal/gha"
	"github.com/sealmark/action/internal/publish"
	"github.com/sealmark/action/internal/suite"
	"github.com/sealmark/action/sarif"
)

// publishFlags are how results are published.
type publishFlags struct {
	repository, category, token string
	place                       publish.Place
	comment, upload             bool
}

func newPublish() *cobra.Command {
	var f publishFlags
	cmd := &cobra.Command{
		Use:   "publish [flags] RESULT.json...",
		Short: "Bring results that were made elsewhere to a pull request and code scanning",
		Long: `Publish reads results of sealmark run --json, one per server, and posts a comment
on the pull request, uploads the findings to code scanning and writes the job
summary, as the action does after a run. A folder stands for the results in it.

In a workflow that runs on workflow_run, the pull request and the commit follow
from the event: nothing that the results say is believed. Elsewhere name them
with flags. The token comes from GITHUB_TOKEN, the address of GitHub from
GITHUB_API_URL.`,
		Example: `  sealmark publish result.json                    # in a workflow
  GITHUB_TOKEN=... sealmark publish --repository me/server --pull-request 7 result.json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.token = os.Getenv("GITHUB_TOKEN")
			runner := gha.New(cmd.OutOrStdout(), os.Getenv)
			if atWork() {
				runner.Mask(f.token)
			}
			event, err := runner.Event()
			if err != nil {
				return ownFault(err)
			}
			return f.publish(cmd.Context(), runner, event, args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.repository, "repository", "", "`OWNER/NAME` of the repository (default GITHUB_REPOSITORY)")
	flags.IntVar(&f.place.PullRequest, "pull-request", 0, "number of the pull request")
	flags.StringVar(&f.place.Commit, "commit", "", "full id of the commit that was tested")
	flags.StringVar(&f.place.Ref, "ref", "", "ref that was tested, such as refs/heads/main")
	flags.StringVar(&f.category, "category", "", "code-scanning category and key of the comment (default sealmark/ and the server's key)")
	flags.BoolVar(&f.comment, "comment", true, "post or update the comment")
	flags.BoolVar(&f.upload, "upload-sarif", true, "upload the findings to code scanning")
	return cmd
}

// atWork reports whether this is a step of GitHub Actions.
func atWork() bool { return os.Getenv("GITHUB_ACTIONS") == "true" }

// fromInputs reads the action's inputs.
func (f *publishFlags) fromInputs(runner *gha.Runner) (paths []string, err error) {
	var errs []error
	for _, name := range []string{"command", "url", "build", "server", "setup"} {
		if runner.Input(name) != "" {
			errs = append(errs, fmt.Errorf("input publish takes the place of a run: leave input %s out", name))
		}
	}
	f.comment, err = runner.Flag("comment")
	errs = append(errs, err)
	f.upload, err = runner.Flag("upload-sarif")
	errs = append(errs, err)
	f.category, f.token = runner.Input("category"), runner.Input("token")
	for line := range strings.Lines(runner.Input("publish")) {
		if line = strings.TrimSpace(line); line != "" {
			paths = append(paths, line)
		}
	}
	return paths, errors.Join(errs...)
}

var repositoryName = regexp.MustCompile(`^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$`)

// publish delivers the results in files and folders.
func (f *publishFlags) publish(ctx context.Context, runner *gha.Runner, event gha.Event, paths []string) error {
	if event.Trigger != nil && (f.repository != "" || f.place != (publish.Place{})) {
		return usage(errors.New("for a workflow_run the repository, the pull request and the commit follow from the event: leave --repository, --pull-request, --commit and --ref out"))
	}
	if f.repository != "" {
		event.Owner, event.Repo, _ = strings.Cut(f.repository, "/")
	}
	if (f.comment || f.upload) && !repositoryName.MatchString(event.Repository()) {
		return usage(errors.New("the repository is not known: give --repository OWNER/NAME"))
	}
	reports, err := f.reports(runner, paths)
	if err != nil {
		return usage(err)
	}
	d := publish.Delivery{Reports: reports, Catalog: suite.Catalog(), Token: f.token, Comment: f.comment, Upload: f.upload}
	if event.Trigger != nil {
		target := event.Triggered()
		d.Target = &target
	}
	if event.Foreign() {
		d.Remark = fmt.Sprintf("This report comes from a run of the pull request's own code in %s. That code could have changed it: take it as its author's word.", origin(event.Trigger.HeadRepository))
	}
	if f.token != "" && (f.comment || f.upload) {
		target, err := f.locate(ctx, event)
		if err != nil {
			return err
		}
		d.Target = target
	}
	if failures := publish.Deliver(context.WithoutCancel(ctx), runner, event, d); failures > 0 && !atWork() {
		return ownFault(errors.New("not everything was delivered"))
	}
	return nil
}

// origin is the repository of a fork as Markdown.
func origin(repository string) string {
	if !repositoryName.MatchString(repository) {
		return "a fork"
	}
	return "`" + repository + "`"
}

// locate finds out what the results are about. In a workflow a failure stops
// comment and upload only.
func (f *publishFlags) locate(ctx context.Context, event gha.Event) (*gha.Target, error) {
	p, err := publish.New(event, f.token)
	if err != nil {
		return nil, ownFault(err)
	}
	target, err := p.Locate(ctx, f.place)
	if err == nil {
		return &target, nil
	}
	if event.Trigger == nil {
		return nil, ownFault(err)
	}
	target.NoComment, target.NoUpload = err.Error(), err.Error()
	return &target, nil
}

// reports reads all results. They may come from anybody.
func (f *publishFlags) reports(runner *gha.Runner, paths []string) ([]publish.Report, error) {
	results, skipped, err := readResults(paths)
	if err != nil {
		return nil, err
	}
	for _, why := range skipped {
		runner.Info("Left out: " + why)
	}
	var list []publish.Report
	seen := map[string]string{}
	for _, r := range results {
		known := publish.Distrust(r.result, suite.Catalog())
		category := f.category
		if len(results) > 1 && category != "" {
			category += "/" + r.result.Server.Key
		}
		document, err := known.Marshal()
		if err != nil {
			return nil, err
		}
		findings, err := toSARIF(document, sarif.Options{Category: category, OmitAccepted: true})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.path, err)
		}
		key := sarif.Category(r.result.Server.Key, category)
		if other := seen[key]; other != "" {
			return nil, fmt.Errorf("%s and %s are of the same server: publish one of them, or give them categories", other, r.path)
		}
		seen[key] = r.path
		list = append(list, publish.Report{Result: r.result, SARIF: findings, ResultFile: r.path, Key: key})
	}
	return list, nil
}
