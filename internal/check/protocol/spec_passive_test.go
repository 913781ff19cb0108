package protocol

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
)

// complete completes the check spec with what a server answered to methods, in
// one session per revision.
func complete(t *testing.T, capabilities string, answers [][2]string, revisions ...string) []rule.Finding {
	t.Helper()
	cleaner := redact.New(nil)
	tape := check.NewTape(cleaner)
	for _, revision := range revisions {
		observe := tape.Observer("")
		initialize := [2]string{"initialize", fmt.Sprintf(`{"protocolVersion":%q,"capabilities":%s,"serverInfo":{"name":"n","version":"1"}}`, revision, capabilities)}
		for id, exchange := range append([][2]string{initialize}, answers...) {
			observe(session.Event{Direction: session.Out, Raw: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"name":"p"}}`, id, exchange[0])})
			observe(session.Event{Direction: session.In, Raw: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":%s}`, id, exchange[1])})
		}
	}
	env := &check.Env{Tape: tape, Redact: cleaner, Snapshot: &session.Snapshot{ProtocolVersion: revisions[0], Capabilities: []byte(capabilities), Prompts: []json.RawMessage{[]byte(`{"name":"p"}`)}}}
	return Spec{}.Complete(env, check.Report{Verdict: rule.Pass}).Findings
}

// TestOneFaultPerShape: the same fault in sessions of several revisions is one
// fault, and it is the negotiated one that is named.
func TestOneFaultPerShape(t *testing.T) {
	found := complete(t, `{"tools":7}`, nil, "2025-11-25", "2024-11-05", "2025-06-18")
	if len(found) != 1 || found[0].Count != 1 || !strings.Contains(found[0].Message, "2025-11-25") || strings.Contains(found[0].Message, "more kind") {
		t.Errorf("%+v", found)
	}
	if found := complete(t, `{}`, [][2]string{{"ping", `7`}}, "2025-11-25", "2024-11-05"); len(found) != 1 || !strings.Contains(found[0].Message, "2025-11-25") {
		t.Errorf("%+v", found)
	}
}

// TestUnadvertised: that a method of an undeclared capability answers is the
// fault of another rule, whatever it answers.
func TestUnadvertised(t *testing.T) {
	for capabilities, want := range map[string]int{`{}`: 0, `{"prompts":null}`: 1, `{"prompts":{}}`: 1} {
		found := complete(t, capabilities, [][2]string{{"prompts/list", `{}`}}, "2025-11-25")
		if len(found) != want {
			t.Errorf("%s: %+v", capabilities, found)
		}
	}
}

// TestEnvelope: what is wrong with the envelope belongs to the server, not to
// the item that was asked for.
func TestEnvelope(t *testing.T) {
	found := complete(t, `{"prompts":{}}`, [][2]string{{"ping", `{},"error":null`}, {"prompts/get", `{"messages":[]},"error":null`}}, "2025-11-25")
	if len(found) != 1 || found[0].Subject != "server" {
		t.Errorf("%+v", found)
	}
}
