package config

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/sealmark/action/internal/rule"
)

// Schema returns the JSON Schema (2020-12) of sealmark.yml, made from the same
// keys that Parse checks.
func Schema(checks []rule.Check) ([]byte, error) {
	root := node("Configuration of Sealmark")
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["$id"] = "https://github.com/sealmark/action/blob/main/docs/sealmark.schema.json"
	for _, key := range AllKeys(checks) {
		put(root, key)
	}
	if len(checks) == 0 {
		root["properties"].(map[string]any)["checks"] = node("")
	}
	rules := node("")
	for _, c := range checks {
		for _, r := range c.Rules {
			of := node(r.Title)
			of["properties"].(map[string]any)["severity"] = keySchema(ruleKey(r.ID))
			rules["properties"].(map[string]any)[r.ID] = of
		}
	}
	top := root["properties"].(map[string]any)
	top["rules"] = rules
	for name, text := range descriptions {
		top[name].(map[string]any)["description"] = text
	}
	for _, c := range checks {
		if c.Title != "" {
			top["checks"].(map[string]any)["properties"].(map[string]any)[c.ID].(map[string]any)["description"] = c.Title
		}
	}
	data, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the schema of sealmark.yml: %w", err)
	}
	return append(data, '\n'), nil
}

// descriptions are those of the maps that are no setting of their own.
var descriptions = map[string]string{
	"contract": "Which tools may be called with arguments that are nearly valid.",
	"server":   "How the server is started or reached.",
	"checks":   "Settings of the checks, by their ids.",
	"rules":    "Settings of single rules, by their ids.",
}

func node(description string) map[string]any {
	n := map[string]any{"type": []any{"object", "null"}, "additionalProperties": false, "properties": map[string]any{}}
	if description != "" {
		n["description"] = description
	}
	return n
}

// put places the schema of a key at its dotted name.
func put(root map[string]any, key rule.Key) {
	parts := strings.Split(key.Name, ".")
	at := root
	for _, part := range parts[:len(parts)-1] {
		properties := at["properties"].(map[string]any)
		if properties[part] == nil {
			properties[part] = node("")
		}
		at = properties[part].(map[string]any)
	}
	at["properties"].(map[string]any)[parts[len(parts)-1]] = keySchema(key)
}

// durationPattern is a Go duration or a number of seconds. That it is not zero
// is another pattern; how long it is at most, the schema can't say.
const durationPattern = `^[0-9]+(\.[0-9]+)?(h|m|s|ms|us|µs|ns)?([0-9]+(\.[0-9]+)?(m|s|ms|us|µs|ns))*$`

// serverSchema is the JSON Schema of an entry of servers.
func serverSchema() map[string]any {
	entry := map[string]any{"type": "object", "additionalProperties": false, "required": []any{"name"}}
	properties := map[string]any{"name": map[string]any{"description": "The name that tells the server from the others.", "type": []any{"string", "number", "boolean"}, "pattern": serverNames.String()}}
	for _, key := range Keys {
		if name, ok := strings.CutPrefix(key.Name, "server."); ok {
			properties[name] = keySchema(key)
		}
	}
	entry["properties"] = properties
	return entry
}

func keySchema(key rule.Key) map[string]any {
	s := map[string]any{"description": key.Meaning}
	if key.Default != nil && key.Default != "" {
		s["default"] = key.Default
	}
	scalar := map[string]any{"type": []any{"string", "number", "boolean"}}
	switch {
	case key.Name == "probes":
		s["type"], s["items"] = []any{"array", "null"}, probeSchema()
		return s
	case key.Name == "accept":
		s["type"], s["items"] = []any{"array", "null"}, acceptSchema()
		return s
	case key.Name == "server.command":
		s["anyOf"] = []any{
			map[string]any{"type": "string", "pattern": `\S`},
			map[string]any{"type": "array", "items": scalar, "minItems": 1},
		}
		return s
	case key.Name == "server.build":
		step := map[string]any{"anyOf": []any{
			map[string]any{"type": "string", "pattern": `\S`},
			map[string]any{"type": "array", "items": scalar, "minItems": 1},
		}}
		s["anyOf"] = []any{
			map[string]any{"type": "string", "pattern": `\S`},
			map[string]any{"type": "array", "items": step},
			map[string]any{"type": "null"},
		}
		return s
	case key.Name == "servers":
		s["anyOf"] = []any{
			map[string]any{"const": AllServers},
			map[string]any{"type": "array", "items": serverSchema(), "maxItems": maxServers},
			map[string]any{"type": "null"},
		}
		return s
	case key.Name == "server.env" || key.Name == "server.build_env":
		s["type"], s["additionalProperties"] = []any{"object", "null"}, scalar
		s["propertyNames"] = map[string]any{"pattern": `^[^=\s]+$`}
		return s
	case key.Type == rule.Texts:
		text := map[string]any{"type": []any{"string", "number", "boolean"}, "minLength": 1}
		s["anyOf"] = []any{text, map[string]any{"type": "array", "items": text}, map[string]any{"type": "null"}}
		return s
	case key.Type == rule.Duration:
		s["anyOf"] = []any{map[string]any{"type": "number", "minimum": *key.Min, "maximum": *key.Max}, map[string]any{"type": "string", "allOf": []any{
			map[string]any{"pattern": durationPattern}, map[string]any{"pattern": "[1-9]"},
		}}}
		return s
	case key.Type == rule.Enum:
		values := []any{}
		for _, v := range key.Enum {
			values = append(values, v)
		}
		if key.Default == "" {
			values = append(values, "")
		}
		if key.Nullable {
			values = append(values, nil)
		}
		s["enum"] = values
		return s
	}
	s["type"] = string(key.Type)
	if key.Nullable {
		s["type"] = []any{string(key.Type), "null"}
	}
	if key.Min != nil {
		s["minimum"] = *key.Min
	}
	if key.Max != nil {
		s["maximum"] = *key.Max
	}
	return s
}
