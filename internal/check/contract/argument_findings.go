package contract

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/argument"
	"github.com/sealmark/action/internal/check/probe"
	"github.com/sealmark/action/internal/rawjson"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/rule"
)

// group is what becomes one finding: a rule, and the tool or the server.
type group struct {
	rule, subject, text string
	severity            rule.Severity
	evidence            rule.Evidence
	probe               string
	places, tools       []string
	// argument are the tokens of the place that all candidates are within.
	argument []string
	count    int
	// explained: robust-input saw all of it; observed: it counts for nothing.
	explained, observed bool
}

const (
	maxPlaces = 5  // arguments in a message
	maxTools  = 20 // tools in a message
	maxShown  = 64 // candidates in the evidence
)

// accepted records that the candidate was accepted.
func (r *argumentRun) accepted(call probe.Call, answer reply.Answer, reading reply.Reading) {
	r.at.rates.InvalidAccepted.Count++
	s := named(r.candidate.Shape)
	if reading.Class == reply.Clamped {
		r.note("contract.clamped", clampedText, "", call, answer, reading.Match)
		return
	}
	severity := rule.Severity("")
	if s.id == argument.ArgumentsNull {
		severity = rule.Note // which many clients write for no arguments
	}
	r.note(s.rule, s.text, severity, call, answer, "")
}

// note adds what a candidate shows to its group.
func (r *argumentRun) note(ruleID, text string, severity rule.Severity, call probe.Call, answer reply.Answer, match string) {
	declared, _ := argumentContractInfo.Rule(ruleID)
	if severity == "" {
		severity = declared.Severity
	}
	subject := r.subject(r.at.tool)
	if onceForServer(ruleID) {
		subject = "server"
	}
	key := ruleID + "\x00" + subject
	g := r.groups[key]
	if g == nil {
		g = &group{rule: ruleID, subject: subject, text: text, explained: true, observed: true}
		r.groups[key] = g
		r.order = append(r.order, key)
	}
	if at := rawjson.Tokens(call.Argument); g.count == 0 {
		g.argument = at
	} else {
		g.argument = together(g.argument, at)
	}
	if g.count == 0 || severity.Rank() > g.severity.Rank() {
		// The gravest one is shown.
		g.severity, g.probe = severity, call.Name
		candidates := g.evidence.Candidates
		g.evidence = probe.Evidence(r.Env, answer)
		g.evidence.Match, g.evidence.Candidates = r.Env.Redact.Line(match, 300), candidates
	}
	g.count++
	g.explained = g.explained && ruleID != "contract.partial-output" && r.seenByRobust()
	g.observed = g.observed && r.at.observed
	if len(g.evidence.Candidates) < maxShown {
		g.evidence.Candidates = append(g.evidence.Candidates, call.Name)
	}
	add := func(list *[]string, s string) {
		if !slices.Contains(*list, s) {
			*list = append(*list, s)
		}
	}
	add(&g.places, r.place())
	add(&g.tools, r.Env.Redact.Line(r.at.tool.Name, 80))
}

// seenByRobust reports whether robust-input has a finding for the same fault
// of the tool.
func (r *argumentRun) seenByRobust() bool {
	f, ok := r.robustFinding("robust.accepted-invalid", r.at.tool)
	return ok && !f.Flaky && explained(r.robust.Tools[r.at.tool.Name], r.candidate)
}

// place names what the candidate breaks, for a message.
func (r *argumentRun) place() string {
	switch r.candidate.Shape {
	case argument.ArgumentsArray:
		return "a list"
	case argument.ArgumentsString:
		return "a text"
	case argument.ArgumentsNull:
		return "null"
	}
	var b strings.Builder
	for i, part := range rawjson.Tokens(r.candidate.Pointer) {
		switch {
		case strings.Trim(part, "0123456789") == "":
			b.WriteString("[" + part + "]")
		case i > 0:
			b.WriteString("." + part)
		default:
			b.WriteString(part)
		}
	}
	if b.Len() == 0 {
		return "the arguments as a whole"
	}
	return r.Env.Redact.Line(b.String(), 80)
}

// finish turns the groups into findings. What robust-input says of a tool is
// not said again.
func (r *argumentRun) finish() []rule.Finding {
	for _, key := range r.order {
		g := r.groups[key]
		f := rule.Finding{Rule: g.rule, Subject: g.subject, Argument: r.argument(g), Severity: g.severity, Message: r.message(g), Probe: g.probe, Count: g.count, Evidence: g.evidence, Observed: g.observed}
		if len(f.Evidence.Candidates) == 1 {
			f.Evidence.Candidates = nil
		}
		if g.explained {
			f.ExplainedBy = rule.FindingID("robust.accepted-invalid", g.subject)
		}
		r.Findings.Add(f)
	}
	rows := map[string]*row{}
	for _, w := range r.rows {
		rows[r.subject(w.tool)] = w
	}
	var list []rule.Finding
	for _, f := range r.Findings.List() {
		if strings.HasPrefix(f.Rule, "robust.") {
			w := rows[f.Subject]
			if r.knownToRobust(f) || f.Rule == "robust.hang" && w.slow() {
				continue
			}
			if f.Observed = w.observed; f.Observed {
				f.Severity = rule.Note
			}
		}
		list = append(list, f)
	}
	return list
}

// argument is the place in a tool's arguments that a group is about.
func (r *argumentRun) argument(g *group) string {
	if g.subject == "server" {
		return ""
	}
	return probe.Argument(r.Env, rawjson.Pointer(g.argument))
}

// together is what two lists have in common at their beginnings.
func together(a, b []string) []string {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

// slow reports whether the calls without an answer may just be long ones: a
// server that ignores the fault of a nearly valid call carries it out, and
// nothing shows how long that takes.
func (w *row) slow() bool { return !w.hung && !w.prompt }

// knownToRobust reports whether robust-input has the finding already: a
// confirmed one, or a flaky one like this.
func (r *argumentRun) knownToRobust(f rule.Finding) bool {
	return slices.ContainsFunc(r.robust.Findings, func(k rule.Finding) bool { return k.ID == f.ID && (!k.Flaky || f.Flaky) })
}

func (r *argumentRun) message(g *group) string {
	if onceForServer(g.rule) {
		return fmt.Sprintf("%s of the server %s %s: %s.", rule.Counted(len(g.tools), "tool"), verb(len(g.tools), "accept"), g.text, listed(g.tools, maxTools))
	}
	return fmt.Sprintf("Tool \"%s\" "+g.text+".", g.tools[0], listed(g.places, maxPlaces))
}

func verb(n int, stem string) string {
	if n == 1 {
		return stem + "s"
	}
	return stem
}

// listed writes the first names of a list and how many follow.
func listed(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
}
