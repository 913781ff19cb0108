package argument

import "slices"

// children queues the places below one: the members of an object and the items
// of an array. One that the valid arguments lack is added to them.
func (c *planner) children(p place) {
	if !p.has {
		return
	}
	if p.again() > 1 {
		return // a recursive schema says the same again
	}
	if len(p.path) >= maxLevels {
		if p.schema["properties"] != nil || p.schema["items"] != nil {
			c.refuse(p.id, "", "what is below is too deep to be looked at")
		}
		return
	}
	switch v := p.value().(type) {
	case map[string]any:
		c.objectChildren(p, v)
	case []any:
		c.arrayChildren(p, v)
	}
}

func (c *planner) objectChildren(p place, values map[string]any) {
	properties := object(p.schema["properties"])
	demanded := required(p.schema)
	names := sorted(properties)
	for _, name := range demanded {
		if _, ok := properties[name]; !ok {
			names = append(names, name)
		}
	}
	for _, name := range names {
		schema, described := properties[name]
		if schema == false {
			continue
		}
		if !described {
			schema = p.schema["additionalProperties"]
		}
		q := c.child(p, name, object(schema))
		q.required = slices.Contains(demanded, name)
		if _, q.has = values[name]; !q.has {
			q.base, q.has = c.extend(p, q)
		}
		c.queue = append(c.queue, q)
	}
	if schema := object(p.schema["additionalProperties"]); len(schema) > 0 {
		q := c.child(p, "sm_key", schema)
		if q.base, q.has = c.extend(p, q); q.has {
			c.queue = append(c.queue, q)
		}
	}
	c.patterned(p)
}

// extend adds a valid member to an object of the valid arguments. Where that
// is not enough, because it depends on others, the object is made anew with
// the member required. If nothing helps, the arguments are those without it.
func (c *planner) extend(p, q place) (any, bool) {
	var base any
	take := func(candidate any) bool {
		if !c.allowed(candidate) {
			return false
		}
		base = candidate
		return true
	}
	if c.tries(q.schema, func(v any) bool { return take(with(p.base, q.path, v)) }) {
		return base, true
	}
	if c.alone != nil && p.root() {
		return p.base, false
	}
	name := q.path[len(q.path)-1]
	whole := map[string]any{"allOf": []any{p.full, map[string]any{"required": []any{name}, "type": "object"}}}
	found := c.tries(whole, func(v any) bool {
		candidate := with(p.base, p.path, v)
		_, has := at(candidate, q.path)
		return has && take(candidate)
	})
	if !found {
		return p.base, false
	}
	return base, true
}

func (c *planner) arrayChildren(p place, values []any) {
	prefix := p.prefix()
	for i := range prefix {
		c.item(p, values, i)
	}
	if object(p.schema["items"]) != nil {
		c.item(p, values, len(prefix))
	}
}

// item queues an item of an array. Those before it have to be there.
func (c *planner) item(p place, values []any, i int) {
	const most = 8
	if i > most || limit(p.schema, "maxItems", maxItems) <= i {
		return
	}
	q := c.child(p, decimal(i), p.itemSchema(i))
	q.item = true
	if i < len(values) {
		q.has = true
		c.queue = append(c.queue, q)
		return
	}
	base := p.base
	for n := len(values); n <= i; n++ {
		next := p.child(decimal(n))
		added := c.tries(c.flat(p.itemSchema(n)), func(v any) bool {
			candidate := with(base, next.path, v)
			if !c.allowed(candidate) {
				return false
			}
			base = candidate
			return true
		})
		if !added {
			c.refuse(q.id, "", "no valid item could be made")
			return
		}
	}
	q.base, q.has = base, true
	c.queue = append(c.queue, q)
}

// child returns a place below one, with what a schema says of it.
func (c *planner) child(p place, token string, schema map[string]any) place {
	q := p.child(token)
	q.schema = c.flat(schema)
	q.full = q.schema
	eachDirectRef(schema, func(ref string) { q.refs = append(slices.Clone(q.refs), ref) })
	return q
}

// eachDirectRef visits the references of a subschema and of its alternatives.
func eachDirectRef(schema map[string]any, visit func(string)) {
	if ref, ok := schema["$ref"].(string); ok {
		visit(ref)
	}
	for _, word := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := schema[word].([]any)
		for _, sub := range list {
			if ref, ok := object(sub)["$ref"].(string); ok {
				visit(ref)
			}
		}
	}
}
