package contract

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/rule"
)

// shortestEcho is the length from which arguments that a refusal repeats count
// as its whole payload, in bytes. Validators quote values that are shorter.
const shortestEcho = 64

// echoed says what of the arguments a refusal repeats, "" for nothing that
// counts: all of them, or a value that the configuration took from a variable.
func (r *refusals) echoed(c check.Call) string {
	for _, name := range c.Secrets {
		value := r.env.Config.Secrets[name]
		if len(value) >= 6 && strings.Contains(c.Reading.Text, value) {
			return "the value of " + name
		}
	}
	payload := plain(string(c.Arguments))
	if len(payload) >= shortestEcho && strings.Contains(plain(c.Reading.Text), payload) {
		return "all arguments"
	}
	return ""
}

var (
	pythonWord = regexp.MustCompile(`\b(?:None|True|False)\b`)
	blanks     = regexp.MustCompile(`[\s\\]+`)
)

// plain writes JSON, and what a program prints of such values, in one way.
func plain(text string) string {
	text = blanks.ReplaceAllString(text, "")
	text = strings.ReplaceAll(text, "'", `"`)
	return pythonWord.ReplaceAllStringFunc(text, func(word string) string {
		if word == "None" {
			return "null"
		}
		return strings.ToLower(word)
	})
}

// What tells a caller to try again with more authority.
var (
	again = regexp.MustCompile(`(?i)\b(?:re-?try|try again|try (?:it )?with|call (?:it |this |the tool )?again|re-?send|re-?submit|re-?run|repeat (?:the|this|your) (?:call|request)|set|pass|add|include|use|provide|specify)\b[^.\n]{0,60}?\b["'\x60]?(admin|is_?admin|as_?admin|administrator|superuser|sudo|root|role|approved?|is_?approved|override|bypass\w*|skip_?(?:auth\w*|validation|checks?|approval|permissions?)|no_?auth|permissions?|privileged|elevated|tenant(?:_?id)?)["'\x60]?\s*(?:=|:|\bto\b|\bset to\b)\s*["'\x60]?[\w*-]+`)
)

// suggestion returns the words by which a refusal suggests to take more
// authority, "" if there are none. Fields that the tool declares are its own
// way to ask for something.
func suggestion(text string, declared []string) string {
	for _, m := range again.FindAllStringSubmatchIndex(text, 20) {
		field := text[m[2]:m[3]]
		known := func(name string) bool { return strings.EqualFold(name, field) }
		if !slices.ContainsFunc(declared, known) && !refused(text[:m[0]]) {
			return text[m[0]:m[1]]
		}
	}
	return ""
}

// not ends a text whose next words are forbidden, not suggested.
var not = regexp.MustCompile(`(?i)(?:\bnot|n't|\bnever|\bcannot|\bwithout)\s+(?:\w+\s+)?$`)

func refused(before string) bool { return not.MatchString(before) }

// unrelated are words of refusals that come before the arguments are looked at:
// the tool can't be called in this way, by this caller or with this setup.
var unrelated = regexp.MustCompile(`(?i)-32601|\bunknown tool\b|\btool\b[^.\n]{0,80} not found\b|\bno such tool\b|\btask augmentation\b|\bapi[ _-]?keys?\b|\btokens?\b|\bcredentials?\b|\bauthenticat|\bauthori[sz]|\blog ?in\b|\bnot (?:configured|connected|initiali[sz]ed|enabled|supported|implemented|available)\b|\benvironment variable|\bpermission|\bforbidden\b`)

// unnamed adds a note for each tool none of whose refusals names an argument.
func (r *refusals) unnamed() {
	for _, calls := range r.byTool() {
		var about []check.Call
		for _, c := range calls {
			if c.Expect == check.Invalid && isObject(c.Arguments) && len(c.Parameters) > 0 {
				about = append(about, c)
			}
		}
		if len(about) == 0 || slices.ContainsFunc(about, func(c check.Call) bool { return c.Reading.Names != "" || unrelated.MatchString(c.Reading.Text) }) {
			continue
		}
		c := about[0]
		r.add(c, "error.unnamed-argument", "", "", fmt.Sprintf("Tool %s names no argument in any of its refusals of malformed calls.", r.name(c)))
	}
}

// byTool groups the refusals by their tools, in the order of the names.
func (r *refusals) byTool() [][]check.Call {
	of := map[string][]check.Call{}
	var names []string
	for _, c := range r.seen {
		if of[c.Tool] == nil {
			names = append(names, c.Tool)
		}
		of[c.Tool] = append(of[c.Tool], c)
	}
	slices.Sort(names)
	list := make([][]check.Call, len(names))
	for i, name := range names {
		list[i] = of[name]
	}
	return list
}

// unstable adds a note for each tool that refuses the very same call in
// different ways.
func (r *refusals) unstable() {
	for _, calls := range r.byTool() {
		first := map[string]check.Call{}
		for _, c := range calls {
			key := string(c.Arguments)
			known, ok := first[key]
			if !ok {
				first[key] = c
				continue
			}
			if form(known) != form(c) {
				r.add(c, "error.unstable", form(c), "", fmt.Sprintf("Tool %s refuses one and the same call in different ways: with %s and with %s.", r.name(c), form(known), form(c)))
				break
			}
		}
	}
}

// form says in which way a call was refused.
func form(c check.Call) string {
	switch {
	case c.Cut:
		return "a long answer"
	case c.Answer.Error != nil:
		return "the error " + errorCode(c)
	case c.Reading.PlainText:
		return "plain text"
	}
	return "isError"
}

// errorCode is a JSON-RPC error code, "without a code" if it is no number.
func errorCode(c check.Call) string {
	if c.Answer.Error.Code == "" {
		return "without a code"
	}
	return c.Answer.Error.Code.String()
}

// internalCode adds one note for the server whose tools refuse arguments with
// the code of an internal error (JSON-RPC 2.0, §5.1).
func (r *refusals) internalCode() {
	var first *check.Call
	count := 0
	for i, c := range r.seen {
		if c.Expect != check.Invalid || !isObject(c.Arguments) || c.Answer.Error == nil || c.Answer.Error.Code != "-32603" {
			continue
		}
		if first == nil {
			first = &r.seen[i]
		}
		count++
	}
	if first == nil {
		return
	}
	r.findings.Add(rule.Finding{Rule: "error.internal-code", Subject: "server", Probe: first.Probe, Evidence: first.Evidence(r.env.Redact),
		Message: fmt.Sprintf("The server refuses arguments with the code -32603, which stands for a fault of its own, first in tool %s.", r.name(*first)), Count: count})
}

func isObject(raw json.RawMessage) bool {
	return strings.HasPrefix(strings.TrimSpace(string(raw)), "{")
}

const leaksInternals = "robust.leaks-internals"

// leaks adds what answers to known calls show of the inside of the server,
// under the rule of robust-input, for tools of which no malformed call has
// shown it. The answer to a valid call may be what was asked for, so only its
// refusals count.
func (r *refusals) leaks(calls []check.Call) {
	malformed := func(c check.Call) bool { return c.Check == "robust-input" || c.Check == "argument-contract" }
	shown := map[string]bool{}
	for _, c := range calls {
		shown[c.Tool] = shown[c.Tool] || malformed(c) && c.Reading.Leak != ""
	}
	for _, c := range calls {
		refusal := c.Expect != check.Valid || c.Reading.Decision == reply.Rejected
		if malformed(c) || shown[c.Tool] || !refusal || c.Reading.Leak == "" || c.Reading.Decision == reply.InternalError {
			continue
		}
		r.add(c, leaksInternals, c.Reading.Leak, "", fmt.Sprintf("Tool %s shows internals in its reply to a call (%s): %s.", r.name(c), c.Probe, reply.PatternText(c.Reading.LeakPattern)))
	}
}
