package reply

import (
	"encoding/json"
	"slices"
	"strings"
)

// reports are members of a structured result that tell of a failure, or of the
// call itself, and are no output.
var reports = []string{
	"success", "ok", "valid", "status", "statuscode", "error", "errors", "iserror", "errorcode", "errormessage", "errortype", "message", "messages", "msg", "code", "reason", "detail", "details",
	"description", "text", "type", "kind", "title", "issues", "warnings", "hint", "hints", "suggestion", "suggestions", "help", "tool", "name", "timestamp", "time", "requestid", "traceid", "id", "version", "metadata", "meta", "result",
}

// partial returns the output that a rejection shows beside its refusal, "" for
// none: a result beside an error, or declared members of structured output
// that hold something and do not tell of the failure.
func partial(a Answer, h heard, outputs []string) string {
	if e := a.Error; e != nil && !noError(e) {
		if len(a.Result) > 0 && !nothingIn(a.Result) && !empty(a.Result) {
			return short(strings.ToValidUTF8(string(a.Result[:min(len(a.Result), 300)]), ""))
		}
		return ""
	}
	for _, name := range outputs {
		if slices.Contains(reports, plainName(name)) {
			continue
		}
		value := members(h.structured, name)[name]
		if said := strings.TrimSpace(string(value[:min(len(value), 200)])); !nothingIn(value) && said != "0" && said != "false" {
			return name + ": " + strings.ToValidUTF8(said, "")
		}
	}
	return ""
}

// plainName is a name in lower case without separators.
func plainName(name string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))
}

// Outputs lists the declared top-level members of an output schema, sorted;
// nil for none.
func Outputs(outputSchema json.RawMessage) []string {
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(outputSchema, &schema) != nil {
		return nil
	}
	var names []string
	for name := range schema.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
