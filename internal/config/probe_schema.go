package config

// probeSchema is the JSON Schema of an entry of probes.
func probeSchema() map[string]any {
	properties := map[string]any{}
	for _, key := range ProbeKeys {
		name := key.Name[len("probes[]."):]
		s := keySchema(key)
		switch name {
		case "tool", "name":
			s = map[string]any{"description": key.Meaning, "type": []any{"string", "number", "boolean"}, "pattern": `\S`}
		case "args":
			s = map[string]any{"description": key.Meaning, "type": []any{"object", "null"}}
		case "allowed":
			s = map[string]any{"description": key.Meaning, "type": "object"}
		case "result":
			s = map[string]any{"description": key.Meaning, "type": []any{"object", "null"}, "propertyNames": map[string]any{"pattern": "^(/|$)"}}
		}
		properties[name] = s
	}
	needs := func(expect Expectation, member string) map[string]any {
		is := map[string]any{"required": []any{"expect"}, "properties": map[string]any{"expect": map[string]any{"const": string(expect)}}}
		return map[string]any{"if": map[string]any{"required": []any{member}}, "then": is}
	}
	return map[string]any{
		"type": "object", "additionalProperties": false, "properties": properties, "required": []any{"tool", "expect"},
		"allOf": []any{
			needs(ExpectDenied, "allowed"), needs(ExpectOK, "result"),
			map[string]any{"if": map[string]any{"properties": map[string]any{"expect": map[string]any{"const": string(ExpectDenied)}}}, "then": map[string]any{"required": []any{"allowed"}}},
		},
	}
}
