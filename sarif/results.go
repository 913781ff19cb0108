package sarif

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	gosarif "github.com/owenrumney/go-sarif/v2/sarif"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

const (
	maxMessage = 1024 // characters of a message, escapes included
	maxSubject = 300  // bytes of a tool's name
	maxCount   = 1 << 30
)

// reported are the findings that concern a reader of code scanning, the
// gravest first: none that another one explains, one per rule and subject, and
// flaky and observed ones as notes.
func reported(findings []rule.Finding) []rule.Finding {
	list := make([]rule.Finding, 0, len(findings))
	for _, f := range findings {
		if f.ExplainedBy != "" {
			continue
		}
		f.Subject = orDefault(f.Subject, "server")
		f.Severity = rule.Severity(level(f.Severity))
		if f.Flaky || f.Observed {
			f.Severity = rule.Note
		}
		f.Count = min(max(1, f.Count), maxCount)
		list = append(list, f)
	}
	slices.SortStableFunc(list, func(a, b rule.Finding) int {
		return cmp.Or(cmp.Compare(b.Severity.Rank(), a.Severity.Rank()), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Subject, b.Subject))
	})
	type identity struct{ rule, subject string }
	first := map[identity]int{}
	kept := list[:0]
	for _, f := range list {
		id := identity{f.Rule, f.Subject}
		if i, twice := first[id]; twice {
			kept[i].Count = min(kept[i].Count+f.Count, maxCount)
			continue
		}
		first[id] = len(kept)
		kept = append(kept, f)
	}
	return kept
}

// concrete are the findings that belong into code scanning: defects, not
// advice, and the accepted ones only where they can be told apart.
func concrete(r *result.Result, o Options) []rule.Finding {
	advice := map[string]bool{}
	for _, known := range r.Rules {
		advice[known.ID] = known.Advice
	}
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f rule.Finding) bool {
		return advice[f.Rule] || o.OmitAccepted && f.Accepted != nil
	})
}

// suppressions say that a finding is accepted.
func (c *converter) suppressions(f rule.Finding) []suppression {
	switch {
	case !c.suppressed:
		return nil
	case f.Accepted == nil:
		return []suppression{}
	}
	why := f.Accepted.Reason
	if f.Accepted.Until != "" {
		why += " (until " + f.Accepted.Until + ")"
	}
	return []suppression{{Kind: "external", Status: "accepted", Justification: orDefault(line(why, maxMessage), "accepted")}}
}

// subjectRest is the subject of a finding that stands for several.
const subjectRest = ""

// maxPerRule is how many results of one rule a reader is shown.
const maxPerRule = 100

// capped keeps maxPerRule findings of each rule, the first most in all at
// most. Those left out are counted, and each of their rules is represented by
// one finding.
func capped(findings []rule.Finding, most int, titles map[string]string) (shown []rule.Finding, left int) {
	count := map[string]int{}
	for _, f := range findings {
		count[f.Rule]++
	}
	keep := most - min(len(count), most/2)
	rest := map[string]*rule.Finding{}
	var order []string
	clear(count)
	for _, f := range findings {
		if count[f.Rule]++; count[f.Rule] <= maxPerRule && len(shown) < keep {
			shown = append(shown, f)
			continue
		}
		left++
		if rest[f.Rule] == nil {
			rest[f.Rule] = &rule.Finding{Rule: f.Rule, Subject: subjectRest, Severity: f.Severity}
			order = append(order, f.Rule)
		}
		rest[f.Rule].Count++
	}
	for _, id := range order[:min(len(order), most-len(shown))] {
		f := rest[id]
		f.Message = fmt.Sprintf("The server has %d more findings of the rule %s (%s). They are left out here: code scanning gets %d of a rule at most. The result file holds all.", f.Count, id, titles[id], maxPerRule)
		shown = append(shown, *f)
	}
	return shown, left
}

// finding is the SARIF result of a finding.
func (c *converter) finding(f rule.Finding, evidence int) *gosarif.Result {
	places := []rule.Location{c.result.Server.Anchor}
	if f.Location != nil {
		places = []rule.Location{*f.Location, c.result.Server.Anchor}
	}
	uri, line, column := place(places, c.root)
	location := gosarif.NewLocation().WithPhysicalLocation(gosarif.NewPhysicalLocation().
		WithArtifactLocation(gosarif.NewArtifactLocation().WithUri(uri)).
		WithRegion(gosarif.NewRegion().WithStartLine(line).WithStartColumn(column).WithEndLine(line).WithEndColumn(column)))
	if named := logical(f.Subject); named != nil {
		location.LogicalLocations = []*gosarif.LogicalLocation{named}
	}
	print := fingerprint(c.result.Server.Key, f)
	return &gosarif.Result{
		RuleID: new(f.Rule), RuleIndex: new(c.index[f.Rule]), Level: new(string(f.Severity)),
		Message:             gosarif.Message{Text: new(c.message(f))},
		Locations:           []*gosarif.Location{location},
		PartialFingerprints: map[string]any{"primaryLocationLineHash": print + ":1", "sealmark/v1": print},
		OccurrenceCount:     new(uint(f.Count)),
		PropertyBag:         gosarif.PropertyBag{Properties: details(f, evidence)},
	}
}

// logical is the tool, resource or prompt that a finding is about, nil for the
// server as a whole.
func logical(subject string) *gosarif.LogicalLocation {
	kind, name, ok := strings.Cut(subject, ":")
	kind, name = line(kind, 50), line(name, maxSubject)
	if !ok || kind == "" || name == "" {
		return nil
	}
	return &gosarif.LogicalLocation{Name: new(name), FullyQualifiedName: new(kind + ":" + name), Kind: new(kind)}
}

// message is what a person reads first.
func (c *converter) message(f rule.Finding) string {
	return escaped(orDefault(f.Message, c.titles[f.Rule]+": "+line(f.Subject, maxSubject)))
}

// details are the properties of a result: evidence is the bound in bytes of
// each text of it, 0 for none.
func details(f rule.Finding, evidence int) gosarif.Properties {
	p := gosarif.Properties{}
	if f.ID != "" {
		p["finding"] = line(f.ID, maxSubject)
	}
	if f.Probe != "" {
		p["probe"] = line(f.Probe, maxSubject)
	}
	if f.Flaky {
		p["flaky"] = true
	}
	if f.Observed {
		p["observed"] = true
	}
	shown := map[string]string{}
	for name, s := range map[string]string{
		"request": f.Evidence.Request, "reply": f.Evidence.Reply, "detail": f.Evidence.Detail,
		"match": f.Evidence.Match, "stderr": f.Evidence.Stderr,
	} {
		if s = text(s, evidence); s != "" && evidence > 0 {
			shown[name] = s
		}
	}
	if len(shown) > 0 {
		p["evidence"] = shown
	}
	return p
}

// fingerprint is the identity of a finding among all of the repository; it
// rests on nothing that changes from run to run.
func fingerprint(key string, f rule.Finding) string {
	parts := []string{key, f.Rule, f.Subject}
	if f.Subject == subjectRest {
		parts = parts[:2]
	}
	data, _ := json.Marshal(parts) // strings always marshal
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}
