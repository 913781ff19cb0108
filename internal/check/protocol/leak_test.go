package protocol

import (
	"strings"
	"testing"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/session"
)

// TestLeaked: internals of one kind in answers to several methods are one
// finding, those of another kind a finding of their own.
func TestLeaked(t *testing.T) {
	cleaner := redact.New(nil)
	p := &prober{env: &check.Env{Redact: cleaner, Snapshot: &session.Snapshot{}}, findings: check.NewFindings(probesInfo)}
	says := func(text string) reply.Answer {
		return reply.Answer{Kind: reply.Answered, Error: &reply.RPCError{Code: "-32603", Message: text}}
	}
	const trace = "goroutine 7 [running]:"
	for _, pr := range catalogue[:4] {
		p.read(pr, says(trace))
	}
	p.read(catalogue[4], says("no file /home/ada/prompts/x"))
	p.read(catalogue[5], says("not a URI"))
	p.leaked()
	found := p.findings.List()
	if len(found) != 2 {
		t.Fatalf("%d findings: %+v", len(found), found)
	}
	path, dump := found[0], found[1]
	if path.Subject == "server" {
		path, dump = dump, path
	}
	if dump.Subject != "server" || dump.Count != 4 || !strings.Contains(dump.Evidence.Detail, "unknown-method, cursor-type") || !strings.Contains(dump.Message, "3 more") {
		t.Errorf("%+v", dump)
	}
	if path.Subject != "method:prompts/get" || path.Count != 1 {
		t.Errorf("%+v", path)
	}
}
