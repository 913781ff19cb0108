package protocol

import (
	"slices"
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
// protocol.schema-invalid, protocol.output-schema-invalid,
// contract.schema-uncompilable and contract.untyped-property (a boolean schema
// is valid JSON Schema, though the protocol's shapes know objects alone),
// protocol.annotation-type, protocol.icon-invalid, protocol.mime-invalid,
// protocol.prompt-argument-invalid, output.content-missing and
// output.content-invalid.
var owners = []owner{
	{"initialize", []string{"/protocolVersion", "/serverInfo", "/serverInfo/name", "/serverInfo/version"}, []string{"protocolVersion", "serverInfo"}},
	{"tools/list", []string{"/tools/*/inputSchema/...", "/tools/*/outputSchema/...", "/tools/*/annotations/...", "/tools/*/icons/..."}, []string{"inputSchema"}},
	{"resources/list", []string{"/resources/*/icons/...", "/resources/*/mimeType"}, nil},
	{"resources/templates/list", []string{"/resourceTemplates/*/icons/...", "/resourceTemplates/*/mimeType"}, nil},
	{"prompts/list", []string{"/prompts/*/icons/...", "/prompts/*/arguments", "/prompts/*/arguments/*", "/prompts/*/arguments/*/name", "/prompts/*/arguments/*/required"}, nil},
	{"tools/call", []string{"/content/..."}, []string{"content"}},
}

// owned reports whether a narrower rule owns a violation.
func owned(at check.BreachAt) bool {
	place, ok := strings.CutPrefix(at.Place, "/result")
	if !ok || at.Method == "tools/call" && optional(place) {
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

// optional reports whether a place within a content block is one of the optional
// members that output.content-invalid does not look at.
func optional(place string) bool {
	rest, ok := strings.CutPrefix(place, "/content/*/")
	rest = strings.TrimPrefix(rest, "resource/")
	member, _, _ := strings.Cut(rest, "/")
	return ok && (member == "annotations" || member == "_meta")
}

// outputOwned reports whether structured content of a wrong type came from
// tools that declare an output schema: then output.schema-mismatch, or
// protocol.output-schema-invalid for a schema that asks for it, has the fault.
func (p *readings) outputOwned(at check.BreachAt, b check.Breach) bool {
	if at.Method != "tools/call" || at.Place != "/result/structuredContent" || len(b.Items) == 0 {
		return false
	}
	for _, t := range p.env.Snapshot.Tools {
		if t.OutputSchema == nil && slices.Contains(b.Items, "tool:"+t.Name) {
			return false
		}
	}
	return true
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
