package protocol

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sealmark/action/internal/rawjson"
	"github.com/sealmark/action/internal/session"
)

// The ids of the probes that the code names.
const (
	unknownMethod      = "unknown-method"
	arrayParams        = "array-params"
	unsupportedVersion = "unsupported-version"
)

// impossible is a revision that no server can speak.
const impossible = "1999-01-01"

// How long an answer to a message is awaited that a server may leave
// unanswered. A ping follows, so the server has read the message by then.
const (
	lull     = 200 * time.Millisecond
	longLull = 600 * time.Millisecond
)

// probe is one message of the check.
type probe struct {
	id, text string
	// method and params make the request, unless raw does.
	method string
	params any
	raw    func(id string) string
	// subject is the subject of its findings.
	subject string
	// fits says whether the probe makes sense for a server, nil for any.
	fits func(*session.Snapshot) bool
	// silence is how long an answer is awaited to a message that a server may
	// leave unanswered; 0 for all others.
	silence time.Duration
	// tolerated says whether a result is none that the probe should report,
	// nil for no result.
	tolerated func(s *session.Snapshot, result json.RawMessage) bool
	// list is the member that holds the list of a capability which is not
	// advertised, "" for other probes.
	list string
	// because says in a message why the server should have refused.
	because string
}

// undeclared is the name of a tool or prompt that no server has.
const undeclared = "sealmark_undeclared"

func advertises(capability string) func(*session.Snapshot) bool {
	return func(s *session.Snapshot) bool { return s.Advertises(capability) }
}

func hides(capability string) func(*session.Snapshot) bool {
	return func(s *session.Snapshot) bool { return !s.Advertises(capability) }
}

// catalogue lists the probes in the order in which they are sent.
var catalogue = []probe{
	{id: unknownMethod, text: "a request of the method `sealmark/unknown`, which nobody has", method: "sealmark/unknown", params: empty, subject: "server",
		because: "the method does not exist"},
	{id: "cursor-type", text: "`tools/list` with the cursor 7, a number", method: "tools/list", params: map[string]any{"cursor": 7}, subject: "method:tools/list", fits: advertises("tools"),
		because: "the cursor is a number"},
	{id: "tool-name-type", text: "`tools/call` with the name 42, a number", method: "tools/call", params: map[string]any{"name": 42, "arguments": empty}, subject: "method:tools/call", fits: advertises("tools"),
		tolerated: failedCall, because: "the name is a number"},
	{id: "undeclared-tool", text: "`tools/call` of a tool that is not listed", method: "tools/call", params: map[string]any{"name": undeclared, "arguments": empty}, subject: "method:tools/call",
		fits:      func(s *session.Snapshot) bool { return advertises("tools")(s) && !listsTool(s, undeclared) },
		tolerated: failedCall, because: "no such tool is listed"},
	{id: "undeclared-prompt", text: "`prompts/get` of a prompt that is not listed", method: "prompts/get", params: map[string]any{"name": undeclared}, subject: "method:prompts/get", fits: advertises("prompts"),
		because: "no such prompt is listed"},
	{id: "resource-uri-invalid", text: "`resources/read` of a text that is no URI", method: "resources/read", params: map[string]any{"uri": "sealmark: not a URI"}, subject: "method:resources/read",
		tolerated: anyURI, because: "the text is no URI"},
	{id: "resource-uri-control", text: "`resources/read` of a URI with the control character U+0001, escaped as JSON asks", method: "resources/read", params: map[string]any{"uri": "sealmark://\x01"}, subject: "method:resources/read",
		tolerated: anyURI, because: "a URI holds no control characters"},
	{id: "completion-ref", text: "`completion/complete` with a reference of an unknown type", method: "completion/complete",
		params:  map[string]any{"ref": map[string]any{"type": "ref/sealmark", "name": "x"}, "argument": map[string]any{"name": "a", "value": ""}},
		subject: "method:completion/complete", fits: advertises("completions"), tolerated: nothingCompleted, because: "there is no reference of that type"},
	{id: "unadvertised-tools", text: "`tools/list`, if tools are not advertised", method: "tools/list", params: empty, subject: "capability:tools", fits: hides("tools"), list: "tools"},
	{id: "unadvertised-resources", text: "`resources/list`, if resources are not advertised", method: "resources/list", params: empty, subject: "capability:resources", fits: hides("resources"), list: "resources"},
	{id: "unadvertised-prompts", text: "`prompts/list`, if prompts are not advertised", method: "prompts/list", params: empty, subject: "capability:prompts", fits: hides("prompts"), list: "prompts"},
	{id: "no-method", text: "an object with an id and without a method: silence raises nothing, death does", subject: "server", silence: lull, because: "the message has no method",
		raw: func(id string) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s}`, id) }},
	{id: "method-type", text: "an object whose method is the number 42: silence raises nothing, death does", subject: "server", silence: lull, because: "the method is a number",
		raw: func(id string) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":42}`, id) }},
	{id: arrayParams, text: "`ping` with an array of params: whatever comes of it but death is a note", subject: "method:ping", silence: longLull, because: "params is an array",
		raw: func(id string) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"ping","params":[1]}`, id)
		}},
}

var empty = map[string]any{}

func listsTool(s *session.Snapshot, name string) bool {
	return slices.ContainsFunc(s.Tools, func(t session.Tool) bool { return t.Name == name })
}

// failedCall: a call that failed inside of the result was refused too.
func failedCall(_ *session.Snapshot, result json.RawMessage) bool {
	return string(rawjson.Object(result)["isError"]) == "true"
}

// anyURI: a server whose templates match any text may have such a resource,
// and contents that are empty are a matter of spec.resource-not-found.
func anyURI(s *session.Snapshot, result json.RawMessage) bool {
	contents, given := rawjson.Object(result)["contents"]
	return given && len(rawjson.Array(contents)) == 0 || slices.ContainsFunc(s.Templates, func(raw json.RawMessage) bool {
		template, _ := rawjson.Text(rawjson.Object(raw)["uriTemplate"])
		return strings.HasPrefix(template, "{")
	})
}

// nothingCompleted: an empty list of values says as much as an error.
func nothingCompleted(_ *session.Snapshot, result json.RawMessage) bool {
	return len(rawjson.Array(rawjson.Object(rawjson.Object(result)["completion"])["values"])) == 0
}
