package reply

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// RefusalWords begin a normal reply that refuses its call in words.
var RefusalWords = []string{
	"invalid input", "invalid argument", "invalid arguments", "invalid param", "invalid params", "invalid parameter", "invalid parameters", "invalid request", "invalid value", "invalid type", "invalid tool",
	"input validation error", "validation error", "validation failed", "validation failure", "schema validation",
	"missing required", "missing argument", "missing arguments", "missing parameter", "missing parameters", "missing param", "missing field", "missing property", "missing value",
	"required parameter", "required argument", "required field", "required property",
	"bad request", "bad input", "bad argument", "bad parameter", "malformed request", "malformed input", "malformed argument", "illegal argument",
	"unexpected argument", "unexpected parameter", "unexpected property", "unexpected field", "unexpected keyword", "unexpected type", "unknown argument", "unknown parameter", "unknown field", "unrecognized argument", "unrecognized key", "unrecognized parameter", "unsupported type", "type mismatch", "wrong type",
	"please provide", "please specify", "please supply", "you must provide", "you must specify", "must provide", "must specify",
	"failed to", "request failed", "operation failed", "tool execution failed", "tool validation failed", "request rejected", "call rejected",
	"mcp error", "error executing", "error calling", "error running", "error invoking", "error processing", "error parsing", "error validating",
}

// RefusalPhrases are a validator's words, which refuse wherever they stand in
// a short reply.
var RefusalPhrases = []string{
	"does not match the schema", "does not match schema", "does not match the input schema", "failed schema validation", "schema validation failed", "input validation error", "invalid arguments for tool", "parameter validation failed",
	"is a required property", "is not of type '", "is not valid under any of the given schemas", "additional properties are not allowed", "must have required property", "must not have additional properties", "unexpected additional properties", "missing properties: [",
	"input should be a valid", "field required [type=missing", "validation error for ", "validation errors for ",
	`"invalid_type"`, `"unrecognized_keys"`, "cannot unmarshal", "missing field `", "invalid type: ", "could not be converted to system.", "cannot deserialize value of type", "missing required ",
}

var (
	// errorStart: "Error: …", "Input Error", "Error opening file", "ValueError: …".
	errorStart = regexp.MustCompile(`^(?:(?i:(?:(?:input|validation|argument|parameter|request|type|schema|configuration|tool|execution|internal|server|api) )?errors?(?:\s*[:(\]–—-]|\s*$| in | while | during | [a-z]+ing\b))|[\w.]*[a-z](?:Error|Exception)\s*[:(])`)
	// invalidStart: "Invalid date", "Invalid 'name': …".
	invalidStart = regexp.MustCompile(`(?i)^invalid\s+["'\x60]?[\w .\[\]-]{1,40}["'\x60]?\s*(?:[:.,;!(-]|$)`)
	// unableStart: "Unable to parse …", "Cannot read …".
	unableStart = regexp.MustCompile(`(?i)^(?:unable to|could not|couldn't|cannot|can't) (?:parse|process|validate|convert|decode|deserialize|execute|run|complete|perform|bind|unmarshal|handle|read|open|load|connect|resolve|fetch|create|use|accept)\b`)
	// noneGiven: "No query provided". given: "No results for the given query".
	noneGiven = regexp.MustCompile(`(?i)^no [\w ]{1,40} (?:was |were )?(?:provided|specified|given|supplied)\b`)
	given     = regexp.MustCompile(`(?i)\b(?:the|your|this|that|these|those|a|an|any|all|for|in|of|at|on|to|by|with|from|within|under|match(?:es|ed|ing)?|as) (?:provided|specified|given|supplied)$`)
	// nothing follows where a report counts or names faults and there are none.
	nothing = regexp.MustCompile(`(?i)^[\w ]{0,40}\s*[:=(-]\s*(?:0|none|no|null|nil|false|n/a|-)\s*(?:$|[,;.)])`)
	// errorCode is a machine's word for a refusal.
	errorCode = regexp.MustCompile(`(?i)^(?:e_|err_|error_)?(?:invalid|validation|missing|bad|illegal|malformed)(?:[_-]|error|$)`)
)

// Bounds of a refusal in plain text.
const (
	shortText = 4000 // bytes of a text in which phrases are looked for
	firstLine = 300  // bytes of the line that a refusal stands in
)

// schemaDecision reports whether a text is the output of a schema validator.
func schemaDecision(text string) bool { return findFold(text, RefusalPhrases) != "" }

// refused returns the words by which a normal reply refuses its call, "" if it
// does not. text is its first text block.
func refused(text string, structured json.RawMessage, names declared) string {
	if words := refusedText(text, names); words != "" {
		return words
	}
	return refusedReport(structured, names)
}

func refusedText(text string, names declared) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	if strings.HasPrefix(text, "{") {
		if words := refusedReport(json.RawMessage(text), names); words != "" {
			return words
		}
	} else if words := refusedLine(text, names); words != "" {
		return words
	}
	if len(text) <= shortText {
		return findFold(text, RefusalPhrases)
	}
	return ""
}

// refusedLine reads the first line of a text. What stands further down may be
// a document that only speaks of errors.
func refusedLine(text string, names declared) string {
	line, _, _ := strings.Cut(text, "\n")
	line = strings.TrimLeft(strings.TrimSpace(line), " \t*_#>`~-–—•❌✗✘⚠️🚫⛔[(\"'")
	line = strings.TrimRight(line[:min(len(line), firstLine)], "*_`~ ")
	if line == "" || nothing.MatchString(line) {
		return ""
	}
	if startsWith(line, RefusalWords) {
		return short(line)
	}
	for _, re := range []*regexp.Regexp{errorStart, invalidStart, unableStart} {
		if re.MatchString(line) {
			return short(line)
		}
	}
	if start := noneGiven.FindString(line); start != "" && !given.MatchString(start) {
		return short(line)
	}
	if _, phrase := names.named(line); phrase != "" {
		return short(line)
	}
	return ""
}

// startsWith reports whether a line begins with one of the words.
func startsWith(line string, words []string) bool {
	for _, w := range words {
		if len(line) >= len(w) && strings.EqualFold(line[:len(w)], w) && !joined(w, line[len(w):]) {
			return true
		}
	}
	return false
}

// refusedReport reads a JSON object that reports success or failure.
func refusedReport(raw json.RawMessage, names declared) string {
	report := members(raw, "success", "ok", "isError", "status", "statusCode", "type", "code", "error", "errors", "message", "reason", "detail", "result", "data")
	if report == nil {
		return ""
	}
	said := explanation(report)
	is := func(member string, values ...string) bool {
		return slices.Contains(values, strings.ToLower(strings.Trim(string(bytes.TrimSpace(report[member])), `"`)))
	}
	status := string(bytes.TrimSpace(report["status"])) + string(bytes.TrimSpace(report["statusCode"]))
	switch {
	case is("success", "false"), is("ok", "false"), is("isError", "true"), is("type", "error"),
		is("status", "error", "invalid", "rejected", "bad_request", "invalid_request", "invalid_input"),
		is("status", "failed", "failure", "fail") && said != "",
		len(status) == 3 && status[0] == '4' && said != "",
		failure(report["error"]),
		failure(report["errors"]) && report["data"] == nil && report["result"] == nil,
		said != "" && errorCode.MatchString(strings.Trim(string(report["code"]), `"`)):
		return short(said, string(bytes.TrimSpace(raw)))
	}
	if is("success", "true") || is("ok", "true") {
		return ""
	}
	for _, member := range []string{"message", "detail", "reason", "result"} {
		var s string
		if json.Unmarshal(report[member], &s) != nil {
			continue
		}
		if words := refusedLine(s, names); words != "" {
			return words
		}
	}
	return ""
}

// failure reports whether a member "error" tells of one: a text, an object or
// a list that is not empty, or true. A number may be a measure.
func failure(raw json.RawMessage) bool {
	value := strings.TrimSpace(string(raw[:min(len(raw), 100)]))
	switch {
	case value == "" || value == `""` || value == "{}" || value == "[]":
		return false
	case value == "true":
		return true
	}
	return strings.ContainsAny(value[:1], `"{[`) && !nothing.MatchString(": "+strings.Trim(value, `"`))
}

// explanation is the member in which a report says why.
func explanation(report map[string]json.RawMessage) string {
	for _, member := range []string{"error", "errors", "message", "reason", "detail"} {
		if raw := report[member]; failure(raw) {
			return member + ": " + string(raw)
		}
	}
	return ""
}
