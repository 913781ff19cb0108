package main

import (
	"slices"
	"testing"

	"github.com/sealmark/action/internal/result"
)

// corpusProbe is the answer to a probe as recorded.
type corpusProbe struct {
	Class, Raw string
	Survived   bool
}

// sameProbes names, for probes of the record, ours that send the like, and the
// subject of what they find.
var sameProbes = []struct{ recorded, id, subject string }{
	{"unknown_method", "unknown-method", "server"},
	{"call_name_number", "tool-name-type", "method:tools/call"},
	{"call_undeclared_tool", "undeclared-tool", "method:tools/call"},
	{"resources/read_control_chars", "resource-uri-control", "method:resources/read"},
	{"resources/read_no_scheme", "resource-uri-invalid", "method:resources/read"},
	{"resources/list", "unadvertised-resources", "capability:resources"},
	{"prompts/list", "unadvertised-prompts", "capability:prompts"},
}

// want is the rule that the record says the probe raises, "" for none.
func (p corpusProbe) want(id string) string {
	list := id == "unadvertised-resources" || id == "unadvertised-prompts"
	switch {
	case !p.Survived:
		return "protocol.probe-connection-died"
	case p.Class == "hang":
		return "protocol.probe-accepted-unanswered"
	case p.Class == "success" && list:
		return "protocol.capability-mismatch"
	case p.Class == "success":
		return "protocol.probe-unexpected-answer"
	}
	return ""
}

// agreeOnProbes holds what protocol-probes found against what became of the
// recorded probes. A probe that our run did not send is not counted.
func (s corpusServer) agreeOnProbes(t *testing.T, r *result.Result) (a agreement) {
	t.Helper()
	at := slices.IndexFunc(r.Checks, func(c result.Check) bool { return c.ID == "protocol-probes" })
	for _, same := range sameProbes {
		recorded, ok := s.protocol[same.recorded]
		if !ok || r.Checks[at].Probes[same.id] == 0 {
			continue
		}
		a.total++
		want, agrees := recorded.want(same.id), true
		raised := want == ""
		for _, f := range r.Findings {
			if f.Check != "protocol-probes" || f.Flaky {
				continue
			}
			raised = raised || f.Rule == want && f.Subject == same.subject
			if f.Probe == same.id && f.Rule != want && f.Severity != "note" {
				t.Errorf("%s: %s, the record has %q: %.300s\n%s", same.id, f.Rule, want, recorded.Raw, f.Evidence.Reply)
				agrees = false
			}
		}
		if !raised {
			t.Errorf("%s: nothing raised, the record has %s: %.300s", same.id, want, recorded.Raw)
		}
		if agrees && raised {
			a.agreed++
		}
	}
	return a
}
