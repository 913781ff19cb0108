package argument

import (
	"encoding/json"
	"slices"
	"strings"
)

// parse reads a schema as an object, nil if it is none.
func parse(raw json.RawMessage) map[string]any {
	var root map[string]any
	if len(raw) > maxSchemaBytes || json.Unmarshal(raw, &root) != nil {
		return nil
	}
	return root
}

// Properties lists the names of the declared arguments, sorted, those of
// nested objects and items included.
func Properties(raw json.RawMessage) []string {
	root := parse(raw)
	names := map[string]bool{}
	nodes := 0
	collect(root, root, 0, &nodes, names)
	return sorted(names)
}

func collect(root, schema map[string]any, depth int, nodes *int, names map[string]bool) {
	*nodes++
	if schema == nil || depth > maxDepth/4 || *nodes > maxNodes/10 {
		return
	}
	schema = resolve(root, schema)
	for name, sub := range object(schema["properties"]) {
		names[name] = true
		collect(root, object(sub), depth+1, nodes, names)
	}
	collect(root, object(schema["items"]), depth+1, nodes, names)
	for _, word := range []string{"anyOf", "oneOf", "allOf"} {
		list, _ := schema[word].([]any)
		for _, sub := range list {
			collect(root, object(sub), depth+1, nodes, names)
		}
	}
}

// Empty reports whether the schema declares no property in any way, so that
// {} is the one call that was meant.
func Empty(raw json.RawMessage) bool {
	root := parse(raw)
	for _, word := range []string{"$ref", "anyOf", "oneOf", "allOf", "patternProperties", "required", "minProperties", "if", "not"} {
		if v, ok := root[word]; ok {
			if list, isList := v.([]any); !isList || len(list) > 0 {
				return false
			}
		}
	}
	return len(object(root["properties"])) == 0
}

// resolve follows a local $ref, a bounded number of times.
func resolve(root, schema map[string]any) map[string]any {
	for range 16 {
		ref, ok := schema["$ref"].(string)
		if !ok || !strings.HasPrefix(ref, "#") {
			return schema
		}
		target := root
		for _, part := range strings.Split(strings.TrimPrefix(ref, "#"), "/") {
			if part == "" {
				continue
			}
			part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
			target = object(target[part])
		}
		if target == nil {
			return schema
		}
		schema = target
	}
	return schema
}

func object(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

// types returns the declared types of a schema, nil for none.
func types(schema map[string]any) []string {
	switch t := schema["type"].(type) {
	case string:
		return []string{t}
	case []any:
		var list []string
		for _, v := range t {
			if s, ok := v.(string); ok {
				list = append(list, s)
			}
		}
		return list
	}
	return nil
}

func required(schema map[string]any) []string {
	var names []string
	list, _ := schema["required"].([]any)
	for _, v := range list {
		if s, ok := v.(string); ok && !slices.Contains(names, s) {
			names = append(names, s)
		}
	}
	return names
}

func sorted[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
