package reply

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// Class is how an answer is read.
type Class string

// The classes, in the order in which the first that holds is taken.
const (
	Crash         Class = "crash"
	Hang          Class = "hang"
	InternalError Class = "internal-error"
	Leak          Class = "leak"
	Lenient       Class = "lenient-downstream"
	Rejected      Class = "rejected"
	Accepted      Class = "accepted"
)

// Question is what an answer answers.
type Question struct {
	// Arguments are the raw arguments of the call. Text that they hold is not
	// held against the reply that repeats it.
	Arguments json.RawMessage
	// Parameters are the declared names, those of nested objects included.
	Parameters []string
}

// Reading is what an answer says.
type Reading struct {
	Class Class
	// Decision is the class without a look at leaks.
	Decision Class
	// PlainText: the refusal stands in the text of a result that is not marked
	// as an error.
	PlainText bool
	// Match is the text that decided, "" if none did.
	Match string
	// Leak is the text that shows internals and LeakPattern the id of its
	// pattern, "" for none.
	Leak, LeakPattern string
	// Names is the declared parameter that a rejection names, "" for none.
	Names string
}

// maxText bounds the text of an answer that is looked at, in bytes.
const maxText = 256 << 10

// Read reads an answer. Of the classes the first that holds is taken: crash,
// hang, internal error, leak, lenient-downstream, rejected, accepted.
func Read(a Answer, q Question) Reading {
	switch a.Kind {
	case Closed:
		return Reading{Class: Crash, Decision: Crash}
	case Hung:
		return Reading{Class: Hang, Decision: Hang}
	}
	text, failed := textOf(a)
	text = withoutOurs(text, q.Arguments)
	r := decide(text, failed, q.Parameters)
	r.Leak, r.LeakPattern = leak(text)
	r.Class = r.Decision
	if r.Leak != "" && r.Decision != InternalError {
		r.Class = Leak
	}
	return r
}

// decide reads a text, which comes from an answer marked as an error or not.
func decide(text string, failed bool, parameters []string) Reading {
	refusal := ""
	if !failed {
		if refusal = refused(text); refusal == "" {
			return Reading{Decision: Accepted}
		}
	}
	plain := !failed
	if word := runtimeError(text); word != "" && !schemaDecision(text) {
		return Reading{Decision: InternalError, Match: word, PlainText: plain}
	}
	name, phrase := named(text, parameters)
	if word := failedFetch(text); word != "" && name == "" && !schemaDecision(text) {
		return Reading{Decision: Lenient, Match: word, PlainText: plain}
	}
	match := refusal
	if match == "" {
		match = phrase
	}
	return Reading{Decision: Rejected, Match: match, PlainText: plain, Names: name}
}

// textOf returns all text of an answer that a client could show, and whether
// the answer is marked as an error.
func textOf(a Answer) (text string, failed bool) {
	var b strings.Builder
	if a.Error != nil {
		b.WriteString(a.Error.Message)
		if len(a.Error.Data) > 0 {
			b.WriteByte('\n')
			b.WriteString(strings.Join(stringsIn(a.Error.Data), "\n"))
		}
		return bounded(b.String()), true
	}
	var result map[string]json.RawMessage
	if json.Unmarshal(a.Result, &result) != nil {
		return bounded(string(a.Result)), false
	}
	var content []map[string]json.RawMessage
	json.Unmarshal(result["content"], &content)
	for _, block := range content {
		for _, member := range []string{"text", "resource"} {
			for _, s := range stringsIn(block[member]) {
				b.WriteString(s)
				b.WriteByte('\n')
			}
		}
	}
	if b.Len() == 0 {
		b.WriteString(strings.Join(stringsIn(result["structuredContent"]), "\n"))
	}
	return bounded(b.String()), string(bytes.TrimSpace(result["isError"])) == "true"
}

func bounded(s string) string { return s[:min(len(s), maxText)] }

// stringsIn returns the strings in a JSON value, those of objects with their
// member's name, in the order of the sorted names.
func stringsIn(raw json.RawMessage) []string {
	var value any
	if len(raw) == 0 || len(raw) > maxText || json.Unmarshal(raw, &value) != nil {
		return nil
	}
	var found []string
	var walk func(v any, depth int)
	walk = func(v any, depth int) {
		if depth > 32 || len(found) > 1000 {
			return
		}
		switch v := v.(type) {
		case string:
			found = append(found, v)
		case []any:
			for _, item := range v {
				walk(item, depth+1)
			}
		case map[string]any:
			names := make([]string, 0, len(v))
			for name := range v {
				names = append(names, name)
			}
			slices.Sort(names)
			for _, name := range names {
				if s, ok := v[name].(string); ok {
					found = append(found, name+": "+s)
					continue
				}
				walk(v[name], depth+1)
			}
		}
	}
	walk(value, 0)
	return found
}

// withoutOurs removes the strings of our own arguments from a text.
func withoutOurs(text string, arguments json.RawMessage) string {
	const shortest = 8
	for _, s := range stringsIn(arguments) {
		if _, value, ok := strings.Cut(s, ": "); ok {
			s = value
		}
		if len(s) >= shortest {
			text = strings.ReplaceAll(text, s, "")
		}
	}
	return text
}

// refused returns the words by which a normal reply refuses, "" if it does
// not.
func refused(text string) string {
	trimmed := strings.TrimSpace(text)
	if strings.HasPrefix(trimmed, "{") {
		if said, isReport := statusOf(trimmed); isReport {
			return said
		}
	}
	// A refusal is short and comes first; a document that holds such words
	// further down is none.
	head := trimmed[:min(len(trimmed), 2000)]
	if len(trimmed) <= 2000 {
		if m := phrases.FindString(head); m != "" {
			return m
		}
	}
	first := head
	if lines := strings.SplitN(head, "\n", 4); len(lines) == 4 {
		first = strings.Join(lines[:3], "\n")
	}
	return strings.TrimSpace(refusals.FindString(first))
}

// statusOf reads a JSON report with a member for success or failure. isReport
// is false if there is none.
func statusOf(text string) (said string, isReport bool) {
	var report map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &report) != nil {
		return "", false
	}
	is := func(member string, values ...string) bool {
		return slices.Contains(values, strings.ToLower(strings.Trim(string(bytes.TrimSpace(report[member])), `"`)))
	}
	switch {
	case is("success", "false"), is("ok", "false"), is("isError", "true"), is("status", "error", "failed", "failure", "invalid"), is("valid", "false"):
	case report["error"] != nil && !is("error", "null", "false", ""), report["errors"] != nil && !is("errors", "null", "[]", "false", ""):
	default:
		return "", report["success"] != nil || report["ok"] != nil
	}
	for _, member := range []string{"error", "errors", "message", "reason", "detail"} {
		if v := report[member]; v != nil {
			return member + ": " + string(v[:min(len(v), 200)]), true
		}
	}
	return text[:min(len(text), 200)], true
}

// runtimeError returns the words of an unhandled runtime error in a text.
func runtimeError(text string) string {
	for _, list := range [][]string{RuntimeErrorWords, RuntimeErrorExtension} {
		for _, word := range list {
			if strings.Contains(text, word) {
				return word
			}
		}
	}
	return ""
}

// schemaDecision reports whether a text is the output of a schema validator.
func schemaDecision(text string) bool { return phrases.MatchString(text) }

// fetchWords matches the words of a failed fetch as whole words.
var fetchWords = func() *regexp.Regexp {
	var alternatives []string
	for _, list := range [][]string{FailedFetchWords, ResolverExtension} {
		for _, word := range list {
			pattern := `\b` + regexp.QuoteMeta(word)
			if last := word[len(word)-1]; last != ':' {
				pattern += `\b`
			}
			alternatives = append(alternatives, pattern)
		}
	}
	return regexp.MustCompile(`(?i)` + strings.Join(alternatives, "|"))
}()

func failedFetch(text string) string { return fetchWords.FindString(text) }

// named returns the declared parameter that the text calls invalid or
// required, and the word for it.
func named(text string, parameters []string) (name, phrase string) {
	word := validation.FindString(text)
	if word == "" {
		return "", ""
	}
	for _, p := range parameters {
		if len(p) > 0 && containsName(text, p) {
			return p, word
		}
	}
	return "", word
}

// containsName reports whether a text holds a name as a word of its own.
func containsName(text, name string) bool {
	for rest := text; ; {
		i := strings.Index(rest, name)
		if i < 0 {
			return false
		}
		before, after := rest[:i], rest[i+len(name):]
		if !endsInWord(before) && !startsWithWord(after) {
			return true
		}
		rest = after
	}
}

func endsInWord(s string) bool     { return s != "" && wordByte(s[len(s)-1]) }
func startsWithWord(s string) bool { return s != "" && wordByte(s[0]) }

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
