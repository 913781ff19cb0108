package compare

import (
	"slices"
	"strings"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// surfaceCheck is the check that changes of the surface belong to.
const surfaceCheck = "surface"

// Apart reports whether a finding is not compared: those of these checks are
// about the comparison and the configuration, and no base has them.
func Apart(f rule.Finding) bool { return f.Check == surfaceCheck || f.Check == "accepted" }

// findings tells new findings from old ones, and fixed ones from those that
// were not looked for.
func (c *comparer) findings() {
	now, base := byIdentity(c.now.Findings), byIdentity(c.base.Findings)
	var lacking []string
	for _, f := range c.now.Reported() {
		before, was := base[identity(f)]
		switch {
		case Apart(f):
		case was:
			if worse(f, before) {
				c.out.Worse = append(c.out.Worse, f.ID)
			}
		case f.Flaky:
			c.out.Unsure = append(c.out.Unsure, f.ID)
		default:
			unknownRule, sure := c.soughtInBase(f)
			if unknownRule && !slices.Contains(lacking, f.Rule) {
				lacking = append(lacking, f.Rule)
			}
			if sure {
				c.out.New = append(c.out.New, f.ID)
			} else {
				c.out.Unsure = append(c.out.Unsure, f.ID)
			}
		}
	}
	if len(lacking) > 0 {
		c.why("The version of Sealmark that made the base does not know %s: what they found is not called new.", listed(lacking))
	}
	left := 0
	for _, f := range c.base.Reported() {
		if _, is := now[identity(f)]; is || Apart(f) || f.Flaky {
			continue
		}
		list := &c.out.Unknown
		if c.soughtNow(f) {
			list = &c.out.Fixed
		}
		if len(*list) == maxFindings {
			left++
			continue
		}
		*list = append(*list, copied(f))
	}
	if left > 0 {
		c.why("The base holds %s more that were not found now; they are left out here.", rule.Counted(left, "finding"))
	}
}

// worse reports whether a finding is graver than it was. One that was flaky is
// the same fault, whatever its severity was then.
func worse(f, before rule.Finding) bool {
	return f.Severity.Rank() > before.Severity.Rank() && !before.Flaky && !before.Observed && before.ExplainedBy == ""
}

// identity is the same for the same fault in each run. The id in a file is not
// relied on.
func identity(f rule.Finding) string { return rule.FindingID(f.Rule, f.Subject) }

func byIdentity(findings []rule.Finding) map[string]rule.Finding {
	all := make(map[string]rule.Finding, len(findings))
	for _, f := range findings {
		all[identity(f)] = f
	}
	return all
}

// soughtInBase reports whether the base would have a finding if the fault had
// been there, and whether its version does not know the rule.
func (c *comparer) soughtInBase(f rule.Finding) (unknownRule, sure bool) {
	if !slices.ContainsFunc(c.base.Rules, func(r rule.Rule) bool { return r.ID == f.Rule }) {
		return true, false
	}
	return false, sought(c.base, c.now, f)
}

// soughtNow reports whether a finding of the base would be here if the fault
// still were.
func (c *comparer) soughtNow(f rule.Finding) bool {
	if !slices.ContainsFunc(c.now.Rules, func(r rule.Rule) bool { return r.ID == f.Rule }) {
		return false
	}
	return gone(c.now, f.Subject) || sought(c.now, c.base, f)
}

// sought reports whether a run looked for a fault at least as hard as the run
// that found it did.
func sought(run, finder *result.Result, f rule.Finding) bool {
	check, there := checkNamed(run.Checks, f.Check)
	if _, ended := check.Verdict.Points(); !there || !ended {
		return false
	}
	before, _ := checkNamed(finder.Checks, f.Check)
	if slices.Contains(onKnownCalls, f.Check) && sum(check.Probes) < sum(before.Probes) {
		return false
	}
	if f.Check == "argument-contract" && sentLess(run.Contract, finder.Contract, f.Subject) {
		return false
	}
	if hidden(run, finder, f) {
		return false
	}
	kind, name, _ := strings.Cut(f.Subject, ":")
	if kind == "tool" && slices.Contains(run.Coverage.Unprobed, name) && !slices.Contains(finder.Coverage.Unprobed, name) {
		return false
	}
	names, complete := listing(run, kind)
	return complete || lists[kind] == "" || slices.Contains(names, name)
}

// hidden reports whether a run found something graver where the fault was, which
// the finder did not: a tool that dies answers no question of how it refuses.
func hidden(run, finder *result.Result, f rule.Finding) bool {
	others := byIdentity(finder.Findings)
	return slices.ContainsFunc(run.Findings, func(g rule.Finding) bool {
		_, both := others[identity(g)]
		return !both && g.Check == f.Check && g.Subject == f.Subject && g.Severity.Rank() > f.Severity.Rank()
	})
}

// onKnownCalls are the checks that rest on the calls of the configuration. Who
// takes one out of it mends nothing.
var onKnownCalls = []string{"user-probes", "call-limits", "forwarding", "output-contract", "error-contract"}

func sum(counts map[string]int) int {
	n := 0
	for _, count := range counts {
		n += count
	}
	return n
}

// sentLess reports whether a run sent fewer malformed arguments than another
// one: to the tool of a finding, or in all.
func sentLess(run, other *result.Contract, subject string) bool {
	if other == nil {
		return false
	}
	if run == nil {
		return true
	}
	return sent(run, subject) < sent(other, subject)
}

func sent(c *result.Contract, subject string) int {
	name, ofTool := strings.CutPrefix(subject, "tool:")
	if !ofTool {
		return c.Total.Sent()
	}
	for _, t := range c.Tools {
		if t.Tool == name {
			return t.Total.Sent()
		}
	}
	return 0
}

// gone reports whether the subject of a finding is no longer offered for
// certain: its list was read to the end and does not hold it.
func gone(r *result.Result, subject string) bool {
	kind, name, ofItem := strings.Cut(subject, ":")
	names, complete := listing(r, kind)
	return ofItem && complete && !slices.Contains(names, name)
}

// listing returns the names in the list of a kind of item, and whether it was
// read to its end. A list that is not advertised is complete and empty.
func listing(r *result.Result, kind string) (names []string, complete bool) {
	s := r.Snapshot
	if s == nil {
		return nil, false
	}
	switch kind {
	case "tool":
		names = s.Tools
	case "resource":
		names = s.Resources
	case "template":
		names = s.Templates
	case "prompt":
		names = s.Prompts
	default:
		return nil, false
	}
	i := slices.IndexFunc(r.Completeness.Capabilities, func(c result.Capability) bool { return c.Name == lists[kind] })
	return names, i < 0 || r.Completeness.Capabilities[i].State == "complete"
}

// lists names the lists by the kind of their items.
var lists = map[string]string{"tool": "tools", "resource": "resources", "template": "resource templates", "prompt": "prompts"}

// copied is a finding of the base as the comparison holds it: what it says,
// without its evidence.
func copied(f rule.Finding) rule.Finding {
	severity, err := rule.ParseSeverity(string(f.Severity))
	if err != nil {
		severity = rule.Note
	}
	return rule.Finding{
		ID: line(identity(f), 300), Rule: line(f.Rule, 100), Check: line(f.Check, 100), Subject: line(f.Subject, 300),
		Severity: severity, Message: line(f.Message, 1000), Count: min(max(1, f.Count), 1<<30),
	}
}
