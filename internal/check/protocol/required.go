package protocol

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/rawjson"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
)

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// elsewhere are the keywords that may declare or demand properties beside the
// root's own properties and required.
var elsewhere = []string{"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "then", "else", "dependentRequired", "dependentSchemas", "dependencies", "patternProperties"}

// required holds the required list of a tool's schema against its properties
// and, as a guess, against the prose of the properties. A schema that may
// declare properties in other ways is left alone.
func (p *passive) required(t session.Tool, at hit) {
	root := rawjson.Object(t.InputSchema)
	if root == nil || slices.ContainsFunc(elsewhere, func(k string) bool { return root[k] != nil }) {
		return
	}
	properties := rawjson.Object(root["properties"])
	var required []string
	if json.Unmarshal(root["required"], &required) != nil {
		required = nil
	}
	var undeclared []string
	listed := map[string]bool{}
	for _, name := range required {
		if _, ok := properties[name]; !ok && !listed[name] {
			undeclared = append(undeclared, name)
		}
		listed[name] = true
	}
	if len(undeclared) > 0 {
		at.match = p.line(some(undeclared), 200)
		p.add(at.with("protocol.schema-required-mismatch", fmt.Sprintf("The inputSchema of tool \"%s\" requires what it does not declare: %s.", p.line(t.Name, 80), at.match)))
		return
	}
	var said []string
	for _, name := range sorted(properties) {
		if !listed[name] && saysRequired(properties[name]) {
			said = append(said, name)
		}
	}
	if len(said) > 0 {
		at.severity, at.match = rule.Note, p.line(some(said), 200)
		p.add(at.with("protocol.schema-required-mismatch", fmt.Sprintf("The inputSchema of tool \"%s\" calls arguments required in their descriptions that its required list lacks: %s.", p.line(t.Name, 80), at.match)))
	}
}

// requiredWords match a description that calls its argument required without
// a condition: as a mark ("(required)", "[Required]", "**required**"), as the
// first word ("Required.", "REQUIRED - the id"), or as a sentence ("This
// field is required.").
var requiredWords = regexp.MustCompile(`(?i)[(\[]\s*required\s*[)\]]|\*\*\s*required\s*\*\*|^\s*required\s*(?:[.:;!–—-]|$)|\b(?:this|the)\s+(?:argument|parameter|field|value|property)\s+is\s+required\s*(?:[.;!]|$)`)

// conditionWords take a requirement back, or name its condition.
var conditionWords = regexp.MustCompile(`(?i)\boptional\b|\bnot required\b|\brequired (?:for|when|if|unless|only|in|to|by|with)\b|\b(?:if|when|unless|only for|except|default(?:s|ed)?|either|one of|at least one|omit(?:ted)?)\b`)

// saysRequired reports whether the prose of a property calls it required.
func saysRequired(schema json.RawMessage) bool {
	members := rawjson.Object(schema)
	description, _ := rawjson.Text(members["description"])
	if members["default"] != nil || strings.TrimSpace(description) == "" {
		return false
	}
	return requiredWords.MatchString(description) && !conditionWords.MatchString(description)
}
