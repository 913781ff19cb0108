package argument

import (
	"fmt"
	"maps"
	"slices"
)

// condition is an if with its then and else.
type condition map[string]any

// conditions returns a schema without its conditions, and these.
func conditions(schema map[string]any) (map[string]any, []condition) {
	var list []condition
	if c := condition(schema); c.says() {
		list = append(list, c)
	}
	parts, _ := schema["allOf"].([]any)
	var others []any
	for _, part := range parts {
		if c := condition(object(part)); c.says() && c.only() {
			list = append(list, c)
		} else {
			others = append(others, part)
		}
	}
	if len(list) == 0 {
		return schema, nil
	}
	rest := maps.Clone(schema)
	for _, word := range []string{"if", "then", "else", "allOf"} {
		delete(rest, word)
	}
	if len(others) > 0 {
		rest["allOf"] = others
	}
	return rest, list
}

func (c condition) says() bool { return c["if"] != nil && (c["then"] != nil || c["else"] != nil) }

// only reports whether there is nothing beside the condition.
func (c condition) only() bool {
	for word := range c {
		if word != "if" && word != "then" && word != "else" {
			return false
		}
	}
	return true
}

// vacuous reports whether the condition holds for an object without members.
func (c condition) vacuous() bool { return object(c["if"])["required"] == nil }

// choose joins a schema with what its conditions demand, and with those of
// them that shall hold in a turn.
func choose(rest map[string]any, list []condition, turn int) map[string]any {
	all := []any{rest}
	for i, c := range list {
		var holds bool
		switch turn {
		case 0:
			holds = c.vacuous()
		case 2:
			holds = false
		case 4:
			holds = true
		default:
			holds = i == turn/2%(len(list)+1)
		}
		switch {
		case holds && c["then"] != nil:
			all = append(all, c["if"], c["then"])
		case holds:
			all = append(all, c["if"])
		case c["else"] != nil:
			all = append(all, c["else"])
		}
	}
	return map[string]any{"allOf": all}
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
