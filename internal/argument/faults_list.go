package argument

import (
	"maps"
	"slices"
)

// lists plans arrays with too few, too many, equal or missing items.
func (c *planner) lists(p place) {
	declared := types(p.schema)
	if fixed(p.schema) || len(declared) > 0 && !slices.Contains(declared, "array") {
		return
	}
	base, _ := p.value().([]any)
	if least := limit(p.schema, "minItems", 0); least > 0 && len(base) >= least {
		c.put(p, TooFewItems, "minItems", base[:least-1])
	}
	if most := limit(p.schema, "maxItems", -1); most >= maxItems {
		c.refuse(p.id+"/"+string(TooManyItems), TooManyItems, "the array would be too long")
	} else if most >= 0 {
		c.tooMany(p, base, most)
	}
	if p.schema["uniqueItems"] == true {
		c.duplicates(p, base)
	}
	if p.schema["contains"] != nil {
		c.contains(p, base)
	}
}

// tooMany plans an array with one item more than the most.
func (c *planner) tooMany(p place, base []any, most int) {
	more := maps.Clone(p.schema)
	delete(more, "maxItems")
	delete(more, "default")
	delete(more, "examples")
	more["minItems"] = most + 1
	more["type"] = "array"
	made := 0
	plan := func(list []any) bool {
		made++
		d := c.replaced(p, TooManyItems, "maxItems", list)
		if _, reason := c.prove(d); reason != "" {
			return false
		}
		c.add(p, d)
		return true
	}
	planned := c.tries(more, func(v any) bool {
		list, ok := v.([]any)
		return ok && len(list) > most && made < 3 && plan(list)
	})
	if !planned && len(base) > 0 && p.schema["uniqueItems"] != true {
		list := slices.Clone(base)
		for len(list) <= most {
			list = append(list, base[len(base)-1])
		}
		planned = plan(list)
	}
	if !planned {
		c.refuse(p.id+"/"+string(TooManyItems), TooManyItems, "no items were found that break maxItems only")
	}
}

// duplicates plans an array with two equal items.
func (c *planner) duplicates(p place, base []any) {
	list := slices.Clone(base)
	if len(list) == 0 {
		item, ok := c.make(p.itemSchema(0))
		if !ok {
			c.refuse(p.id+"/"+string(DuplicateItems), DuplicateItems, "no item could be made")
			return
		}
		list = append(list, item)
	}
	if most := limit(p.schema, "maxItems", maxItems); len(list) < most {
		list = append(list, list[0])
	} else if len(list) > 1 {
		list[len(list)-1] = list[0]
	} else {
		c.refuse(p.id+"/"+string(DuplicateItems), DuplicateItems, "no more than one item is allowed")
		return
	}
	c.put(p, DuplicateItems, "uniqueItems", list)
}

// itemSchema returns what holds for an item.
func (p place) itemSchema(i int) map[string]any {
	prefix := p.prefix()
	if i < len(prefix) {
		return object(prefix[i])
	}
	return object(p.schema["items"])
}

// prefix returns the schemas of the first items, in either way of writing
// them.
func (p place) prefix() []any {
	if tuple, ok := p.schema["items"].([]any); ok {
		return tuple
	}
	prefix, _ := p.schema["prefixItems"].([]any)
	return prefix
}

// contains plans an array without the item that it has to contain.
func (c *planner) contains(p place, base []any) {
	var drafts []draft
	if limit(p.schema, "minItems", 0) == 0 {
		drafts = append(drafts, c.replaced(p, Contains, "contains", []any{}))
	}
	c.tries(p.itemSchema(0), func(v any) bool {
		list := []any{}
		for range max(1, len(base)) {
			list = append(list, v)
		}
		drafts = append(drafts, c.replaced(p, Contains, "contains", list))
		return len(drafts) > 6
	})
	for _, v := range wrongValues {
		drafts = append(drafts, c.replaced(p, Contains, "contains", []any{v}))
	}
	if limit(p.schema, "minContains", 1) > 1 {
		for i := range drafts {
			drafts[i].keyword = "minContains"
		}
	}
	c.first(p, drafts)
}
