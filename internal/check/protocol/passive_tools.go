package protocol

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sealmark/action/internal/rawjson"
	"github.com/sealmark/action/internal/session"
)

var goodName = regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)

// maxName is the longest name of a tool, in characters.
const maxName = 128

// names judges names against each other: tools among themselves, and the
// names of different kinds.
func (p *passive) names() {
	kinds := map[string][]string{}
	count := map[string]int{}
	for _, t := range p.snap.Tools {
		if count[t.Name]++; count[t.Name] == 1 {
			kinds[t.Name] = append(kinds[t.Name], "tool")
		}
		// In a list that was not read to its end a repeated page repeats names.
		if count[t.Name] == 2 && p.snap.Lists["tools"].Complete() {
			p.add(hit{rule: "protocol.name-duplicate", subject: p.subject("tool", t.Name), raw: t.Raw,
				message: fmt.Sprintf("More than one tool is named \"%s\", so a client can call only one of them.", p.line(t.Name, 80))})
		}
	}
	for _, other := range []struct {
		kind string
		list []json.RawMessage
	}{{"prompt", p.snap.Prompts}, {"resource", p.snap.Resources}} {
		for _, raw := range other.list {
			name, _ := rawjson.Text(rawjson.Object(raw)["name"])
			if name != "" && !slices.Contains(kinds[name], other.kind) {
				kinds[name] = append(kinds[name], other.kind)
			}
		}
	}
	seen := map[string]bool{}
	for _, t := range p.snap.Tools {
		if seen[t.Name] || len(kinds[t.Name]) < 2 {
			continue
		}
		seen[t.Name] = true
		p.add(hit{rule: "protocol.name-collision", subject: p.subject("tool", t.Name), raw: t.Raw,
			message: fmt.Sprintf("The name \"%s\" stands for a %s at once.", p.line(t.Name, 80), strings.Join(kinds[t.Name], " and a "))})
	}
}

func (p *passive) tools() {
	var charset, undescribed, schema, output, hints []hit
	for _, t := range p.snap.Tools {
		name := p.line(t.Name, 80)
		at := hit{subject: p.subject("tool", t.Name), raw: t.Raw}
		if !goodName.MatchString(t.Name) {
			charset = append(charset, at.with("protocol.name-charset", fmt.Sprintf("The name of tool \"%s\" has characters beside letters, digits, \"_\", \"-\" and \".\".", name)))
		}
		if n := utf8.RuneCountInString(t.Name); n > maxName && p.holds("2025-11-25") {
			p.add(at.with("protocol.name-length", fmt.Sprintf("The name of tool \"%s\" is %d characters long; %d is the most.", name, n, maxName)))
		}
		if strings.TrimSpace(t.Description) == "" {
			undescribed = append(undescribed, at.with("protocol.missing-description", fmt.Sprintf("Tool \"%s\" has no description.", name)))
		}
		if fault := schemaFault(t.InputSchema); fault != "" {
			schema = append(schema, at.with("protocol.schema-invalid", fmt.Sprintf("The inputSchema of tool \"%s\" %s.", name, fault)))
		}
		if fault := schemaFault(t.OutputSchema); fault != "" && t.OutputSchema != nil && p.holds("2025-06-18") {
			output = append(output, at.with("protocol.output-schema-invalid", fmt.Sprintf("The outputSchema of tool \"%s\" %s.", name, fault)))
		}
		if fault := hintFault(t.Raw); fault != "" && p.holds("2025-03-26") {
			hints = append(hints, at.with("protocol.annotation-type", fmt.Sprintf("The annotations of tool \"%s\" are no hints that a client can read: %s.", name, fault)))
		}
		p.required(t, at)
		p.conflict(t, at)
		p.icons(at, "tool \""+name+"\"")
	}
	for _, raw := range p.snap.Unnamed {
		if name, ok := rawjson.Text(rawjson.Object(raw)["name"]); ok && name == "" && p.holds("2025-11-25") {
			p.add(hit{rule: "protocol.name-length", subject: "server", raw: raw, message: "A tool has an empty name, so nobody can call it."})
		}
	}
	listed := len(p.snap.Tools)
	p.each(charset, listed, "have names with characters beside letters, digits, \"_\", \"-\" and \".\"")
	p.each(undescribed, listed, "have no description")
	p.each(schema, listed, "have an inputSchema that is no object schema")
	p.each(output, listed, "have an outputSchema that is no object schema")
	p.each(hints, listed, "have annotations that are no hints a client can read")
}

// with returns the hit of a rule at the same item.
func (h hit) with(ruleID, message string) hit {
	h.rule, h.message = ruleID, message
	return h
}

// schemaFault says why a schema is no object schema, "" if it is one.
func schemaFault(raw json.RawMessage) string {
	if raw == nil {
		return "is missing"
	}
	members := rawjson.Object(raw)
	if members == nil {
		return "is no object"
	}
	if kind, _ := rawjson.Text(members["type"]); kind != "object" {
		return `does not say "type": "object" at its root`
	}
	return ""
}

// hintFault says which annotation of a tool has a wrong type, "" for none.
func hintFault(raw json.RawMessage) string {
	annotations, given := rawjson.Object(raw)["annotations"]
	if !given {
		return ""
	}
	members := rawjson.Object(annotations)
	if members == nil {
		return "annotations is no object"
	}
	for _, name := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
		if value := string(members[name]); value != "" && value != "true" && value != "false" {
			return name + " is neither true nor false"
		}
	}
	if title, given := members["title"]; given {
		if _, ok := rawjson.Text(title); !ok {
			return "title is no string"
		}
	}
	return ""
}

// execution are the words that name an argument which is run.
var execution = []string{"cmd", "command", "commands", "eval", "exec", "script", "shell"}

// conflict judges a tool that declares itself read-only and takes something to
// execute: a top-level argument whose name, or the last word of it, says so
// and that takes free text.
func (p *passive) conflict(t session.Tool, at hit) {
	if hint := t.Annotations.ReadOnlyHint; hint == nil || !*hint || !p.holds("2025-03-26") {
		return
	}
	properties := rawjson.Object(rawjson.Object(t.InputSchema)["properties"])
	for _, name := range sorted(properties) {
		if slices.Contains(execution, lastWord(name)) && freeText(properties[name]) {
			at.match = p.line(name, 100)
			p.add(at.with("protocol.annotation-conflict", fmt.Sprintf("Tool \"%s\" says it is read-only, yet its argument \"%s\" takes something to execute.", p.line(t.Name, 80), at.match)))
			return
		}
	}
}

var wordBorder = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// lastWord is the last word of a name in snake, kebab or camel case.
func lastWord(name string) string {
	words := strings.FieldsFunc(wordBorder.ReplaceAllString(name, "${1}_${2}"), func(r rune) bool { return strings.ContainsRune("_-. ", r) })
	if len(words) == 0 {
		return ""
	}
	return strings.ToLower(words[len(words)-1])
}

// freeText reports whether a property takes any string, or strings in an
// array.
func freeText(schema json.RawMessage) bool {
	members := rawjson.Object(schema)
	if members == nil {
		return string(schema) == "true"
	}
	if members["enum"] != nil || members["const"] != nil {
		return false
	}
	switch kind, isText := rawjson.Text(members["type"]); {
	case kind == "array":
		return members["items"] == nil || freeText(members["items"])
	case isText:
		return kind == "string"
	}
	kinds := rawjson.Array(members["type"])
	return kinds == nil || slices.ContainsFunc(kinds, func(k json.RawMessage) bool { return string(k) == `"string"` })
}

var iconSource = regexp.MustCompile(`(?i)^(?:https?://[^\s]|data:[^,]*,)`)

// icons judges the icons of an item (from 2025-11-25 on).
func (p *passive) icons(at hit, item string) {
	icons, given := rawjson.Object(at.raw)["icons"]
	if !given || !p.holds("2025-11-25") {
		return
	}
	list := rawjson.Array(icons)
	fault := ""
	if list == nil {
		fault = "icons is no array"
	}
	for _, icon := range list {
		source, ok := rawjson.Text(rawjson.Object(icon)["src"])
		switch {
		case !ok:
			fault = "an icon has no src"
		case !iconSource.MatchString(source):
			fault = "the src of an icon is neither an http, https nor data URI"
			at.match = p.line(source, 100)
		case !mimeOK(rawjson.Object(icon)["mimeType"]):
			fault = "the mimeType of an icon is no media type"
		default:
			continue
		}
		break
	}
	if fault != "" {
		p.add(at.with("protocol.icon-invalid", fmt.Sprintf("The icons of %s can't be used: %s.", item, fault)))
	}
}
