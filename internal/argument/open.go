package argument

import (
	"encoding/json"
	"strings"

	"github.com/sealmark/action/internal/rawjson"
)

// Item in a path stands for any item of an array.
const Item = "[]"

// Open reports whether the object at a path of names says by itself that it
// takes properties which it does not declare. What merely does not forbid them
// is not open.
func Open(inputSchema json.RawMessage, path ...string) bool {
	d := parse(inputSchema)
	at := d.root
	for _, name := range path {
		at = d.flat(at)
		if name == Item {
			at = object(at["items"])
		} else {
			at = object(object(at["properties"])[name])
		}
	}
	if at == nil {
		return len(path) > 0 // an argument that no schema describes
	}
	at = d.flat(at)
	switch at["additionalProperties"].(type) {
	case bool:
		return at["additionalProperties"] == true
	case map[string]any:
		return true
	}
	return len(object(at["patternProperties"])) > 0 || len(path) > 0 && object(at["properties"]) == nil && at["anyOf"] == nil && at["oneOf"] == nil
}

// Boundary is a value of an argument at the edge of what the schema allows.
type Boundary struct {
	Name, Kind string
	// Arguments are those of the base with the value in place.
	Arguments json.RawMessage
}

// Bounds of the values at the edge.
const (
	maxBoundaries = 8
	maxMembers    = 3      // members of an enum
	maxEdge       = 10_000 // a larger number may cost the server too much
)

// Boundaries returns valid arguments derived from valid ones, in which one
// argument is at its minimum, at its maximum, or another member of its enum.
// It leaves out large numbers, and those that say how long to wait.
func Boundaries(inputSchema, base json.RawMessage) []Boundary {
	schema, err := Compile(inputSchema)
	if err != nil || schema.Valid(base) != nil {
		return nil
	}
	values := parse(base).root
	d := &document{root: schema.root}
	properties := object(d.flat(schema.root)["properties"])
	var list []Boundary
	for _, name := range sorted(properties) {
		if _, given := values[name]; !given || waits(name) {
			continue
		}
		for _, edge := range edges(d.flat(object(properties[name]))) {
			if len(list) == maxBoundaries {
				return list
			}
			if same(edge.value, values[name]) {
				continue
			}
			changed := map[string]any{}
			for other, v := range values {
				changed[other] = v
			}
			changed[name] = edge.value
			arguments := rawjson.Encode(changed)
			if schema.Valid(arguments) == nil {
				list = append(list, Boundary{name, edge.kind, arguments})
			}
		}
	}
	return list
}

// waits reports whether an argument's name says that its value is a time.
func waits(name string) bool {
	lower := strings.ToLower(name)
	for _, word := range []string{"timeout", "duration", "wait", "delay", "sleep", "seconds", "interval", "_ms", "_sec"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}

type edge struct {
	kind  string
	value any
}

// edges lists the values at the edge of a property's schema.
func edges(property map[string]any) []edge {
	var list []edge
	for _, word := range []string{"minimum", "maximum"} {
		if r := rat(property[word]); r != nil {
			if f, _ := r.Float64(); f <= maxEdge && f >= -maxEdge {
				list = append(list, edge{word, property[word]})
			}
		}
	}
	members, _ := property["enum"].([]any)
	for i, member := range members {
		if i == maxMembers {
			break
		}
		list = append(list, edge{"enum", member})
	}
	return list
}

// Declared lists the names of the arguments at the top level, sorted.
func Declared(inputSchema json.RawMessage) []string {
	d := parse(inputSchema)
	return sorted(object(d.flat(d.root)["properties"]))
}
