package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/gha"
	"github.com/sealmark/action/internal/report"
	"github.com/sealmark/action/internal/suite"
)

// testAll tests all servers that are meant, one after the other.
func testAll(ctx context.Context, runner *gha.Runner, event gha.Event, list []*config.Config) ([]tested, error) {
	p := &pipeline{root: repositoryRoot(), base: event.BaseSHA, proposed: event.Proposed(), isolated: true, user: mayDropRights(), console: &workflowLog{Runner: runner, warn: !mayDropRights()}}
	jobs, err := plan(list, p.root)
	if err != nil {
		return nil, err
	}
	if err := setUp(ctx, runner, list[0].TimeoutBuild); err != nil {
		return nil, err
	}
	if err := p.keptCaches(runner.Input("cache-dir"), event.Workspace); err != nil {
		return nil, usage(err)
	}
	var all []tested
	for _, j := range jobs {
		if names := j.unfilled(); event.Fork && len(names) > 0 {
			j.Notices = append(j.Notices, fmt.Sprintf("This run comes from a fork, which gets no secrets: %s had no value.", strings.Join(names, ", ")))
		}
		t, err := p.test(ctx, j)
		if err != nil {
			return nil, err
		}
		t.Result.Volatile.Commit = cmp.Or(event.CheckedOut, event.SHA)
		log, end := runner.Guarded()
		err = report.Terminal(log, t.Result, suite.Catalog(), report.Options{})
		end()
		if err != nil {
			return nil, ownFault(err)
		}
		all = append(all, t)
	}
	return all, nil
}

// mayDropRights reports whether a server can be run as a user of its own.
func mayDropRights() bool { return os.Geteuid() == 0 }

// workflowLog shows in the log of the job what a pipeline does. The runner
// takes no command from anything of it.
type workflowLog struct {
	*gha.Runner
	warn bool // that there is no container
}

func (l *workflowLog) starting() {
	if l.warn {
		l.warn = false
		l.Warn(deskWarning)
	}
}

func (l *workflowLog) building(title string) (io.Writer, func()) { return l.Group(title) }

func (l *workflowLog) testing() (suite.Progress, func()) {
	log, end := l.Guarded()
	return report.NewProgress(log, false), end
}
