// Package explain renders the documentation of checks, rules and keys from
// their own data: on a terminal, as Markdown, as JSON. It holds no text of its
// own beyond headings and the sentences that it makes of the data.
package explain

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/nearest"
	"github.com/sealmark/action/internal/rule"
)

// Format is a form of output.
type Format string

// The forms.
const (
	Text     Format = "text"
	Markdown Format = "markdown"
	JSON     Format = "json"
)

// ParseFormat reads the name of a form.
func ParseFormat(name string) (Format, error) {
	switch f := Format(name); f {
	case Text, Markdown, JSON:
		return f, nil
	}
	return "", fmt.Errorf("unknown format %q: use text, markdown or json", name)
}

// UnknownError says that there is no check and no rule of a name.
type UnknownError struct {
	ID string
	// Nearest is the id that is most like it, "" if none is.
	Nearest string
	// Known lists the rules of the same family, or all checks.
	Known []string
}

func (e *UnknownError) Error() string {
	text := fmt.Sprintf("there is no check and no rule %q", e.ID)
	if e.Nearest != "" {
		return text + fmt.Sprintf(": did you mean %q?", e.Nearest)
	}
	return text + "; there are " + strings.Join(e.Known, ", ")
}

// Any explains the check or the rule with the id; without an id it lists the
// checks. Its error is an *UnknownError or that of the writer.
func Any(w io.Writer, id string, checks []rule.Check, general []rule.Key, f Format) error {
	if id == "" {
		return CheckList(w, checks, f)
	}
	for _, c := range checks {
		if c.ID == id {
			return Check(w, c, general, f)
		}
		if r, ok := c.Rule(id); ok {
			return Rule(w, r, f)
		}
	}
	return &UnknownError{id, nearestID(id, checks), alike(id, checks)}
}

// nearestID returns the id of the check or rule that is most like a wrong one;
// a rule may go by the part after its dot.
func nearestID(wrong string, checks []rule.Check) string {
	ids := map[string]string{}
	var names []string
	add := func(name, id string) {
		if ids[name] == "" {
			ids[name] = id
			names = append(names, name)
		}
	}
	for _, c := range checks {
		add(c.ID, c.ID)
		for _, r := range c.Rules {
			add(r.ID, r.ID)
			add(strings.TrimPrefix(r.ID, r.Family()+"."), r.ID)
		}
	}
	return ids[nearest.Name(wrong, names)]
}

// alike lists the rules of the same family, else all checks.
func alike(id string, checks []rule.Check) []string {
	family, _, _ := strings.Cut(id, ".")
	var ids, rules []string
	for _, c := range checks {
		ids = append(ids, c.ID)
		for _, r := range c.Rules {
			if r.Family() == family {
				rules = append(rules, r.ID)
			}
		}
	}
	if len(rules) > 0 {
		return rules
	}
	return ids
}

// Check explains a check: every section that its documentation has.
func Check(w io.Writer, c rule.Check, general []rule.Key, f Format) error {
	if f == JSON {
		return writeJSON(w, struct {
			rule.Check
			Scoring  string     `json:"scoring"`
			Settings []rule.Key `json:"settings"`
		}{c, scoring(c), allKeys(c, general)})
	}
	return write(w, checkMarkdown(c, general, 1), f)
}

// Rule explains a rule.
func Rule(w io.Writer, r rule.Rule, f Format) error {
	if f == JSON {
		return writeJSON(w, r)
	}
	return write(w, ruleMarkdown(r, 1), f)
}

// CheckList lists the checks.
func CheckList(w io.Writer, checks []rule.Check, f Format) error {
	if f == JSON {
		return writeJSON(w, checks)
	}
	rows := [][]string{{"Check", "Pack", "Weight", "What it is about"}}
	for _, c := range checks {
		rows = append(rows, []string{c.ID, c.Pack, string(c.Weight), c.Title})
	}
	return writeRows(w, rows, f)
}

// RuleList lists the rules, sorted by id.
func RuleList(w io.Writer, checks []rule.Check, f Format) error {
	var rules []rule.Rule
	for _, c := range checks {
		rules = append(rules, c.Rules...)
	}
	slices.SortFunc(rules, func(a, b rule.Rule) int { return strings.Compare(a.ID, b.ID) })
	if f == JSON {
		return writeJSON(w, rules)
	}
	rows := [][]string{{"Rule", "Severity", "Check", "What it finds"}}
	for _, r := range rules {
		rows = append(rows, []string{r.ID, severities(r), r.Check, r.Title})
	}
	return writeRows(w, rows, f)
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// write writes Markdown, for a terminal with its marks taken out.
func write(w io.Writer, markdown string, f Format) error {
	if f == Text {
		markdown = plain(markdown)
	}
	_, err := io.WriteString(w, markdown)
	return err
}

func writeRows(w io.Writer, rows [][]string, f Format) error {
	if f == Markdown {
		_, err := io.WriteString(w, table(rows))
		return err
	}
	_, err := io.WriteString(w, columns(rows))
	return err
}

func severities(r rule.Rule) string {
	all := []string{string(r.Severity)}
	for _, s := range r.Also {
		all = append(all, string(s))
	}
	return strings.Join(all, " or ")
}
