package argument

import "encoding/json"

// Properties lists the names of the declared arguments, sorted, those of
// nested objects and items included. It is nil for what is no schema.
func Properties(inputSchema json.RawMessage) []string {
	d := parse(inputSchema)
	names := map[string]bool{}
	d.collect(d.root, names, 0)
	if len(names) == 0 {
		return nil
	}
	return sorted(names)
}

func (d *document) collect(schema map[string]any, names map[string]bool, depth int) {
	if schema == nil || depth > maxDepth/4 || d.spend(1) {
		return
	}
	schema = d.flat(schema)
	properties := object(schema["properties"])
	for _, name := range sorted(properties) {
		names[name] = true
		d.collect(object(properties[name]), names, depth+1)
	}
	for _, word := range []string{"items", "additionalProperties", "contains"} {
		d.collect(object(schema[word]), names, depth+1)
	}
	for _, word := range []string{"anyOf", "oneOf", "allOf", "prefixItems", "items"} {
		list, _ := schema[word].([]any)
		for _, sub := range list {
			d.collect(object(sub), names, depth+1)
		}
	}
}

// Empty reports whether the schema declares no property in any way, so that
// {} is the one call that was meant.
func Empty(inputSchema json.RawMessage) bool {
	d := parse(inputSchema)
	if d.root == nil {
		return false
	}
	for _, word := range []string{"$ref", "anyOf", "oneOf", "allOf", "patternProperties", "required", "minProperties", "if", "not", "$dynamicRef", "propertyNames"} {
		if v, ok := d.root[word]; ok {
			if list, isList := v.([]any); !isList || len(list) > 0 {
				return false
			}
		}
	}
	return len(object(d.root["properties"])) == 0
}
