package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/mergebase"
	"github.com/sealmark/action/internal/report"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/suite"
)

// mergeBase builds and tests the server of a job as it was where the change
// starts, in a folder of its own and with what verdicts rest on as it is now.
func (p *pipeline) mergeBase(ctx context.Context, j job) (r *result.Result, commit string, err error) {
	repository := mergebase.Repository{Root: p.root}
	commit, err = repository.Find(ctx, p.baseName())
	if err != nil {
		return nil, "", fmt.Errorf("the merge base can't be found: %w", err)
	}
	folder, err := os.MkdirTemp("", "sealmark-base-")
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(folder)
	if err := repository.Export(ctx, commit, folder); err != nil {
		return nil, "", fmt.Errorf("the merge base %.12s can't be written to a folder: %w", commit, err)
	}
	r, err = p.elsewhere(ctx, j, folder)
	if err != nil {
		return nil, "", fmt.Errorf("the merge base %.12s can't be tested: %s", commit, strings.TrimRight(err.Error(), "."))
	}
	return r, commit, nil
}

// elsewhere builds and tests the server of a job in a folder that holds another
// version of the repository.
func (p *pipeline) elsewhere(ctx context.Context, j job, folder string) (*result.Result, error) {
	c, err := j.Config.Elsewhere(p.root, folder)
	if err != nil {
		return nil, err
	}
	// The base has no base, and nothing of it is accepted or gated.
	c.Compare, c.NewOnly, c.Accept = config.CompareOff, false, nil
	other := *p
	other.root, other.base, other.proposed, other.clock = folder, "", false, nil
	jobs, err := plan([]*config.Config{c}, folder)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(jobs, func(o job) bool {
		return o.Key == j.Key || o.Plan != nil && j.Plan != nil && o.Plan.Name == j.Plan.Name
	})
	if i < 0 && len(jobs) == 1 {
		i = 0
	}
	if i < 0 {
		return nil, errors.New("it does not hold this server")
	}
	there := jobs[i]
	there.Key = j.Key + " (merge base)"
	other.console = aside{p.console, "Test " + there.Key}
	t, err := other.question(ctx, there)
	switch {
	case err != nil:
		return nil, err
	case t.Result.Status != result.Assessed:
		return nil, errors.New(t.Result.Reason.Text)
	}
	t.Result.Server.Key = j.Key
	return t.Result, nil
}

// aside shows the checks of a run that is not the one in hand under a title of
// its own.
type aside struct {
	console
	title string
}

func (a aside) testing() (suite.Progress, func()) {
	out, end := a.building(a.title)
	return report.NewProgress(out, false), end
}
