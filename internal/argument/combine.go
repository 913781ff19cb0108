package argument

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

func decimal(i int) string { return strconv.Itoa(i) }

// branches looks at each alternative of a place instead of the place, and
// reports whether there are any.
func (c *planner) branches(p place) bool {
	if p.choices >= maxChoices {
		return false
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		list, _ := p.schema[word].([]any)
		if len(list) == 0 {
			continue
		}
		rest := maps.Clone(p.schema)
		delete(rest, word)
		c.unmatched(p, word, rest, list)
		c.eachBranch(p, word, rest, list)
		return true
	}
	return false
}

// eachBranch looks at a place once for each alternative.
func (c *planner) eachBranch(p place, word string, rest map[string]any, list []any) {
	const most = 12
	var open []int
	for i, branch := range list {
		if branch != false && !onlyNull(c.flat(object(branch))) {
			open = append(open, i)
		}
	}
	for n, i := range open {
		if n == most {
			c.refuse(p.id, "", fmt.Sprintf("%d more alternatives are not looked at", len(open)-n))
			return
		}
		q := p
		q.choices++
		q.schema = c.flat(map[string]any{"allOf": []any{rest, list[i]}})
		if len(open) > 1 {
			q.id = below(p.id, fmt.Sprintf("%s:%d", word, i))
		}
		q.also = c.others(p, list, i)
		q.base, q.has = c.stand(p, q.schema)
		c.look(q)
	}
}

func onlyNull(schema map[string]any) bool {
	declared := types(schema)
	return len(declared) == 1 && declared[0] == "null"
}

// others lists the types that the other alternatives allow.
func (c *planner) others(p place, list []any, i int) []string {
	also := slices.Clone(p.also)
	for j, branch := range list {
		if j == i || branch == false {
			continue
		}
		flat := c.flat(object(branch))
		declared := types(flat)
		if len(declared) == 0 && fixed(flat) {
			continue // the validator tells what it refuses
		}
		if len(declared) == 0 && p.schema["type"] == nil {
			declared = []string{anyType}
		}
		also = append(also, declared...)
	}
	return also
}

// stand puts a value of a schema at a place of the valid arguments: the one
// that is there, if the schema is for its type, or another one.
func (c *planner) stand(p place, schema map[string]any) (any, bool) {
	base := p.base
	found := c.tries(schema, func(v any) bool {
		candidate := with(p.base, p.path, v)
		if p.root() && !isType(v, "object") || !c.allowed(candidate) {
			return false
		}
		base = candidate
		return true
	})
	return base, found
}

// unmatched plans a value that none of the alternatives allows, though it has
// a type that they allow, and for oneOf such as two of them do.
func (c *planner) unmatched(p place, word string, rest map[string]any, list []any) {
	if !p.has || c.alone != nil && p.root() {
		return
	}
	declared := types(rest)
	for _, branch := range list {
		declared = append(declared, types(c.flat(object(branch)))...)
	}
	var drafts []draft
	propose := func(schema map[string]any) {
		c.tries(schema, func(v any) bool {
			if len(declared) == 0 || slices.ContainsFunc(declared, func(t string) bool { return isType(v, t) }) {
				d := c.replaced(p, Combinator, word, v)
				d.id += ":" + word
				drafts = append(drafts, d)
			}
			return true
		})
	}
	if rest["properties"] != nil || slices.Contains(types(rest), "object") {
		propose(rest)
	}
	if word == "oneOf" {
		for i := 0; i+1 < min(len(list), 4); i++ {
			propose(map[string]any{"allOf": []any{rest, list[i], list[i+1]}})
		}
	}
	for _, d := range drafts {
		if data, reason := c.prove(d); reason == "" {
			if id := c.add(p, d); c.claimed[string(data)] == "" {
				c.claimed[string(data)] = id
			}
			return
		}
	}
}

// conditions plans what breaks not, then, else and what depends on a member.
func (c *planner) conditions(p place) {
	if !p.has || c.alone != nil && p.root() {
		return
	}
	if not := object(p.schema["not"]); not != nil {
		c.denied(p, not)
	}
	condition, hasIf := p.schema["if"]
	if then, ok := p.schema["then"]; ok && hasIf {
		c.consequence(p, "then", []any{condition, then}, object(then))
	}
	if other, ok := p.schema["else"]; ok && hasIf {
		c.consequence(p, "else", []any{map[string]any{"not": condition}, other}, object(other))
	}
	for _, word := range []string{"dependentRequired", "dependentSchemas", "dependencies"} {
		dependents := object(p.schema[word])
		for _, name := range sorted(dependents) {
			given := map[string]any{"required": []any{name}}
			switch what := dependents[name].(type) {
			case []any:
				c.dependent(p, word, name, texts(what))
			case map[string]any:
				c.consequence(p, word, []any{given, what}, what)
			}
		}
	}
}

// denied plans a value that not refuses.
func (c *planner) denied(p place, not map[string]any) {
	rest := maps.Clone(p.schema)
	delete(rest, "not")
	delete(rest, "default")
	delete(rest, "examples")
	var drafts []draft
	c.tries(map[string]any{"allOf": []any{not, rest}}, func(v any) bool {
		if len(drafts) == 0 && !p.root() || isType(v, "object") {
			d := c.replaced(p, Combinator, "not", v)
			d.id += ":not"
			drafts = append(drafts, d)
		}
		return len(drafts) > 3
	})
	c.first(p, drafts)
}

// dependent plans an object without a member that another one demands.
func (c *planner) dependent(p place, word, name string, needed []string) {
	needed = slices.DeleteFunc(needed, func(n string) bool { return slices.Contains(required(p.schema), n) || n == name })
	if len(needed) == 0 {
		return
	}
	demanded := []any{name}
	for _, n := range needed {
		demanded = append(demanded, n)
	}
	base, ok := c.stand(p, map[string]any{"allOf": []any{p.full, map[string]any{"required": demanded}}})
	id := p.id + "/" + string(Combinator) + ":" + word + ":" + shorten(name)
	if !ok {
		c.refuse(id, Combinator, "no valid arguments with these members could be made")
		return
	}
	var drafts []draft
	for _, n := range needed {
		drafts = append(drafts, draft{id: id, shape: Combinator, keyword: word, base: base, path: join(p.path, n), removed: true})
	}
	c.first(p, drafts)
}

// consequence plans a fault that the subschema of a keyword refuses, in
// arguments to which it applies.
func (c *planner) consequence(p place, word string, both []any, then map[string]any) {
	if len(then) == 0 {
		return
	}
	const most = 6
	id := p.id + "/" + string(Combinator) + ":" + word
	stands := 0
	planned := c.tries(map[string]any{"allOf": slices.Concat(both, []any{p.full})}, func(v any) bool {
		q := p
		if q.base = with(p.base, p.path, v); stands >= most || p.root() && !isType(v, "object") || !c.allowed(q.base) {
			return false
		}
		stands++
		q.schema = c.flat(then)
		q.choices = maxChoices
		drafts := c.below(q)
		for _, d := range drafts {
			d.id, d.shape, d.keyword, d.branch = id, Combinator, word, "/"+word+"/"
			if _, reason := c.prove(d); reason == "" {
				c.add(p, d)
				return true
			}
		}
		return false
	})
	if !planned {
		c.refuse(id, Combinator, "no valid arguments to which it applies could be made")
	}
}

// below returns what would be planned at a place and its children.
func (c *planner) below(p place) []draft {
	sub := &planner{schema: c.schema, alone: c.alone, bare: c.bare, strict: c.strict, ids: map[string]bool{}, faults: map[string]bool{}, claimed: map[string]string{}, work: c.work, places: maxPlaces - 20}
	sub.queue = []place{p}
	sub.walk()
	c.work = sub.work
	return sub.drafts
}

// patterned plans a wrong value for a member whose name matches a pattern.
func (c *planner) patterned(p place) {
	patterns := object(p.schema["patternProperties"])
	for _, pattern := range sorted(patterns) {
		schema := object(patterns[pattern])
		name, ok := matching(pattern, object(p.schema["properties"]))
		if !ok || len(schema) == 0 {
			continue
		}
		q := c.child(p, name, schema)
		id := p.id + "/" + string(Combinator) + ":patternProperties:" + shorten(pattern)
		if q.base, q.has = c.extend(p, q); !q.has {
			c.refuse(id, Combinator, "no valid member could be made")
			continue
		}
		drafts := c.below(q)
		for i := range drafts {
			drafts[i].id, drafts[i].shape, drafts[i].keyword, drafts[i].branch = id, Combinator, "patternProperties", "/patternProperties/"
		}
		c.first(p, drafts)
	}
}

// matching makes a name that matches a pattern and is none of the declared
// ones.
func matching(pattern string, declared map[string]any) (string, bool) {
	re := compilePattern(pattern)
	if re == nil {
		return "", false
	}
	for _, name := range slices.Concat(samples, spelled(re.String(), 1), spelled(re.String(), 4)) {
		if _, taken := declared[name]; !taken && re.MatchString(name) && !strings.ContainsRune(name, 0) {
			return name, true
		}
	}
	return "", false
}
