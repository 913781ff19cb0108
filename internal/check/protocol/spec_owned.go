package protocol

import (
	"strings"

	"github.com/sealmark/action/internal/check"
)

// owner is a narrower rule that reports a violation in place of
// spec.schema-violation.
type owner struct {
	method string
	// places are within the result; a final /... covers all below as well.
	places []string
	// missing are members whose absence the rule reports.
	missing []string
}

// owners: protocol.version-missing and protocol.server-info-missing,
// protocol.schema-invalid and protocol.output-schema-invalid,
// protocol.annotation-type, protocol.icon-invalid, protocol.mime-invalid,
// protocol.prompt-argument-invalid, output.content-missing,
// output.content-invalid and output.schema-mismatch.
var owners = []owner{
	{"initialize", []string{"/protocolVersion", "/serverInfo", "/serverInfo/name", "/serverInfo/version", "/serverInfo/icons/..."}, []string{"protocolVersion", "serverInfo"}},
	{"tools/list", []string{"/tools/*/inputSchema/...", "/tools/*/outputSchema/...", "/tools/*/annotations/...", "/tools/*/icons/..."}, []string{"inputSchema"}},
	{"resources/list", []string{"/resources/*/icons/...", "/resources/*/mimeType"}, nil},
	{"resources/templates/list", []string{"/resourceTemplates/*/icons/...", "/resourceTemplates/*/mimeType"}, nil},
	{"prompts/list", []string{"/prompts/*/icons/...", "/prompts/*/arguments/..."}, nil},
	{"tools/call", []string{"/content/...", "/structuredContent"}, []string{"content"}},
}

// owned reports whether a narrower rule owns a violation.
func owned(at check.BreachAt) bool {
	place, ok := strings.CutPrefix(at.Place, "/result")
	if !ok || booleanProperty(at, place) {
		return false
	}
	for _, o := range owners {
		if o.method != at.Method {
			continue
		}
		if at.Keyword == "required" && o.lacks(at, place) {
			return true
		}
		for _, p := range o.places {
			prefix, deep := strings.CutSuffix(p, "/...")
			if place == prefix || deep && strings.HasPrefix(place, prefix+"/") {
				return true
			}
		}
	}
	return false
}

// lacks reports whether the rule owns the absence of a member.
func (o owner) lacks(at check.BreachAt, place string) bool {
	if strings.Count(place, "/") > 2 {
		return false
	}
	for _, name := range o.missing {
		if at.Text == `lacks the member "`+name+`"` {
			return true
		}
	}
	return false
}

// booleanProperty reports whether the violation is a boolean in place of the
// schema of an argument: valid JSON Schema, which no other rule minds, but not
// the shape that the protocol gives a tool.
func booleanProperty(at check.BreachAt, place string) bool {
	tokens := strings.Split(place, "/")
	return at.Method == "tools/list" && len(tokens) == 6 && tokens[4] == "properties" && (tokens[3] == "inputSchema" || tokens[3] == "outputSchema") &&
		at.Keyword == "type" && strings.HasSuffix(at.Text, "is boolean")
}
