package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/rawjson"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// surface compares what the servers offer.
func (c *comparer) surface() {
	if c.now.Snapshot == nil || c.base.Snapshot == nil {
		c.why("What the server offers is not in both results.")
		return
	}
	c.out.SurfaceCompared = true
	o := &offers{comparer: c, now: c.now.Snapshot.Surface, base: c.base.Snapshot.Surface, work: maxWorkInAll}
	if o.now == nil || o.base == nil {
		c.why("One of the results has the names of what the server offers, not the definitions: a result of schema version 1.0 holds no more. Changes within a tool are not compared.")
		o.now, o.base = nil, nil
	}
	o.server()
	o.capabilities()
	for _, kind := range []string{"tool", "prompt", "template", "resource"} {
		o.list(kind)
	}
	o.deliver()
}

// offers is the comparison of two surfaces under way.
type offers struct {
	*comparer
	// now and base are nil if only names are known.
	now, base *result.Surface
	changes   []result.SurfaceChange
	// undigested counts the definitions that could not be compared.
	undigested int
	// work is what is left of maxWorkInAll.
	work int
}

// Bounds of what files by anybody may ask for.
const (
	maxWorkInAll = 64 << 20
	maxKept      = 20_000 // changes before they are sorted
)

func (o *offers) add(subject, rule, kind, text string) {
	if len(o.changes) == maxKept {
		o.out.SurfaceLeft++
		return
	}
	o.changes = append(o.changes, result.SurfaceChange{Subject: line(subject, 300), Rule: rule, Kind: kind, Text: text})
}

// server compares what the server says of itself as a whole.
func (o *offers) server() {
	now, base := o.comparer.now, o.comparer.base
	for _, pair := range []struct{ what, now, base string }{
		{"name", now.Server.Name, base.Server.Name}, {"version", now.Server.Version, base.Server.Version},
		{"negotiated protocol version", now.Server.ProtocolVersion, base.Server.ProtocolVersion},
	} {
		if pair.now != pair.base {
			o.add("server", serverChanged, result.Other, fmt.Sprintf("The %s is %s now; it was %s.", pair.what, quoted(pair.now), quoted(pair.base)))
		}
	}
	instructions := now.Snapshot.Instructions != base.Snapshot.Instructions
	if o.now != nil {
		instructions = o.now.Instructions != o.base.Instructions
	}
	if instructions {
		o.add("server", descriptionChanged, result.Other, "The instructions changed.")
	}
}

// capabilities compares what the server declares that it can do.
func (o *offers) capabilities() {
	now, base := o.comparer.now.Snapshot.Capabilities, o.comparer.base.Snapshot.Capabilities
	for _, name := range missing(base, now) {
		o.add("server", capabilityRemoved, result.Breaking, "The capability "+quoted(name)+" was removed.")
	}
	for _, name := range missing(now, base) {
		o.add("server", capabilityAdded, result.Added, "The capability "+quoted(name)+" is new.")
	}
	if o.now == nil {
		return
	}
	is, was := rawjson.Object(o.now.Capabilities), rawjson.Object(o.base.Capabilities)
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if _, still := is[name]; !still || same(is[name], was[name]) {
			continue
		}
		subscribed, subscribes := rawjson.Object(was[name])["subscribe"], rawjson.Object(is[name])["subscribe"]
		if string(subscribed) == "true" && string(subscribes) != "true" {
			o.add("server", capabilityRemoved, result.Breaking, "The capability "+quoted(name+".subscribe")+" was removed.")
			continue
		}
		o.add("server", serverChanged, result.Other, "The details of the capability "+quoted(name)+" changed.")
	}
}

// same reports whether two JSON values are equal. What can't be read differs
// from all but itself.
func same(a, b json.RawMessage) bool {
	x, ok := decode(a)
	y, okToo := decode(b)
	if !ok || !okToo {
		return string(a) == string(b)
	}
	return key(x) == key(y)
}

// ofKind are the rules for a kind of item. What is removed breaks, except for a
// resource: which there are may be a matter of data.
var ofKind = map[string]struct{ removed, kind, added, noun string }{
	"tool":     {toolRemoved, result.Breaking, toolAdded, "tool"},
	"prompt":   {promptRemoved, result.Breaking, promptAdded, "prompt"},
	"template": {templateRemoved, result.Breaking, resourceAdded, "resource template"},
	"resource": {resourceRemoved, result.Other, resourceAdded, "resource"},
}

// list compares the items of a kind: those that are gone, those that are new,
// and the definitions of the others.
func (o *offers) list(kind string) {
	words := ofKind[kind]
	is, whole := listing(o.comparer.now, kind)
	was, wasWhole := listing(o.comparer.base, kind)
	if !whole && len(was) > 0 {
		o.why("The list of %s was not read to its end now, so it can't be said which of them are gone.", lists[kind])
	}
	if !wasWhole && len(is) > 0 {
		o.why("The list of %s was not read to its end in the base, so it can't be said which of them are new.", lists[kind])
	}
	here, there := index(is), index(was)
	defined, wasDefined := o.definitions(kind)
	seen := map[string]bool{}
	for _, name := range was {
		if here[name] || !whole || seen[name] || name == "" {
			continue
		}
		seen[name] = true
		text := "The " + words.noun + " was removed."
		if heir := renamed(wasDefined[name], defined, there); heir != "" {
			text = "The " + words.noun + " was removed; the new " + quoted(heir) + " has the same definition, so it may be renamed."
		}
		o.add(kind+":"+name, words.removed, words.kind, text)
	}
	for _, name := range is {
		if there[name] || !wasWhole || seen[name] || name == "" {
			continue
		}
		seen[name] = true
		o.add(kind+":"+name, words.added, result.Added, "The "+words.noun+" is new.")
	}
	for _, name := range slices.Sorted(maps.Keys(defined)) {
		if before, was := wasDefined[name]; was {
			o.definition(kind, name, defined[name], before)
		}
	}
}

func index(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// definitions returns the definitions of a kind by name; the first of a name
// counts.
func (o *offers) definitions(kind string) (now, base map[string]result.Definition) {
	if o.now == nil {
		return nil, nil
	}
	of := func(s *result.Surface) map[string]result.Definition {
		list := map[string][]result.Definition{"tool": s.Tools, "prompt": s.Prompts, "template": s.Templates, "resource": s.Resources}[kind]
		byName := make(map[string]result.Definition, len(list))
		for _, d := range list {
			if _, twice := byName[d.Name]; !twice {
				byName[d.Name] = d
			}
		}
		return byName
	}
	return of(o.now), of(o.base)
}

// renamed returns the one new item with the definition of one that is gone, ""
// if there is none or more than one.
func renamed(gone result.Definition, now map[string]result.Definition, before map[string]bool) string {
	if gone.Digest == "" || len(rawjson.Object(gone.Declared)) < 2 {
		return ""
	}
	heir := ""
	for name, d := range now {
		if before[name] || d.Digest != gone.Digest {
			continue
		}
		if heir != "" {
			return ""
		}
		heir = name
	}
	return heir
}

// definition compares the definition of an item that is in both.
func (o *offers) definition(kind, name string, now, base result.Definition) {
	switch {
	case now.Digest == "" || base.Digest == "":
		o.undigested++
		return
	case now.Digest == base.Digest && same(now.Declared, base.Declared):
		return
	}
	subject := kind + ":" + name
	is, was := rawjson.Object(now.Declared), rawjson.Object(base.Declared)
	if is == nil || was == nil || len(now.Declared) > maxSchema || len(base.Declared) > maxSchema {
		if now.Digest != base.Digest {
			o.add(subject, schemaChanged, result.Other, "The definition changed; it is too large to say how.")
		}
		return
	}
	before := len(o.changes)
	if !same(is["annotations"], was["annotations"]) {
		o.annotations(subject, is["annotations"], was["annotations"])
	}
	var texts []string
	for _, member := range []string{"name", "title", "description"} {
		if !same(is[member], was[member]) {
			texts = append(texts, member)
		}
	}
	if len(texts) > 0 {
		o.add(subject, descriptionChanged, result.Other, upper(strings.Join(texts, " and "))+" changed.")
	}
	if !same(is["mimeType"], was["mimeType"]) {
		o.add(subject, schemaChanged, result.Other, "The MIME type changed.")
	}
	switch kind {
	case "tool":
		o.schemas(subject, is["inputSchema"], was["inputSchema"], false)
		o.schemas(subject, is["outputSchema"], was["outputSchema"], true)
	case "prompt":
		o.schemas(subject, promptSchema(is["arguments"]), promptSchema(was["arguments"]), false)
	}
	if len(o.changes) == before && now.Digest != base.Digest {
		o.add(subject, schemaChanged, result.Other, "The definition changed in a way that is not compared further.")
	}
}

func (o *offers) schemas(subject string, now, base json.RawMessage, output bool) {
	side := "input"
	if output {
		side = "output"
	}
	switch {
	case len(now) == 0 && len(base) == 0:
		return
	case len(base) == 0 && output:
		o.add(subject, outputAdded, result.Added, "The tool has an output schema now.")
		return
	case len(now) == 0 && output:
		o.add(subject, outputChanged, result.Breaking, "The output schema was removed: nothing says what the result holds.")
		return
	case len(now) == 0 || len(base) == 0:
		o.add(subject, schemaChanged, result.Other, "The input schema is there on one side only.")
		return
	}
	if o.work <= 0 && !same(now, base) {
		o.add(subject, schemaChanged, result.Other, "The "+side+" schema changed; there is too much to compare to say how.")
		return
	}
	changes, read := schemas(now, base, output, &o.work)
	if !read {
		o.add(subject, schemaChanged, result.Other, "The "+side+" schema changed; it can't be read.")
	}
	for _, ch := range changes {
		o.add(subject, ch.rule, ch.kind, ch.text)
	}
}

// promptSchema writes the arguments of a prompt as the schema that they stand
// for.
func promptSchema(arguments json.RawMessage) json.RawMessage {
	properties, required := map[string]any{}, []string{}
	for _, item := range rawjson.Array(arguments) {
		argument := rawjson.Object(item)
		name, ok := rawjson.Text(argument["name"])
		if !ok {
			continue
		}
		of := map[string]any{"type": "string"}
		for _, member := range []string{"title", "description"} {
			if text, ok := rawjson.Text(argument[member]); ok {
				of[member] = text
			}
		}
		properties[name] = of
		if string(argument["required"]) == "true" {
			required = append(required, name)
		}
	}
	return rawjson.Encode(map[string]any{"type": "object", "properties": properties, "required": required})
}

// hints are what the annotations of a tool come to, defaults included (MCP
// 2025-11-25, ToolAnnotations).
type hints struct{ readOnly, additive, idempotent, closedWorld bool }

func readHints(annotations json.RawMessage) hints {
	members := rawjson.Object(annotations)
	is := func(name, value string) bool { return string(members[name]) == value }
	h := hints{readOnly: is("readOnlyHint", "true"), closedWorld: is("openWorldHint", "false")}
	h.additive = h.readOnly || is("destructiveHint", "false")
	h.idempotent = h.readOnly || is("idempotentHint", "true")
	return h
}

// annotations compares what a tool promises of its effects. A promise that is
// taken back breaks: clients decide by it what they call without asking.
func (o *offers) annotations(subject string, now, base json.RawMessage) {
	is, was := readHints(now), readHints(base)
	var lost []string
	for _, promise := range []struct {
		is, was bool
		text    string
	}{
		{is.readOnly, was.readOnly, "is no longer declared read-only"}, {is.additive, was.additive, "may be destructive now"},
		{is.idempotent || was.readOnly, was.idempotent, "may no longer be repeated without further effect"}, {is.closedWorld, was.closedWorld, "may reach out to other systems now"},
	} {
		if promise.was && !promise.is {
			lost = append(lost, promise.text)
		}
	}
	if len(lost) > 0 {
		o.add(subject, annotationChanged, result.Breaking, "The tool "+strings.Join(lost, ", ")+".")
		return
	}
	o.add(subject, schemaChanged, result.Other, "The annotations changed.")
}

// deliver sorts the changes, the breaking ones first, and bounds them.
func (o *offers) deliver() {
	if o.undigested > 0 {
		o.why("%s can't be compared, since a secret stands in it.", upper(rule.Counted(o.undigested, "definition")))
	}
	rank := map[string]int{result.Breaking: 0, result.Added: 1, result.Other: 2}
	slices.SortStableFunc(o.changes, func(a, b result.SurfaceChange) int { return rank[a.Kind] - rank[b.Kind] })
	if len(o.changes) > maxChanges {
		o.out.SurfaceLeft += len(o.changes) - maxChanges
		o.changes = o.changes[:maxChanges]
	}
	o.out.Surface = append(o.out.Surface, o.changes...)
}
