package argument

import (
	"fmt"
	"maps"
	"slices"
)

// conditional returns a schema without its if, then and else, and what may be
// joined with it instead, nil if it has no condition.
func conditional(schema map[string]any) (map[string]any, []any) {
	condition, ok := schema["if"]
	if !ok || schema["then"] == nil && schema["else"] == nil {
		return schema, nil
	}
	rest := maps.Clone(schema)
	for _, word := range []string{"if", "then", "else"} {
		delete(rest, word)
	}
	applies := map[string]any{"allOf": []any{condition, schema["then"]}}
	otherwise := object(schema["else"])
	if otherwise == nil {
		otherwise = map[string]any{}
	}
	// A condition on members that it does not require holds without them.
	if object(condition)["required"] == nil {
		return rest, []any{applies, otherwise}
	}
	return rest, []any{otherwise, applies}
}

// dependents joins a schema with what its required members demand.
func (d *document) dependents(schema map[string]any) map[string]any {
	applied := map[string]bool{}
	for again := true; again; {
		again = false
		for _, word := range []string{"dependentRequired", "dependentSchemas", "dependencies"} {
			demands := object(schema[word])
			for _, name := range required(schema) {
				demand, ok := demands[name]
				if key := word + " " + name; !ok || applied[key] || d.spend(1) {
					continue
				} else {
					applied[key] = true
				}
				if names, ok := demand.([]any); ok {
					demand = map[string]any{"required": names}
				}
				schema = d.flat(map[string]any{"allOf": []any{schema, demand}})
				again = true
			}
		}
	}
	return schema
}

// member returns the schema of a member of an object.
func (d *document) member(schema map[string]any, name string) any {
	var all []any
	if p, ok := object(schema["properties"])[name]; ok {
		all = append(all, p)
	}
	patterns := object(schema["patternProperties"])
	for _, pattern := range sorted(patterns) {
		if re := compilePattern(pattern); !d.spend(1) && re != nil && re.MatchString(name) {
			all = append(all, patterns[pattern])
		}
	}
	switch len(all) {
	case 0:
		return schema["additionalProperties"]
	case 1:
		return all[0]
	}
	if slices.Contains(all, any(false)) {
		return false
	}
	return map[string]any{"allOf": all}
}

// key makes the name of a member that is not declared.
func (g *generator) key(schema map[string]any, i int) (string, error) {
	if names := object(schema["propertyNames"]); len(names) > 0 {
		one := generator{doc: g.doc, turn: g.turn + i, plain: g.plain}
		v, err := one.text(g.doc.flat(names))
		if list, ok := g.doc.flat(names)["enum"].([]any); ok && len(texts(list)) > 0 {
			v, err = texts(list)[i%len(texts(list))], nil
		}
		return v, err
	}
	if schema["additionalProperties"] == false || schema["unevaluatedProperties"] == false {
		patterns := sorted(object(schema["patternProperties"]))
		for _, pattern := range patterns {
			re := compilePattern(pattern)
			name, ok := matching(pattern, object(schema["properties"]))
			if !ok {
				continue
			}
			if other := name + decimal(i); i > 0 && re.MatchString(other) {
				name = other
			}
			return name, nil
		}
	}
	return fmt.Sprintf("key%d", i), nil
}
