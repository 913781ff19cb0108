package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/sealmark/action/internal/check/core"
	"github.com/sealmark/action/internal/confine"
	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/suite"
	"github.com/sealmark/action/internal/target"
	"github.com/sealmark/action/internal/version"
)

// pipeline takes servers from what is known of them to their results: copy,
// build, launch, assess.
type pipeline struct {
	// root is the checkout.
	root string
	// isolated: every server runs in a copy, also one whose command is given,
	// and as a user of its own if user is set.
	isolated, user bool
	// base is the commit that the change starts from, "" if it is to be found
	// out.
	base string
	// proposed: the change is not in yet, and who proposes it may be anybody.
	proposed bool
	// caches are the variables that show package managers the folders for
	// their caches; cache is the folder that is kept in the checkout, "" for
	// none.
	caches map[string]string
	cache  string
	console
}

// console is where a pipeline shows what it does.
type console interface {
	// starting is told before anything of the repository is built or run in a
	// copy.
	starting()
	// building returns where the output of a build goes, and what ends it.
	building(title string) (out io.Writer, end func())
	// testing returns who hears of the checks, and what ends that.
	testing() (p suite.Progress, end func())
}

// tested is a server that was tested, or could not be.
type tested struct {
	job
	Result *result.Result
	// Log is the output of its build, nil if nothing was built.
	Log []byte
}

// test tests a server and compares it with its base. Its error is Sealmark's
// own fault.
func (p *pipeline) test(ctx context.Context, j job) (tested, error) {
	t, err := p.question(ctx, j)
	if err != nil {
		return tested{}, err
	}
	p.relate(ctx, j.Config, t.Result, func() (*result.Result, string, error) { return p.mergeBase(ctx, j) })
	return t, nil
}

// question builds a server and puts the questions of the suite to it.
func (p *pipeline) question(ctx context.Context, j job) (tested, error) {
	r, err := p.ready(ctx, j)
	if err != nil {
		return tested{}, err
	}
	defer r.end()
	return tested{j, p.launch(ctx, j, r), r.log}, nil
}

// readied is a server that was built, or the reason why it was not.
type readied struct {
	run suite.Run
	// launches are the ways to launch it, one at least unless run says why it
	// is not ready.
	launches []target.Launch
	log      []byte
	// end ends all that is left of the build and the server.
	end func()
}

// ready builds a server. Its error is Sealmark's own fault.
func (p *pipeline) ready(ctx context.Context, j job) (readied, error) {
	r := readied{end: func() {}, run: suite.Run{Config: j.Config, Version: version.String(), Key: j.Key, Anchor: j.Anchor, Notices: j.Notices}}
	var why string
	r.launches, why = j.launches()
	switch {
	case j.None != "":
		r.run.Unready = unready(j.None)
	case why != "":
		r.run.Unready = &core.Unready{Text: why, Next: "Give a command that starts it over stdio or Streamable HTTP."}
	case len(r.launches[0].Command) > 0:
		box, err := p.box(ctx, j)
		if err != nil {
			return r, err
		}
		r.end = func() { box.Close() }
		caches := p.caches
		if notice := p.lend(box); notice != "" {
			caches, r.run.Notices = nil, append(r.run.Notices, notice)
		}
		if box.Isolation().Copy {
			r.run.Defaults = caches
		}
		steps := j.steps(p.root)
		r.run.Box, r.run.Plan = box, shown(j.Plan, steps)
		if box.Isolation().Copy {
			r.run.Dir = filepath.Join(box.Dir(), filepath.FromSlash(j.folder(p.root)))
		}
		if r.log, r.run.Unready, err = p.build(ctx, j, steps, box, caches); err != nil {
			r.end()
			return r, err
		}
	}
	return r, nil
}

// unready is the reason and the next step of a detection that found nothing.
func unready(none string) *core.Unready {
	text := strings.TrimPrefix(none, "not assessed, because ")
	text, next, _ := strings.Cut(text, ". ")
	return &core.Unready{Text: text, Next: cmp.Or(next, "Give the command that starts the server, or its url. sealmark detect says what was looked at.")}
}

// box makes the place where a server is built and run: a copy of the checkout,
// or the checkout itself for a command at the desk that needs no build.
func (p *pipeline) box(ctx context.Context, j job) (*confine.Box, error) {
	o := confine.Options{User: p.user, Offline: j.Offline}
	if p.isolated || j.Plan != nil || len(j.Build) > 0 {
		p.starting()
		o.Root = p.root
		if j.folder(p.root) == "" {
			o.Root = j.Directory
		}
		if rel, ok := inside(o.Root, p.cache); ok && p.cache != "" {
			o.Omit = []string{rel}
		}
		if j.Plan == nil || j.Build != nil || len(j.Plan.Build) == 0 {
			// What an earlier step installed and built is needed; Git ignores
			// it as a rule.
			o.Keep = []string{"."}
		}
	}
	box, err := confine.New(ctx, o)
	if err != nil {
		return nil, ownFault(fmt.Errorf("the checkout can't be copied to where the server is built: %w", err))
	}
	return box, nil
}

// build builds a server. A build that fails is no error but a reason.
func (p *pipeline) build(ctx context.Context, j job, steps []target.Step, box *confine.Box, caches map[string]string) ([]byte, *core.Unready, error) {
	var needs []string
	if j.Plan != nil {
		needs = j.Plan.Toolchains
	}
	out, end := io.Discard, func() {}
	if len(steps) > 0 {
		out, end = p.building(title(j.Key, steps))
	}
	built, err := target.Build(ctx, steps, needs, box, target.BuildOptions{Env: layered(caches, j.BuildEnv), Limit: j.TimeoutBuild, Out: out, Redact: redact.New(j.Secrets)})
	end()
	var failed *target.BuildError
	switch {
	case err == nil && len(steps) == 0:
		return nil, nil, nil
	case err == nil:
		return built.Log, nil, nil
	case !errors.As(err, &failed):
		return nil, nil, err
	case failed.Missing != nil:
		return nil, &core.Unready{Text: failed.Error(), Next: failed.Missing.Next()}, nil
	}
	return failed.Log, &core.Unready{
		BuildFailed: true, Text: failed.Error(), Log: strings.Join(failed.Last, "\n"),
		Next: "Run the same commands in a fresh checkout. server.build in sealmark.yml gives others, build_env variables for them; timeout_build_sec is their limit.",
	}, nil
}

func title(key string, steps []target.Step) string {
	var lines []string
	for _, step := range steps {
		lines = append(lines, strings.Join(step.Args, " "))
	}
	return (*redact.Redactor)(nil).Line(fmt.Sprintf("Build %s: %s", key, strings.Join(lines, "; ")), 200)
}

// launch tests a server by the first way to launch it that works.
func (p *pipeline) launch(ctx context.Context, j job, r readied) *result.Result {
	run := r.run
	if run.Unready != nil {
		return p.assess(ctx, run)
	}
	var first *result.Result
	for _, l := range r.launches {
		run = launched(run, j, l)
		res := p.assess(ctx, run)
		if res.Status == result.Assessed {
			return res
		}
		if first == nil {
			first = res
		}
		if ctx.Err() != nil {
			break
		}
		run.Notices = append(run.Notices, fmt.Sprintf("Launched for %s, the server could not be tested: %s The next way that its manifest names was tried.", l.Transport, res.Reason.Text))
	}
	return first
}

// launched is a run by one way to launch its server.
func launched(run suite.Run, j job, l target.Launch) suite.Run {
	var defaults map[string]string
	run.Config, defaults, run.Needs = j.launched(l)
	run.Defaults = layered(run.Defaults, defaults)
	return run
}

// layered are the variables of several maps, of which the last one wins.
func layered(maps ...map[string]string) map[string]string {
	all := map[string]string{}
	for _, m := range maps {
		for name, value := range m {
			all[name] = value
		}
	}
	return all
}

func (p *pipeline) assess(ctx context.Context, run suite.Run) *result.Result {
	progress, end := p.testing()
	defer end()
	run.Progress = progress
	return assess(ctx, run)
}
