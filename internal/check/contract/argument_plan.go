package contract

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/argument"
	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
)

// maxPlanned bounds the candidates that are made for a run. Most of them are
// not sent; they are counted in the matrix.
const maxPlanned = 20_000

// row is a tool and its candidates.
type row struct {
	tool                session.Tool
	parameters, outputs []string
	observed            bool
	// list holds the candidates that are sent, and kept those that are not.
	list, kept []argument.Candidate
	unmade     []argument.Unsent
	// reasons say why candidates are not sent.
	reasons []string
	// outcomes holds what became of each candidate that was sent, by its id.
	outcomes map[string]result.Outcome
	rates    result.Rates
	// prompt: a malformed call was carried out quickly, so that the tool is
	// known not to be slow by nature.
	prompt bool
	// hung: a call got no answer that a server could not have carried out.
	hung bool
}

// plan makes the candidates of all tools and chooses those that are sent.
func (r *argumentRun) plan(ctx context.Context) {
	seen := map[string]bool{}
	planned := 0
	for _, t := range r.Env.Snapshot.Tools {
		if seen[t.Name] || ctx.Err() != nil {
			continue
		}
		seen[t.Name] = true
		w := &row{tool: t, parameters: argument.Properties(t.InputSchema), outputs: reply.Outputs(t.OutputSchema),
			observed: r.observe || r.Env.Config.Contract.Observed(t.Name), outcomes: map[string]result.Outcome{}}
		r.rows = append(r.rows, w)
		if planned > maxPlanned {
			w.reasons = append(w.reasons, fmt.Sprintf("none was made: the run stops at %d candidates", maxPlanned))
			continue
		}
		r.candidates(w)
		planned += len(w.list) + len(w.kept)
	}
	r.share()
}

// candidates makes the candidates of a tool, and keeps back those that may not
// be sent.
func (r *argumentRun) candidates(w *row) {
	schema, err := argument.Compile(w.tool.InputSchema)
	if err != nil {
		w.reasons = append(w.reasons, "the input schema can't be used: "+r.Env.Redact.Line(err.Error(), 200))
		return
	}
	most, _ := r.Env.Config.Int(argumentContract, "max_candidates")
	made := schema.Contract(most)
	w.list, w.unmade = made.List, made.Unsent
	if made.BaseReason != "" {
		w.reasons = append(w.reasons, "what needs valid arguments around it, since none could be made: "+r.Env.Redact.Line(made.BaseReason, 200))
	}
	// Null for a tool that requires nothing is as good as no arguments at all.
	w.list = slices.DeleteFunc(w.list, func(c argument.Candidate) bool { return c.Shape == argument.ArgumentsNull && c.Near })
	if made.Truncated > 0 {
		w.reasons = append(w.reasons, fmt.Sprintf("%d beyond the first %d (checks.argument-contract.max_candidates)", made.Truncated, most))
	}
	// What is required but not declared is a fault of the schema, which
	// protocol.schema-required-mismatch owns.
	if n := w.keep(func(c argument.Candidate) bool {
		return c.Shape == argument.RequiredIgnored && !slices.Contains(w.parameters, left(c.Pointer))
	}); n > 0 {
		w.reasons = append(w.reasons, fmt.Sprintf("%d for what is required but not declared", n))
	}
	if r.silenced(w.tool) {
		w.keepAll("robust-input has seen this tool take the server down or hang")
		r.left++
		return
	}
	if r.Env.Snapshot.ReadOnly(w.tool.Name) || r.Env.Config.Contract.MayWrite(w.tool.Name) {
		return
	}
	if n := w.keep(func(c argument.Candidate) bool { return c.Near }); n > 0 {
		r.mayWrite += n
		w.reasons = append(w.reasons, fmt.Sprintf("%d since the tool may write", n))
	}
}

// silenced reports whether robust-input has confirmed that calls of the tool
// take the server down or hang.
func (r *argumentRun) silenced(t session.Tool) bool {
	for _, id := range []string{"robust.crashed", "robust.hang", "robust.stopped-answering"} {
		if f, ok := r.robustFinding(id, t); ok && !f.Flaky {
			return true
		}
	}
	return false
}

// keep keeps candidates back and returns how many.
func (w *row) keep(back func(argument.Candidate) bool) int {
	before := len(w.list)
	var list []argument.Candidate
	for _, c := range w.list {
		if back(c) {
			w.kept = append(w.kept, c)
		} else {
			list = append(list, c)
		}
	}
	w.list = list
	return before - len(list)
}

func (w *row) keepAll(reason string) {
	w.keep(func(argument.Candidate) bool { return true })
	w.reasons = append(w.reasons, reason)
}

// share gives each tool the same share where there are more candidates than
// may be sent in all.
func (r *argumentRun) share() {
	most, _ := r.Env.Config.Int(argumentContract, "max_total")
	total := func(each int) int {
		n := 0
		for _, w := range r.rows {
			n += min(each, len(w.list))
		}
		return n
	}
	each := 0
	for _, w := range r.rows {
		each = max(each, len(w.list))
	}
	if total(each) <= most {
		return
	}
	for each > 0 && total(each) > most {
		each--
	}
	for _, w := range r.rows {
		if left := len(w.list) - each; left > 0 {
			w.kept = append(w.kept, w.list[each:]...)
			w.list = w.list[:each:each]
			w.reasons = append(w.reasons, fmt.Sprintf("%d beyond its share (checks.argument-contract.max_total)", left))
			r.shared += left
		}
	}
}

// robustFinding returns a finding of robust-input about a tool.
func (r *argumentRun) robustFinding(id string, t session.Tool) (rule.Finding, bool) {
	subject := r.subject(t)
	i := slices.IndexFunc(r.robust.Findings, func(f rule.Finding) bool { return f.Rule == id && f.Subject == subject })
	if i < 0 {
		return rule.Finding{}, false
	}
	return r.robust.Findings[i], true
}

// explained reports whether robust-input has seen the same fault of the same
// argument: its variants break all arguments at once, so that one that was
// accepted shows what a candidate for a single argument shows.
func explained(robust check.Tool, c argument.Candidate) bool {
	saw := func(probes ...string) bool {
		return slices.ContainsFunc(probes, func(p string) bool { return slices.Contains(robust.Accepted, p) })
	}
	top := strings.Count(c.Pointer, "/") <= 1
	switch c.Shape {
	case argument.WrongType, argument.BooleanAsInteger, argument.StringCoerced, argument.FloatAsInteger:
		return top && saw(argument.WrongTypes, argument.ExtraArgument)
	case argument.NullAccepted:
		return top && saw(argument.Nulls)
	case argument.RequiredIgnored:
		return top && saw(argument.MissingRequired) || !top && saw(argument.NestedItem)
	case argument.ArgumentsArray, argument.ArgumentsString, argument.ArgumentsNull:
		return saw(argument.MissingRequired)
	}
	return false
}
