package source

import (
	"context"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// Fill gives the findings of a result that count for readers their places in
// the repository. Those that it is not sure of keep none, and so do all if the
// repository does not seem to be the server's own. An error means that the
// repository could not be read, and no finding was changed.
func Fill(ctx context.Context, r *result.Result, o Options) error {
	wanted := func(f rule.Finding) bool { return f.ExplainedBy == "" && f.Location == nil }
	if !slices.ContainsFunc(r.Findings, wanted) {
		return nil
	}
	x, err := open(ctx, o)
	if err != nil || !x.owns(r) {
		return err
	}
	type what struct{ subject, argument string }
	known := map[what]*rule.Location{}
	for _, f := range r.Findings {
		w := what{subject(r, f.Subject), f.Argument}
		if _, done := known[w]; done || !wanted(f) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		known[w] = x.locate(w.subject, w.argument)
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		if at := known[what{subject(r, f.Subject), f.Argument}]; at != nil && wanted(*f) {
			f.Location = new(*at)
		}
	}
	return nil
}

// subject is what a finding is to be shown at: the tool, prompt or resource
// that it is about, else the server.
func subject(r *result.Result, s string) string {
	switch kind, _, _ := strings.Cut(s, ":"); kind {
	case kindTool, kindPrompt, kindResource:
		return s
	}
	return kindServer + ":" + r.Server.Name
}

// owns reports whether the server of a result is one of the repository's: it
// was launched from there, the repository names it, or defines at least half of
// its tools.
func (x *index) owns(r *result.Result) bool {
	if x.own {
		return true
	}
	if x.defines(kindServer, r.Server.Name) {
		return true
	}
	if r.Snapshot == nil {
		return false
	}
	const most = 20
	tools := r.Snapshot.Tools[:min(most, len(r.Snapshot.Tools))]
	found := 0
	for _, name := range tools {
		if x.defines(kindTool, name) {
			found++
		}
	}
	return found > 1 && 2*found >= len(tools)
}
