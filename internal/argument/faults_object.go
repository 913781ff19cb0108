package argument

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// members plans objects with a member that is not allowed, too few or too
// many, or one of the wrong name.
func (c *planner) members(p place) {
	values, ok := p.value().(map[string]any)
	if !ok || c.alone != nil && p.root() {
		return
	}
	for _, word := range []string{"additionalProperties", "unevaluatedProperties"} {
		if p.schema[word] == false {
			c.extra(p, word)
			break
		}
	}
	if least := limit(p.schema, "minProperties", 0); least > 0 {
		c.tooFew(p, values, least)
	}
	if most := limit(p.schema, "maxProperties", -1); most >= 0 {
		c.tooManyMembers(p, values, most)
	}
	if names := object(p.schema["propertyNames"]); names != nil {
		c.misnamed(p, c.flat(names))
	}
}

// member is a draft with a member added to the object.
func (c *planner) member(p place, shape Shape, keyword, name string, value any) draft {
	return draft{id: p.id + "/" + string(shape), shape: shape, keyword: keyword, base: p.base, path: join(p.path, name), value: value}
}

func (c *planner) extra(p place, keyword string) {
	shape := NestedExtra
	if p.root() {
		shape = ExtraField
	}
	c.add(p, c.member(p, shape, keyword, Extra, "unexpected"))
}

// tooFew plans an object with one member less than the least.
func (c *planner) tooFew(p place, values map[string]any, least int) {
	demanded := required(p.schema)
	if len(demanded) >= least || len(values) < least {
		c.refuse(p.id+"/"+string(TooFewProperties), TooFewProperties, "the required members are enough")
		return
	}
	fewer := maps.Clone(values)
	for _, name := range sorted(values) {
		if len(fewer) >= least && !slices.Contains(demanded, name) {
			delete(fewer, name)
		}
	}
	c.put(p, TooFewProperties, "minProperties", fewer)
}

// tooManyMembers plans an object with one member more than the most.
func (c *planner) tooManyMembers(p place, values map[string]any, most int) {
	const longest = 200
	more := maps.Clone(values)
	add := func(name string, schema any) {
		if _, ok := more[name]; ok || len(more) > most || schema == false {
			return
		}
		if v, ok := c.make(object(schema)); ok {
			more[name] = v
		}
	}
	if most <= longest {
		for _, name := range sorted(object(p.schema["properties"])) {
			add(name, object(p.schema["properties"])[name])
		}
		for i := range most + 1 {
			add(fmt.Sprintf("key%d", i), p.schema["additionalProperties"])
		}
	}
	if len(more) <= most {
		c.refuse(p.id+"/"+string(TooManyProperties), TooManyProperties, "not enough members could be made")
		return
	}
	c.put(p, TooManyProperties, "maxProperties", more)
}

// misnamed plans a member whose name is not allowed.
func (c *planner) misnamed(p place, names map[string]any) {
	if _, only := names["type"]; only && len(names) == 1 {
		return // every name is a text
	}
	tried := []string{Extra, "not a valid name!", "~", ""}
	if most := limit(names, "maxLength", maxItems); most < maxItems {
		tried = append(tried, strings.Repeat("a", most+1))
	}
	value, ok := c.make(object(p.schema["additionalProperties"]))
	if !ok {
		value = "unexpected"
	}
	var drafts []draft
	for _, name := range tried {
		drafts = append(drafts, c.member(p, PropertyName, "propertyNames", name, value))
	}
	c.first(p, drafts)
}
