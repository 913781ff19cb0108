package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// change is one change of a definition.
type change struct{ rule, kind, text string }

// differ compares two schemas of the same thing. What one of them restricts in
// a way that is not read makes nothing below it a breaking change: it can't be
// told then.
type differ struct {
	// output: the server writes the values, so wider breaks and narrower does
	// not.
	output    bool
	now, base any
	changes   []change
	// described and defaulted are the places whose texts, or defaults, changed.
	described, defaulted []string
	// work is what is left of the bounds, left counts changes beyond them, and
	// spent says that not all was looked at.
	work, left int
	spent      bool
}

// way is how a place was reached.
type way struct {
	// unsure: something above restricts values in a way that is not read.
	unsure bool
	level  int
	// refs are the pairs of references on the way.
	refs []string
}

// schemas compares two schemas and takes what it costs from work. read is false
// if one of them is no JSON or too large.
func schemas(now, base json.RawMessage, output bool, work *int) (changes []change, read bool) {
	d := &differ{output: output, work: min(*work, maxWork)}
	defer func(before int) { *work -= before - d.work }(d.work)
	var ok bool
	if d.now, ok = decode(now); !ok {
		return nil, false
	}
	if d.base, ok = decode(base); !ok {
		return nil, false
	}
	d.place("", d.now, d.base, way{})
	if len(d.described) > 0 {
		d.other(descriptionChanged, "The description of %s changed.", d.places(d.described))
	}
	if len(d.defaulted) > 0 {
		d.other(schemaChanged, "The default of %s changed.", d.places(d.defaulted))
	}
	if d.spent {
		d.other(schemaChanged, "The schema is too large to be compared to its end.")
	}
	if d.left > 0 {
		d.changes = append(d.changes, change{schemaChanged, result.Other, fmt.Sprintf("There are %s more in this schema.", rule.Counted(d.left, "change"))})
	}
	return d.changes, true
}

func (d *differ) add(rule, kind, format string, args ...any) {
	if len(d.changes) == maxFound {
		d.left++
		return
	}
	d.changes = append(d.changes, change{rule, kind, fmt.Sprintf(format, args...)})
}

func (d *differ) other(rule, format string, args ...any) {
	d.add(rule, result.Other, format, args...)
}

// narrower notes that fewer values are allowed than before, wider that more
// are. Which of them breaks depends on who writes the values.
func (d *differ) narrower(rule string, unsure bool, format string, args ...any) {
	if d.output || unsure {
		d.other(schemaChanged, format, args...)
		return
	}
	d.add(rule, result.Breaking, format, args...)
}

func (d *differ) wider(unsure bool, format string, args ...any) {
	if !d.output || unsure {
		d.other(schemaChanged, format, args...)
		return
	}
	d.add(outputChanged, result.Breaking, format, args...)
}

// name writes a place for a sentence.
func (d *differ) name(path string) string {
	switch {
	case path == "" && d.output:
		return "the result"
	case path == "":
		return "the arguments as a whole"
	case d.output:
		return "result field " + quoted(path)
	}
	return "argument " + quoted(path)
}

func (d *differ) places(paths []string) string {
	names := make([]string, len(paths))
	for i, path := range paths {
		if names[i] = quoted(path); path == "" {
			names[i] = d.name("")
		}
	}
	return listed(names)
}

// place compares one place of the schemas.
func (d *differ) place(path string, nowValue, baseValue any, w way) {
	if d.work <= 0 || len(d.changes) == maxFound {
		d.spent = true
		return
	}
	now, base := read(nowValue, d.now), read(baseValue, d.base)
	d.work -= 256 + now.size() + base.size()
	if now.refs != "" && base.refs != "" {
		pair := now.refs + "\x01" + base.refs
		if slices.Contains(w.refs, pair) {
			return
		}
		w.refs = append(slices.Clone(w.refs), pair)
	}
	if w.level++; w.level > maxLevels {
		d.spent = d.spent || !d.same(nowValue, baseValue)
		return
	}
	d.texts(path, now, base)
	w.unsure = w.unsure || len(now.opaque) > 0 || len(base.opaque) > 0
	if !d.same(now.opaque, base.opaque) {
		words := slices.Sorted(maps.Keys(now.opaque))
		if len(words) == 0 {
			words = slices.Sorted(maps.Keys(base.opaque))
		}
		d.other(schemaChanged, "What is allowed for %s changed (%s); whether that breaks a caller is not told.", d.name(path), listed(words))
	}
	d.values(path, now, base, w.unsure)
	d.unknown(path, now, base)
	if now.allows("object") && base.allows("object") {
		d.object(path, now, base, w)
	}
	if now.allows("array") && base.allows("array") {
		d.items(path, now, base, w)
	}
}

// same reports whether two values are equal.
func (d *differ) same(a, b any) bool {
	x, y := key(a), key(b)
	d.work -= len(x) + len(y)
	return x == y
}

// texts notes changes of what stands there for the reader.
func (d *differ) texts(path string, now, base node) {
	for _, word := range []string{"title", "description"} {
		if !d.same(now.members[word], base.members[word]) {
			d.described = append(d.described, path)
			break
		}
	}
	if !d.same(now.members["default"], base.members["default"]) {
		d.defaulted = append(d.defaulted, path)
	}
}

// values compares the allowed types, values and bounds.
func (d *differ) values(path string, now, base node, unsure bool) {
	switch {
	case base.values != nil:
		d.fromListed(path, now, base, unsure)
	case now.values != nil:
		d.toListed(path, now, base, unsure)
	default:
		d.types(path, now, base, unsure)
		// What has no type promises nothing that a bound could take back.
		d.bounds(path, now, base, unsure || base.types == nil)
	}
}

// fromListed compares a place that allowed listed values only.
func (d *differ) fromListed(path string, now, base node, unsure bool) {
	var lost, gained []string
	for _, k := range slices.Sorted(maps.Keys(base.values)) {
		if !now.takes(base.values[k]) {
			lost = append(lost, k)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(now.values)) {
		if _, was := base.values[k]; !was {
			gained = append(gained, k)
		}
	}
	if len(lost) > 0 {
		d.narrower(enumNarrowed, unsure, "%s no longer allows %s.", upper(d.name(path)), listed(lost))
	}
	switch {
	case len(gained) > 0:
		d.other(schemaChanged, "%s allows %s too.", upper(d.name(path)), listed(gained))
	case now.values == nil && len(lost) == 0:
		d.other(schemaChanged, "%s is no longer bound to listed values.", upper(d.name(path)))
	}
}

// takes reports whether a value is allowed by type and list.
func (n node) takes(v any) bool {
	if n.values != nil {
		_, ok := n.values[key(v)]
		return ok
	}
	return slices.ContainsFunc(typesOf(v), func(t string) bool { return covers(n.types, t) })
}

// toListed compares a place that had no listed values and has them now.
func (d *differ) toListed(path string, now, base node, unsure bool) {
	whole := base.types != nil
	for _, t := range base.types {
		_, yes := now.values["true"]
		_, no := now.values["false"]
		_, null := now.values[key(nil)]
		if t == "boolean" && !(yes && no) || t == "null" && !null || t != "boolean" && t != "null" {
			whole = false
		}
	}
	if whole {
		return
	}
	unsure = unsure || base.types == nil
	d.narrower(enumNarrowed, unsure, "%s allows only listed values now: %s.", upper(d.name(path)), listed(slices.Sorted(maps.Keys(now.values))))
}

func (d *differ) types(path string, now, base node, unsure bool) {
	switch {
	case now.types == nil && base.types == nil:
		return
	case base.types == nil:
		d.other(schemaChanged, "%s has a type now: %s.", upper(d.name(path)), either(now.types))
		return
	case now.types == nil:
		d.other(schemaChanged, "%s no longer has a type; it was %s.", upper(d.name(path)), either(base.types))
		return
	}
	lost := uncovered(base.types, now.types)
	gained := uncovered(now.types, base.types)
	text := fmt.Sprintf("%s was %s and is %s now.", upper(d.name(path)), either(base.types), either(now.types))
	switch {
	case len(lost) == 0 && len(gained) == 0:
	case len(lost) == 0:
		d.wider(unsure, "%s", text)
	case len(gained) == 0:
		d.narrower(typeChanged, unsure, "%s", text)
	case unsure:
		d.other(schemaChanged, "%s", text)
	case d.output:
		d.add(outputChanged, result.Breaking, "%s", text)
	default:
		d.add(typeChanged, result.Breaking, "%s", text)
	}
}

// uncovered lists the types of a that b does not have.
func uncovered(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(t string) bool { return covers(b, t) })
}

// either writes types for a sentence.
func either(types []string) string {
	if len(types) == 0 {
		return "nothing"
	}
	return strings.Join(strings.Split(listed(types), ", "), " or ")
}

func upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// object compares the members of an object.
func (d *differ) object(path string, now, base node, w way) {
	is, was := now.properties(), base.properties()
	needs, needed := now.required(), base.required()
	below := func(name string) string {
		if path == "" {
			return name
		}
		return path + "." + name
	}
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if _, still := is[name]; still {
			d.place(below(name), is[name], was[name], w)
			continue
		}
		d.removed(below(name), w.unsure || now.openness() == typed, now.openness())
	}
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if _, old := was[name]; !old && !needs[name] {
			d.added(below(name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(needs)) {
		if needed[name] || d.output {
			continue
		}
		text := "is required now"
		_, old := was[name]
		if _, declared := is[name]; declared && !old {
			text = "is new and required"
		}
		d.narrower(argumentRequired, w.unsure, "%s %s.", upper(d.name(below(name))), text)
	}
	for _, name := range slices.Sorted(maps.Keys(needed)) {
		if _, still := is[name]; still && !needs[name] {
			text := "is optional now"
			if d.output {
				text = "may be absent now"
			}
			d.wider(w.unsure, "%s %s.", upper(d.name(below(name))), text)
		}
	}
	if d.output {
		for _, name := range slices.Sorted(maps.Keys(needs)) {
			if _, old := was[name]; !old && is[name] != nil {
				d.added(below(name))
			}
		}
	}
	d.undeclared(path, now, base, w)
}

func (d *differ) removed(path string, unsure bool, o openness) {
	switch {
	case unsure:
		d.other(schemaChanged, "%s is no longer declared.", upper(d.name(path)))
	case d.output:
		d.add(outputChanged, result.Breaking, "%s was removed.", upper(d.name(path)))
	case o == closed:
		d.add(argumentRemoved, result.Breaking, "%s was removed, and undeclared ones are refused.", upper(d.name(path)))
	default:
		d.add(argumentRemoved, result.Breaking, "%s was removed.", upper(d.name(path)))
	}
}

func (d *differ) added(path string) {
	if d.output {
		d.add(outputAdded, result.Added, "%s is new.", upper(d.name(path)))
		return
	}
	d.add(argumentAdded, result.Added, "%s is new and optional.", upper(d.name(path)))
}

// undeclared compares whether members that are not declared are allowed.
func (d *differ) undeclared(path string, now, base node, w way) {
	is, was := now.openness(), base.openness()
	switch {
	case is == typed && was == typed:
		if path != "" {
			path += "."
		}
		d.place(path+"*", now.members["additionalProperties"], base.members["additionalProperties"], w)
	case is == was:
	case is == closed && !d.output:
		d.narrower(argumentsClosed, w.unsure, "Undeclared fields in %s are refused now.", d.name(path))
	case is == open || is == closed:
		d.other(schemaChanged, "Whether %s may hold undeclared fields changed.", d.name(path))
	default:
		d.other(schemaChanged, "Undeclared fields in %s have a schema now.", d.name(path))
	}
}

// items compares what an array holds.
func (d *differ) items(path string, now, base node, w way) {
	is, hasNow := now.members["items"]
	was, hadBase := base.members["items"]
	_, tuple := is.([]any)
	_, wasTuple := was.([]any)
	switch {
	case tuple || wasTuple:
		// They are opaque, and were compared as such.
	case hasNow && hadBase:
		d.place(path+"[]", is, was, w)
	case hasNow != hadBase:
		d.other(schemaChanged, "What %s holds is declared on one side only.", d.name(path))
	}
}

// known are the keywords that are compared by their meaning.
var known = slices.Concat(annotations, opaqueWords, []string{"type", "enum", "const", "properties", "required", "additionalProperties", "items",
	"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"})

// unknown compares all other keywords, and those whose effect is no matter of
// more or less: pattern and format.
func (d *differ) unknown(path string, now, base node) {
	var words []string
	for _, members := range []map[string]any{now.members, base.members} {
		for word := range members {
			if (word == "format" || !slices.Contains(known, word)) && !slices.Contains(words, word) && !d.same(now.members[word], base.members[word]) {
				words = append(words, word)
			}
		}
	}
	if len(words) > 0 {
		slices.Sort(words)
		d.other(schemaChanged, "%s changed in %s.", upper(d.name(path)), listed(words))
	}
}
