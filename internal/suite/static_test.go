package suite

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/fixture"
	"github.com/sealmark/action/internal/report"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
)

// counts is a passive check: it counts the tools of the snapshot.
type counts struct{}

func (counts) Info() rule.Check {
	return rule.Check{ID: "counts", Title: "Counts", Pack: "core", Weight: rule.Scored,
		Rules: []rule.Rule{{ID: "counts.tools", Severity: rule.Warning, Title: "Tools", Fix: "None."}}}
}

func (c counts) Run(_ context.Context, env *check.Env) check.Report {
	findings := check.NewFindings(c.Info())
	for _, tool := range env.Snapshot.Tools {
		findings.Add(rule.Finding{Rule: "counts.tools", Subject: "tool:" + env.Redact.Line(tool.Name, 100), Message: "A tool."})
	}
	return check.Report{Verdict: check.Judge(c.Info(), findings.List()), Reason: "Counted.", Findings: findings.List()}
}

// recorded is the snapshot of a fixture, through a document.
func recorded(t *testing.T, s setup) *session.Snapshot {
	t.Helper()
	document, err := Record(t.Context(), Run{Config: configure(t, s), Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	snap, err := session.ReadRecording(bytes.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

// static runs the suite on a snapshot; extra checks are put after the others.
func static(t *testing.T, snap *session.Snapshot, extra ...entry) *result.Result {
	t.Helper()
	c, err := config.Build(config.Sources{Path: config.NoFile, Static: true}, Catalog())
	if err != nil {
		t.Fatal(err)
	}
	run := Run{Config: c, Version: "test", Key: "fixture", Anchor: rule.Location{Path: "sealmark.yml", Line: 1}, Snapshot: snap}.runner()
	run.catalog = append(slices.Clip(catalog), extra...)
	return run.do(t.Context())
}

// TestStatic: with a snapshot from a file the passive checks run and count, the
// others do not, and no server is started.
func TestStatic(t *testing.T) {
	r := static(t, recorded(t, setup{fixture: "good"}), entry{check: counts{}, passive: true}, entry{check: active{}})
	if r.Status != result.Assessed || r.Server.Transport != "snapshot" || r.Server.Name != "good" || r.Server.Command != nil || r.Volatile.Instances != 0 {
		t.Errorf("status %s, reason %+v, server %+v, %d instances", r.Status, r.Reason, r.Server, r.Volatile.Instances)
	}
	if verdict(r, "counts") != rule.Partial || len(raisedBy(r, "counts")) != 3 {
		t.Errorf("counts is %s: %v", verdict(r, "counts"), r.Findings)
	}
	for _, c := range r.Checks {
		if passive := isPassive(c.ID); !passive && (c.Verdict != rule.NotApplicable || !strings.Contains(c.Reason, "needs a live server; the snapshot was read from a file")) {
			t.Errorf("%s is %s: %s", c.ID, c.Verdict, c.Reason)
		}
	}
	if c := r.Coverage; c.ChecksUnverified != 0 || c.ToolsListed != 3 || c.ToolsProbed != 0 || r.Completeness.State != "complete" {
		t.Errorf("coverage %+v, completeness %+v", c, r.Completeness)
	}
	var text bytes.Buffer
	if err := report.Terminal(&text, r, Catalog(), report.Options{}); err != nil {
		t.Fatal(err)
	}
	markdown := report.Markdown(r, Catalog(), report.MarkdownOptions{Kind: report.Comment})
	for _, output := range []string{text.String(), markdown} {
		if flat := strings.Join(strings.Fields(output), " "); !strings.Contains(flat, "its snapshot was read from a file, so only passive checks apply") || strings.Contains(flat, "could not be started") {
			t.Errorf("a report does not say what it is about:\n%s", output)
		}
	}
}

// active is a check that needs a server and must not run here.
type active struct{}

func (active) Info() rule.Check {
	return rule.Check{ID: "active", Title: "Active", Pack: "core", Weight: rule.Scored}
}

func (active) Run(context.Context, *check.Env) check.Report { panic("an active check ran") }

func isPassive(id string) bool {
	return id == "counts" || slices.ContainsFunc(catalog, func(e entry) bool { return e.passive && e.check.Info().ID == id })
}

func raisedBy(r *result.Result, check string) []rule.Finding {
	var found []rule.Finding
	for _, f := range r.Findings {
		if f.Check == check {
			found = append(found, f)
		}
	}
	return found
}

// TestStaticGap: how complete the lists were stands in the result.
func TestStaticGap(t *testing.T) {
	r := static(t, recorded(t, setup{fixture: "cursor-loop"}), entry{check: counts{}, passive: true})
	if r.Completeness.State != "partial" || len(r.Completeness.Reasons) != 1 || !strings.Contains(r.Completeness.Reasons[0], "repeats itself") {
		t.Errorf("%+v", r.Completeness)
	}
}

// TestStaticWithoutChecks: where no passive check is left, the run says so.
func TestStaticWithoutChecks(t *testing.T) {
	c, err := config.Build(config.Sources{Path: config.NoFile, Static: true}, Catalog())
	if err != nil {
		t.Fatal(err)
	}
	run := Run{Config: c, Version: "test", Key: "fixture", Snapshot: recorded(t, setup{fixture: "strict"})}.runner()
	run.catalog = []entry{{check: active{}}}
	if r := run.do(t.Context()); r.Status != result.NotAssessed || r.Reason == nil || !strings.Contains(r.Reason.Next, "running server") {
		t.Errorf("status %s, reason %+v", r.Status, r.Reason)
	}
}

// TestRecord: two recordings are the same, and neither a planted value nor one
// that the user gave is in them.
func TestRecord(t *testing.T) {
	record := func(s setup) []byte {
		t.Helper()
		document, err := Record(t.Context(), Run{Config: configure(t, s), Version: "test"})
		if err != nil {
			t.Fatal(err)
		}
		return document
	}
	if first := record(setup{fixture: "good"}); !bytes.Equal(first, record(setup{fixture: "good"})) {
		t.Errorf("two recordings differ, one is\n%s", first)
	}
	if document := record(setup{fixture: "names-a-secret", env: []string{"API_TOKEN=very-secret-value"}}); bytes.Contains(document, []byte("very-secret-value")) || !bytes.Contains(document, []byte("[redacted:API_TOKEN]")) {
		t.Errorf("the secret is not redacted:\n%s", document)
	}
	if _, err := Record(t.Context(), Run{Config: configure(t, setup{fixture: "exits-with-secret"}), Version: "test"}); err == nil || !strings.Contains(err.Error(), "[redacted:SEALMARK_CANARY_TOKEN]") {
		t.Errorf("error %v", err)
	}
}

// TestStaticAgrees: passive checks say of a recorded snapshot what they say of
// the running server.
func TestStaticAgrees(t *testing.T) {
	for _, info := range fixture.Protocol {
		t.Run(info.Name, func(t *testing.T) {
			t.Parallel()
			s := setup{fixture: info.Name, yaml: briefly, only: []string{"launch", "protocol"}}
			live, r := run(t, s), static(t, recorded(t, s))
			if diff := cmp.Diff(raisedBy(live, "protocol"), raisedBy(r, "protocol")); diff != "" {
				t.Errorf("-live +static:\n%s", diff)
			}
			if diff := cmp.Diff(live.Completeness, r.Completeness); diff != "" {
				t.Errorf("-live +static:\n%s", diff)
			}
			if verdict(live, "protocol") != verdict(r, "protocol") {
				t.Errorf("live %s, static %s", verdict(live, "protocol"), verdict(r, "protocol"))
			}
		})
	}
}
