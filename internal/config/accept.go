package config

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/sealmark/action/internal/rule"
)

// Acceptance is an entry of accept: findings that the maintainers live with.
type Acceptance struct {
	// Rule and Subject are patterns in which * stands for any text.
	Rule, Subject string
	Reason        string
	// Until is the last day on which it holds, as YYYY-MM-DD, "" for ever.
	Until string
	// At is where the entry stands.
	At Origin
}

// AcceptKeys are the keys of an entry of accept.
var AcceptKeys = []rule.Key{
	{Name: "accept[].rule", Type: rule.String, Default: "", Meaning: "The rule whose findings are accepted; * stands for any text. Required."},
	{Name: "accept[].subject", Type: rule.String, Default: "*", Meaning: "What they are about, such as tool:search or server; * stands for any text. Left out it is everything."},
	{Name: "accept[].reason", Type: rule.String, Default: "", Meaning: "Why they are accepted. It stands in the report. Required."},
	{Name: "accept[].until", Type: rule.String, Default: "", Meaning: "The last day on which they are, as YYYY-MM-DD in UTC. Left out there is none."},
}

func (r *reader) accept(n ast.Node) {
	switch n := n.(type) {
	case *ast.NullNode:
	case *ast.SequenceNode:
		for i, item := range n.Values {
			r.acceptance(item, fmt.Sprintf("accept[%d]", i))
		}
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode:
		r.fail(n, "accept", noAnchors)
	default:
		r.fail(n, "accept", "accept must be a list")
	}
}

// acceptance reads an entry. place is its dotted name, "accept[2]".
func (r *reader) acceptance(n ast.Node, place string) {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
	default:
		r.fail(n, place, "%s must be a map", place)
		return
	}
	a := Acceptance{Subject: "*", At: r.place(n)}
	known := names(AcceptKeys, "accept[].")
	given := map[string]bool{}
	entries := r.entries(n, place)
	for i, entry := range entries {
		key := textOf(entry)
		given[key] = true
		if i == 0 {
			a.At = r.place(entry.Key)
		}
		switch key {
		case "rule":
			if a.Rule, _ = r.word(entry.Value, place+"."+key); a.Rule != "" {
				r.anyRule(entry.Value, place+"."+key, a.Rule)
			}
		case "subject":
			a.Subject, _ = r.word(entry.Value, place+"."+key)
		case "reason":
			a.Reason, _ = r.word(entry.Value, place+"."+key)
		case "until":
			a.Until = r.day(entry.Value, place+"."+key)
		default:
			r.fail(entry.Key, place+"."+key, "unknown key %s of %s%s", quoted(key), place, suggestion(key, known))
		}
	}
	for _, key := range []string{"rule", "reason"} {
		if !given[key] {
			r.fail(n, place, "%s needs %s", place, quoted(key))
		}
	}
	if slices.ContainsFunc(r.file.accept, func(b Acceptance) bool { return b.Rule == a.Rule && b.Subject == a.Subject }) && a.Rule != "" {
		r.fail(n, place, "%s accepts the same as an entry above it", place)
	}
	r.file.accept = append(r.file.accept, a)
}

// anyRule refuses a pattern that no rule fits.
func (r *reader) anyRule(n ast.Node, key, pattern string) {
	var ids []string
	for _, c := range r.checks {
		for _, known := range c.Rules {
			if Matches(pattern, known.ID) {
				return
			}
			ids = append(ids, known.ID)
		}
	}
	r.fail(n, key, "%s: no rule fits %s%s", key, quoted(pattern), suggestion(pattern, ids))
}

// day reads a date; a null is none.
func (r *reader) day(n ast.Node, key string) string {
	if _, none := n.(*ast.NullNode); none {
		return ""
	}
	text, ok := r.text(n, key)
	if !ok {
		return ""
	}
	text = strings.TrimSpace(text)
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		r.fail(n, key, "%s must be a day such as 2027-03-31, not %s", key, quoted(text))
		return ""
	}
	return text
}

// acceptSchema is the JSON Schema of an entry of accept.
func acceptSchema() map[string]any {
	properties := map[string]any{}
	for _, key := range AcceptKeys {
		s := map[string]any{"description": key.Meaning, "type": []any{"string", "number", "boolean"}, "pattern": `\S`}
		if key.Name == "accept[].until" {
			s["type"], s["pattern"] = []any{"string", "null"}, `^\s*\d{4}-\d{2}-\d{2}\s*$`
		}
		properties[key.Name[len("accept[]."):]] = s
	}
	return map[string]any{"type": "object", "additionalProperties": false, "properties": properties, "required": []any{"rule", "reason"}}
}
