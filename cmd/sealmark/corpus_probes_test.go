package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/result"
)

// corpusProbe is the answer to a probe as recorded.
type corpusProbe struct {
	Class, Raw string
	Survived   bool
}

// sameProbe pairs a recorded probe with one of ours that sends the like. What
// ours finds has the subject; want is the rule that it must raise by the record,
// "" for none.
type sameProbe struct {
	recorded, check, id, subject string
	want                         func(corpusProbe) string
}

var sameProbes = []sameProbe{
	{"unknown_method", "protocol-probes", "unknown-method", "server", refused},
	{"call_name_number", "protocol-probes", "tool-name-type", "method:tools/call", refused},
	{"call_undeclared_tool", "protocol-probes", "undeclared-tool", "method:tools/call", refused},
	{"resources/read_control_chars", "protocol-probes", "resource-uri-control", "method:resources/read", refused},
	{"resources/read_no_scheme", "protocol-probes", "resource-uri-invalid", "method:resources/read", refused},
	{"resources/list", "protocol-probes", "unadvertised-resources", "capability:resources", unlisted},
	{"prompts/list", "protocol-probes", "unadvertised-prompts", "capability:prompts", unlisted},
	{"params_string_ping", "protocol-probes", "array-params", "method:ping", refused},
	{"id_string", "spec", "ping", "server", served("spec.ping", "success")},
	{"batch", "spec", "batch", "server", served("spec.batch", "batch[2]")},
	{"logging/setLevel", "spec", "set-level", "server", func(p corpusProbe) string {
		if p.Class == "success" {
			return "spec.logging-level"
		}
		return ""
	}},
}

// heldRules are the rules that the pairs are about.
var heldRules = []string{"protocol.probe-connection-died", "protocol.probe-accepted-unanswered", "protocol.probe-unexpected-answer",
	"protocol.capability-mismatch", "spec.ping", "spec.batch", "spec.logging-level"}

// refused: nothing is raised where the server refused and lived on.
func refused(p corpusProbe) string {
	switch {
	case !p.Survived:
		return "protocol.probe-connection-died"
	case p.Class == "hang":
		return "protocol.probe-accepted-unanswered"
	case p.Class == "success":
		return "protocol.probe-unexpected-answer"
	}
	return ""
}

// unlisted is refused for the list of a capability that is not advertised.
func unlisted(p corpusProbe) string {
	if p.Survived && p.Class == "success" {
		return "protocol.capability-mismatch"
	}
	return refused(p)
}

// served: the rule is raised unless the request was answered as it should be.
func served(rule, class string) func(corpusProbe) string {
	return func(p corpusProbe) string {
		if p.Class == class {
			return ""
		}
		return rule
	}
}

// agreeOnProbes holds what was found against what became of the recorded
// probes. A probe that our run did not send is not counted.
func (s corpusServer) agreeOnProbes(t *testing.T, r *result.Result) (a agreement) {
	t.Helper()
	for _, same := range sameProbes {
		recorded, ok := s.protocol[same.recorded]
		at := slices.IndexFunc(r.Checks, func(c result.Check) bool { return c.ID == same.check })
		if !ok || r.Checks[at].Probes[same.id] == 0 {
			continue
		}
		a.total++
		if got, want := raised(r, same), same.want(recorded); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s raises %q, by the record %q: %.300s", same.id, got, want, recorded.Raw)
			continue
		}
		a.agreed++
	}
	return a
}

// raised lists the rules of a pair that its probe raised.
func raised(r *result.Result, same sameProbe) []string {
	var rules []string
	for _, f := range r.Findings {
		if f.Check == same.check && f.Subject == same.subject && f.Probe == same.id && !f.Flaky && slices.Contains(heldRules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	return rules
}
