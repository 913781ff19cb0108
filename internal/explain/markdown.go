package explain

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/rule"
)

// ordered are the headings of the sections in the order of the documentation;
// those of the prose that are not among them follow.
var ordered = []string{"How the verdict is established", "Scoring", "What to fix", "False positives", "False negatives", "Notes", "Probe details", "How a rejection is read", "Thresholds", "Limits"}

// checkMarkdown writes the documentation of a check, with its title at a
// heading level.
func checkMarkdown(c rule.Check, general []rule.Key, level int) string {
	var b strings.Builder
	h := func(n int, text string) { fmt.Fprintf(&b, "%s %s\n\n", strings.Repeat("#", level+n), text) }
	h(0, c.ID)
	fmt.Fprintf(&b, "**%s.** %s\n\n", c.Title, c.Summary)
	b.WriteString(head(c))
	h(1, "Probes")
	b.WriteString(probes(c))
	h(1, "Settings and thresholds")
	b.WriteString(settings(c, general))
	for _, heading := range ordered {
		body := c.Section(heading)
		switch heading {
		case "Scoring":
			body = scoring(c)
		case "Thresholds":
			body = verdicts(c)
		}
		if body != "" {
			h(1, heading)
			b.WriteString(body + "\n\n")
		}
	}
	for _, s := range c.Sections {
		if !slices.Contains(ordered, s.Heading) {
			h(1, s.Heading)
			b.WriteString(s.Body + "\n\n")
		}
	}
	h(1, "Rules")
	for _, r := range c.Rules {
		b.WriteString(ruleMarkdown(r, level+2))
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// head writes the fields at the head of a check.
func head(c rule.Check) string {
	keys := []string{"checks." + c.ID + ".enabled", "checks." + c.ID + ".severity"}
	for _, k := range c.Keys {
		keys = append(keys, k.Name)
	}
	if usesProbeLimit(c) {
		keys = append(keys, probeLimit)
	}
	rows := [][]string{
		{"Field", "Value"},
		{"pack", c.Pack},
		{"weight", string(c.Weight)},
		{"scope", c.Scope},
		{"decided by", c.DecidedBy},
		{"since", c.Since},
		{"config keys", "`" + strings.Join(keys, "`, `") + "`"},
	}
	return table(rows) + "\n"
}

// probeLimit is the general key that limits a probe.
const probeLimit = "timeout_probe_sec"

// usesProbeLimit reports whether the texts of a check speak of the limit of a
// probe.
func usesProbeLimit(c rule.Check) bool {
	for _, s := range c.Sections {
		if strings.Contains(s.Body, probeLimit) {
			return true
		}
	}
	return false
}

func probes(c rule.Check) string {
	var b strings.Builder
	core, part := false, false
	for _, p := range c.Probes {
		fmt.Fprintf(&b, "- **%s**: %s", p.ID, p.Text)
		var marks []string
		if p.Part {
			marks = append(marks, "part")
			part = true
		}
		if p.Core {
			marks = append(marks, "core")
			core = true
		}
		if len(marks) > 0 {
			fmt.Fprintf(&b, " *(%s)*", strings.Join(marks, ", "))
		}
		b.WriteByte('\n')
	}
	var legend []string
	if core {
		legend = append(legend, "*core* marks the canonical probes, which decide the verdict; the others are extra coverage.")
	}
	if part {
		legend = append(legend, "*part* marks what costs half a point.")
	}
	if len(legend) > 0 {
		b.WriteString("\n" + strings.Join(legend, " ") + "\n")
	}
	return b.String() + "\n"
}

// allKeys are the keys of a check and the general ones that its texts speak of.
func allKeys(c rule.Check, general []rule.Key) []rule.Key {
	keys := slices.Clip(c.Keys)
	for _, k := range general {
		if k.Name == probeLimit && usesProbeLimit(c) {
			keys = append(keys, k)
		}
	}
	return keys
}

// settings writes the thresholds and the keys of a check.
func settings(c rule.Check, general []rule.Key) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Each check also takes `checks.%s.enabled` and `checks.%s.severity`; the configuration reference describes them.\n\n", c.ID, c.ID)
	keys := allKeys(c, general)
	thresholds := [][]string{{"Threshold", "Default", "Set with", "Standard"}}
	for _, k := range keys {
		if k.Threshold {
			thresholds = append(thresholds, []string{"`" + k.Name[strings.LastIndex(k.Name, ".")+1:] + "`", "`" + defaultText(k) + "`", "`" + k.Name + "`", locked(k)})
		}
	}
	if len(thresholds) > 1 {
		b.WriteString(table(thresholds) + "\n")
	}
	if len(keys) > 0 {
		b.WriteString(keyTable(keys) + "\n")
	}
	return b.String()
}

func keyTable(keys []rule.Key) string {
	rows := [][]string{{"Key", "Default", "Standard", "Meaning"}}
	for _, k := range keys {
		meaning := k.Meaning
		if len(k.Enum) > 0 {
			meaning += " One of " + strings.Join(k.Enum, ", ") + "."
		}
		if k.Flag != "" {
			meaning += " Flag `" + k.Flag + "`."
		}
		rows = append(rows, []string{"`" + k.Name + "`", "`" + defaultText(k) + "`", locked(k), meaning})
	}
	return table(rows)
}

func defaultText(k rule.Key) string {
	if k.Default == nil || k.Default == "" {
		return "none"
	}
	data, err := json.Marshal(k.Default)
	if err != nil {
		return fmt.Sprint(k.Default)
	}
	return strings.Trim(string(data), `"`)
}

func locked(k rule.Key) string {
	if k.Locked {
		return "locked"
	}
	return "free"
}

// scoring makes a sentence of a check's weight.
func scoring(c rule.Check) string {
	const points = "pass = 1 point, partial = 0.5, fail = 0. "
	switch c.Weight {
	case rule.Scored:
		return "scored: " + points + "A fail lowers the pack's percentage but never caps the letter."
	case rule.Cap:
		return "cap: " + points + "A fail caps the letter at " + c.CapsAt + "."
	case rule.Gate:
		return "gate: no points. After a fail the run is not assessed: it has no score, no letter and exit code 3."
	}
	return "advisory: reported, no points."
}

func verdicts(c rule.Check) string {
	rows := [][]string{{"Verdict", "When"}}
	for _, v := range c.Verdicts {
		rows = append(rows, []string{string(v.Verdict), v.When})
	}
	return strings.TrimRight(table(rows), "\n")
}

func ruleMarkdown(r rule.Rule, level int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n\n", strings.Repeat("#", level), r.ID)
	fmt.Fprintf(&b, "**%s.** %s\n\n", r.Title, r.Description)
	fmt.Fprintf(&b, "Severity: %s.", severities(r))
	if r.SecuritySeverity > 0 {
		fmt.Fprintf(&b, " Security severity: %.1f.", r.SecuritySeverity)
	}
	if r.Advice {
		b.WriteString(" Advice: it stands in comment and summary, not in code scanning.")
	}
	fmt.Fprintf(&b, " Since %s.\n\n", r.Since)
	fmt.Fprintf(&b, "**What to fix.** %s\n\n", r.Fix)
	if r.Example != "" {
		fmt.Fprintf(&b, "**Example.** %s\n\n", r.Example)
	}
	if len(r.References) > 0 {
		b.WriteString("Rests on: ")
		for i, ref := range r.References {
			if i > 0 {
				b.WriteString("; ")
			}
			b.WriteString(reference(ref))
		}
		b.WriteString(".\n\n")
	}
	return b.String()
}

func reference(r rule.Reference) string {
	text := r.Title
	for _, part := range []string{r.Revision, r.Section} {
		if part != "" {
			text += ", " + part
		}
	}
	if r.URL != "" {
		return "[" + text + "](" + r.URL + ")"
	}
	return text
}

// table writes rows as a Markdown table; the first row is its head.
func table(rows [][]string) string {
	var b strings.Builder
	for i, row := range rows {
		for _, cell := range row {
			fmt.Fprintf(&b, "| %s ", strings.ReplaceAll(strings.ReplaceAll(cell, "\n", " "), "|", `\|`))
		}
		b.WriteString("|\n")
		if i == 0 {
			b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
	return b.String()
}
