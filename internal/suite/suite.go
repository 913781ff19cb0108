package suite

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/check/contract"
	"github.com/sealmark/action/internal/check/core"
	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/confine"
	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/score"
	"github.com/sealmark/action/internal/session"
	"github.com/sealmark/action/internal/wire"
)

// Methodology is the version of the methodology that the checks follow.
const Methodology = check.FirstMethodology

// Run is what a run needs.
type Run struct {
	Config *config.Config
	// Version is the version of Sealmark.
	Version string
	// Key names the server among others of the repository.
	Key string
	// Anchor is the file that findings without a place of their own point to.
	Anchor rule.Location
	// Shown is the launch command as the result shows it, nil for the one of
	// the configuration.
	Shown []string
	// Plan says how the server was found and built, nil if the user gave its
	// command or URL.
	Plan *result.Plan
	// Dir is where the server is started, "" for the folder of the
	// configuration, which the result shows.
	Dir string
	// Defaults are variables that its manifest gives it, Needs those that it
	// requires without a value.
	Defaults map[string]string
	Needs    []string
	// Box is where the server is started, nil for in place.
	Box *confine.Box
	// Unready says why the server is not started, nil if it is.
	Unready *core.Unready
	// Notices are remarks on how the server came to be started.
	Notices []string
	// Progress is told what is being done, nil for nobody.
	Progress Progress
	// Snapshot is a snapshot that was read from a file; nil to start the
	// server. With it no server is started or reached, and only passive checks
	// run.
	Snapshot *session.Snapshot
}

// Progress hears of the checks as they start and end. Its methods may be
// called from several goroutines.
type Progress interface {
	Begin(check string)
	Step(check, text string)
	End(check string, verdict rule.Verdict)
}

// silent tells nobody.
type silent struct{}

func (silent) Begin(string)             {}
func (silent) Step(string, string)      {}
func (silent) End(string, rule.Verdict) {}

// runner is a run under way.
type runner struct {
	Run
	catalog []entry
	env     *check.Env
	lanes   *lanes
	mu      sync.Mutex
	reports map[string]check.Report
	seconds map[string]float64
}

// Do runs the suite. When ctx ends it returns what is known by then, as a
// partial result. It leaves no process behind.
func (r Run) Do(ctx context.Context) *result.Result { return r.runner().do(ctx) }

func (r *runner) do(ctx context.Context) *result.Result {
	started := time.Now()
	ctx, cancel := context.WithTimeout(ctx, r.Config.Timeout)
	defer cancel()
	if r.Snapshot != nil {
		r.passive(ctx)
	} else {
		r.checks(ctx)
	}
	res := r.result(ctx)
	res.Volatile = result.Volatile{
		Started: started.UTC(), Seconds: time.Since(started).Seconds(),
		Lanes: int(r.lanes.peak.Load()), Instances: int(r.lanes.started.Load()),
		StartSeconds: r.lanes.first, CheckSeconds: r.seconds,
	}
	if r.lanes.single.Load() {
		res.Volatile.Remarks = append(res.Volatile.Remarks, "A second instance could not be started beside the first: the run fell back to one lane.")
	}
	return res
}

// runner returns a run that is about to begin.
func (r Run) runner() *runner {
	run := &runner{Run: r, catalog: catalog, reports: map[string]check.Report{}, seconds: map[string]float64{}}
	run.prepare()
	return run
}

// prepare makes the environment that the checks share.
func (r *runner) prepare() {
	r.Config = reaching(r.Config, r.Box)
	c := r.Config
	if r.Progress == nil {
		r.Progress = silent{}
	}
	canaries := map[string]string{}
	server := wire.Server{Command: wire.Command{Args: c.Command, Dir: cmp.Or(r.Dir, c.Directory), Box: r.Box}, URL: c.URL, Limit: c.TimeoutStart}
	if !server.Remote() && r.Snapshot == nil {
		canaries = plant()
		server.Command.Env = childEnv(r.Box, r.Defaults, c.Env, canaries)
	}
	secrets := maps.Clone(c.Secrets)
	maps.Copy(secrets, canaries)
	cleaner := redact.New(secrets, boxPaths(r.Box)...)
	r.env = &check.Env{
		Config: c, Redact: cleaner, Canaries: canaries, Tape: check.NewTape(cleaner), Calls: &check.Calls{},
		Server: server, Needs: r.Needs,
		Progress: r.Progress.Step,
		Snapshot: r.Snapshot,
		Recorded: r.Snapshot != nil,
	}
	lanes := laneCount(c.Lanes)
	if server.Single() {
		lanes = 1
	}
	r.lanes = newLanes(lanes, r.open)
	r.env.Lanes = r.lanes
	r.env.Report = func(id string) (check.Report, bool) {
		r.mu.Lock()
		defer r.mu.Unlock()
		report, ok := r.reports[id]
		return report, ok
	}
	r.env.Own = r.open
}

// laneCount is the number of lanes: as configured, else the number of CPUs,
// at most four.
func laneCount(configured int) int {
	if configured > 0 {
		return configured
	}
	return min(4, runtime.NumCPU())
}

// open starts a server, or connects to one, and initialises it.
func (r *runner) open(ctx context.Context, how check.How) (*session.Session, error) {
	dial := func(h wire.Handler) (wire.Conn, error) {
		server := r.env.Server
		if how.Dir != "" {
			server.Command.Dir = how.Dir
		}
		return wire.Dial(ctx, server, wire.Limits{}, h)
	}
	observe := r.env.Tape.Observer(how.Phase)
	if how.Observer != nil {
		tape := observe
		observe = func(e session.Event) { tape(e); how.Observer(e) }
	}
	return session.Open(ctx, session.Options{
		Dial: dial, StartLimit: r.Config.TimeoutStart, ProbeLimit: r.Config.TimeoutProbe,
		Version: how.Version, Hold: how.Hold, Observer: observe,
	})
}

// checks runs launch, then the active checks side by side, then those that
// build on their calls, then those that read what was recorded.
func (r *runner) checks(ctx context.Context) {
	if r.Unready != nil {
		r.keep(r.catalog[0].check.Info().ID, core.NotReady(r.env, *r.Unready), 0)
		return
	}
	r.run(ctx, r.catalog[0])
	if r.reports[r.catalog[0].check.Info().ID].Stop != nil {
		return
	}
	if !slices.ContainsFunc(r.catalog, func(e entry) bool { return e.takesFirst && r.wanted(e) }) {
		r.closeFirst(ctx)
	}
	var active sync.WaitGroup
	ended := map[string]chan struct{}{}
	for _, e := range r.catalog[1:] {
		if !e.reads && !e.follows && r.wanted(e) {
			ended[e.check.Info().ID] = make(chan struct{})
		}
	}
	for _, e := range r.catalog[1:] {
		if e.reads || e.follows || !r.wanted(e) {
			continue
		}
		run := func() {
			defer close(ended[e.check.Info().ID])
			if before := ended[e.after]; before != nil {
				<-before
			}
			r.run(ctx, e)
		}
		if r.env.Server.Remote() {
			// All sessions are with one and the same server: what kills it must
			// not be blamed on what another check sends meanwhile.
			run()
			continue
		}
		active.Go(run)
	}
	for _, e := range r.catalog {
		if e.beside != nil && r.wanted(e) {
			active.Go(func() { r.beside(ctx, e) })
		}
	}
	active.Wait()
	r.closeFirst(ctx)
	for _, e := range r.catalog[1:] {
		if e.follows && r.wanted(e) {
			r.run(ctx, e)
		}
	}
	for _, e := range r.catalog[1:] {
		if e.reads && r.wanted(e) {
			r.run(ctx, e)
		}
	}
	for _, e := range r.catalog {
		if e.complete != nil && r.wanted(e) {
			r.complete(e)
		}
	}
}

// passive runs the checks that need the snapshot alone.
func (r *runner) passive(ctx context.Context) {
	r.env.Tape.Recall(r.Snapshot)
	for _, e := range r.catalog {
		if !e.passive || !r.wanted(e) || ctx.Err() != nil {
			continue
		}
		r.run(ctx, e)
		if e.complete != nil {
			r.complete(e)
		}
	}
}

func (r *runner) wanted(e entry) bool { return r.Config.Enabled(e.check.Info().ID) }

func (r *runner) closeFirst(ctx context.Context) {
	if first := r.env.Take(); first != nil {
		first.Close(ctx)
	}
}

// run runs a check and keeps its report. A panic is Sealmark's own fault and
// becomes the verdict error.
func (r *runner) run(ctx context.Context, e entry) {
	id := e.check.Info().ID
	begin := time.Now()
	r.Progress.Begin(id)
	report := r.guarded(ctx, e)
	r.keep(id, report, time.Since(begin))
	r.Progress.End(id, report.Verdict)
}

func (r *runner) guarded(ctx context.Context, e entry) (report check.Report) {
	defer caught(&report)
	report = e.check.Run(ctx, r.env)
	if e.reads && ctx.Err() != nil && report.Verdict == rule.Pass {
		report.Verdict, report.Reason = rule.Unverified, "The run was cut short before all was seen."
	}
	return report
}

// caught turns a panic into the verdict error. It is deferred.
func caught(report *check.Report) {
	if p := recover(); p != nil {
		*report = check.Report{Verdict: rule.Errored, Reason: fmt.Sprintf("sealmark failed in this check: %v", p)}
	}
}

// beside runs the part of a check that has a lane of its own, and adds its
// findings to the check's report.
func (r *runner) beside(ctx context.Context, e entry) {
	var part check.Report
	func() {
		defer caught(&part)
		part.Findings = e.beside(ctx, r.env)
	}()
	id := e.check.Info().ID
	r.mu.Lock()
	defer r.mu.Unlock()
	report := r.reports[id]
	report.Findings = append(report.Findings, part.Findings...)
	switch {
	case part.Verdict == rule.Errored:
		report.Verdict, report.Reason = part.Verdict, part.Reason
	case len(part.Findings) > 0 && report.Verdict == rule.Pass:
		report.Verdict, report.Reason = rule.Partial, part.Findings[0].Message
	}
	r.reports[id] = report
}

// complete completes a check's report with what the tape shows.
func (r *runner) complete(e entry) {
	id := e.check.Info().ID
	report := r.reports[id]
	if report.Verdict == rule.Errored {
		return
	}
	func() {
		defer caught(&report)
		report = e.complete(r.env, report)
	}()
	r.reports[id] = report
}

func (r *runner) keep(id string, report check.Report, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reports[id] = report
	r.seconds[id] = took.Seconds()
}

// result makes the result of the reports.
func (r *runner) result(ctx context.Context) *result.Result {
	c := r.Config
	res := &result.Result{
		SchemaVersion: result.SchemaVersion,
		Sealmark:      result.Build{Version: r.Version, Methodology: Methodology, Validator: validator},
		Server:        r.server(),
		Status:        result.Assessed,
		Completeness:  r.completeness(ctx),
		Deviations:    c.Deviations(),
		Rules:         Rules(),
		Findings:      []rule.Finding{},
		Notices:       []string{},
	}
	if res.Deviations == nil {
		res.Deviations = []string{}
	}
	for _, e := range r.catalog {
		res.Checks = append(res.Checks, r.check(ctx, e, res))
	}
	res.Findings = unique(res.Findings)
	own(res.Findings)
	ownForwarded(res, contract.ArgumentContract{}.Info())
	res.Notices = append(res.Notices, r.notices()...)
	if r.Snapshot != nil {
		res.Notices = append(res.Notices, "The server was not run: its snapshot was read from a file, so only passive checks apply.")
	}
	severities(res.Findings, c)
	check.Sort(res.Findings)
	res.Coverage = r.coverage()
	res.Snapshot = r.snapshot()
	res.Rates = r.rates()
	settle(res, c)
	return res
}

// Settle makes score and gate of a result anew, when more is known of its
// findings than the run knew: what is accepted, and what is new.
func Settle(res *result.Result, c *config.Config) {
	severities(res.Findings, c)
	check.Sort(res.Findings)
	settle(res, c)
}

func settle(res *result.Result, c *config.Config) {
	score.Fill(res)
	score.Gate(res, score.Limits{FailOn: c.FailOn, MinScore: c.MinScore, MinGrade: c.MinGrade, MinCoverage: c.MinCoverage, NewOnly: c.NewOnly})
}

// check turns the report of an entry into its line of the result and moves
// its findings there.
func (r *runner) check(ctx context.Context, e entry, res *result.Result) result.Check {
	info := e.check.Info()
	line := result.Check{ID: info.ID, Title: info.Title, Pack: info.Pack, Weight: info.Weight, CapsAt: info.CapsAt}
	report, ran := r.reports[info.ID]
	switch {
	case ran:
		line.Verdict, line.Reason, line.Probes = report.Verdict, report.Reason, report.Probes
		res.Findings = append(res.Findings, report.Findings...)
		if report.Contract != nil {
			res.Contract = report.Contract
		}
		if report.Stop != nil {
			res.Status, res.Reason = result.NotAssessed, report.Stop
		}
	case r.Snapshot != nil && !e.passive:
		line.Verdict, line.Reason = rule.NotApplicable, "It needs a live server; the snapshot was read from a file."
	case !r.wanted(e):
		line.Verdict, line.Reason = rule.NotApplicable, "The check is switched off."
	case ctx.Err() != nil:
		line.Verdict, line.Reason = rule.Unverified, "The run was cut short."
	default:
		line.Verdict, line.Reason = rule.Unverified, "The server was not started."
	}
	return line
}

func (r *runner) server() result.Server {
	c := r.Config
	shown := c.Command
	if r.Shown != nil {
		shown = r.Shown
	}
	s := result.Server{Key: r.Key, Transport: "stdio", Command: redactAll(r.env.Redact, shown), URL: r.env.Redact.Line(c.URL, 2000),
		Directory: c.Directory, Anchor: r.Anchor, Plan: r.Plan, Canaries: r.env.Given}
	if r.Box != nil {
		isolation := r.Box.Isolation()
		s.Isolation = &isolation
	}
	switch {
	case r.Snapshot != nil:
		s.Transport = result.FromSnapshot
	case c.URL != "":
		s.Transport = "streamable-http"
	}
	for name := range c.Env {
		s.Env = append(s.Env, name)
	}
	slices.Sort(s.Env)
	if snap := r.env.Snapshot; snap != nil {
		clean := func(text string) string { return r.env.Redact.Line(text, 200) }
		s.Name, s.Title, s.Version, s.ProtocolVersion = clean(snap.Name), clean(snap.Title), clean(snap.Version), clean(snap.ProtocolVersion)
	}
	return s
}

func redactAll(cleaner *redact.Redactor, list []string) []string {
	var clean []string
	for _, s := range list {
		clean = append(clean, cleaner.Line(s, 2000))
	}
	return clean
}

// severities applies rules.<id>.severity, which sets a rule exactly, and
// checks.<id>.severity, which is a ceiling. Points are not touched: the
// verdicts are in.
func severities(findings []rule.Finding, c *config.Config) {
	for i := range findings {
		f := &findings[i]
		if f.Flaky || f.Observed {
			continue
		}
		if exact, ok := c.RuleSeverity[f.Rule]; ok {
			f.Severity = rule.Severity(exact)
			continue
		}
		if ceiling, ok := c.Ceiling(f.Check); ok && f.Severity.Rank() > ceiling.Rank() {
			f.Severity = ceiling
		}
	}
}

// unique keeps one finding per rule and subject. A confirmed one wins over a
// flaky one, and the first of a kind over the others.
func unique(findings []rule.Finding) []rule.Finding {
	at := map[string]int{}
	kept := findings[:0]
	for _, f := range findings {
		i, twice := at[f.ID]
		switch {
		case !twice:
			at[f.ID] = len(kept)
			kept = append(kept, f)
		case kept[i].Flaky && !f.Flaky:
			kept[i] = f
		}
	}
	return kept
}

func sortRules(rules []rule.Rule) {
	slices.SortFunc(rules, func(a, b rule.Rule) int { return cmp.Compare(a.ID, b.ID) })
}
