package accept

import (
	"strings"
	"testing"
	"time"

	"github.com/sealmark/action/internal/check/core"
	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

func fault(id, check, subject string) rule.Finding {
	return rule.Finding{ID: rule.FindingID(id, subject), Rule: id, Check: check, Subject: subject, Severity: rule.Error, Count: 1}
}

// whole is a result with two findings of one check, of a run that left nothing
// out.
func whole() *result.Result {
	return &result.Result{
		Status: result.Assessed, Completeness: result.Completeness{State: "complete"},
		Checks: []result.Check{
			{ID: "robust-input", Verdict: rule.Fail}, {ID: "launch", Verdict: rule.Pass}, {ID: acceptedCheck, Verdict: rule.NotApplicable},
		},
		Rules:    []rule.Rule{{ID: "robust.crashed", Check: "robust-input"}, {ID: "robust.hang", Check: "robust-input"}, {ID: "launch.slow", Check: "launch"}},
		Findings: []rule.Finding{fault("robust.crashed", "robust-input", "tool:shear"), fault("robust.hang", "robust-input", "tool:feed")},
	}
}

func TestApply(t *testing.T) {
	everything := config.Acceptance{Rule: "robust.*", Subject: "*", Reason: "known"}
	for _, tt := range []struct {
		name    string
		entry   config.Acceptance
		change  func(*result.Result)
		marked  int
		stale   string // part of the message
		verdict rule.Verdict
	}{
		{"by rule and subject", config.Acceptance{Rule: "robust.crashed", Subject: "tool:shear", Reason: "known"}, nil, 1, "", rule.Pass},
		{"by patterns", everything, nil, 2, "", rule.Pass},
		{"of another subject", config.Acceptance{Rule: "robust.crashed", Subject: "tool:feed"}, nil, 0, "takes no finding", rule.Pass},
		{"case counts", config.Acceptance{Rule: "robust.crashed", Subject: "Tool:shear"}, nil, 0, "takes no finding", rule.Pass},
		{"gone", config.Acceptance{Rule: "launch.slow", Subject: "*"}, nil, 0, "takes no finding", rule.Pass},
		{"on its last day", config.Acceptance{Rule: "robust.*", Subject: "*", Until: "2027-03-31"}, nil, 2, "", rule.Pass},
		{"the day after", config.Acceptance{Rule: "robust.*", Subject: "*", Until: "2027-03-30"}, nil, 0, "until 2027-03-30, which is past", rule.Partial},
		{"check not run", config.Acceptance{Rule: "launch.slow", Subject: "*"}, func(r *result.Result) { r.Checks[1].Verdict = rule.Unverified }, 0, "", rule.Pass},
		{"check switched off", config.Acceptance{Rule: "launch.slow", Subject: "*"}, func(r *result.Result) { r.Checks[1].Verdict = rule.NotApplicable }, 0, "", rule.Pass},
		{"check not there", config.Acceptance{Rule: "launch.slow", Subject: "*"}, func(r *result.Result) { r.Checks = r.Checks[:1] }, 0, "", rule.NotApplicable},
		{"cut short", config.Acceptance{Rule: "launch.slow", Subject: "*"}, func(r *result.Result) { r.Completeness.State = "partial" }, 0, "", rule.Pass},
		{"not assessed", config.Acceptance{Rule: "launch.slow", Subject: "*"}, func(r *result.Result) { r.Status = result.NotAssessed }, 0, "", rule.Pass},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := whole()
			if tt.change != nil {
				tt.change(r)
			}
			tt.entry.At = config.Origin{File: "/repo/sealmark.yml", Line: 7, Column: 5}
			// It is still the day before west of Greenwich.
			day := time.Date(2027, 3, 31, 1, 0, 0, 0, time.UTC).In(time.FixedZone("west", -8*3600))
			Apply(r, []config.Acceptance{tt.entry}, day, func(path string) (string, bool) { return strings.CutPrefix(path, "/repo/") })
			marked, message := 0, ""
			for _, f := range r.Findings {
				switch {
				case f.Rule == staleRule:
					message = f.Message
					if f.Severity != rule.Note || f.Check != acceptedCheck || f.Location == nil || f.Location.Path != "sealmark.yml" || f.Location.Line != 7 {
						t.Errorf("%+v, %+v", f, f.Location)
					}
				case f.Accepted != nil:
					marked++
				}
			}
			if marked != tt.marked || (message == "") != (tt.stale == "") || !strings.Contains(message, tt.stale) {
				t.Errorf("%d marked, stale %q", marked, message)
			}
			if c := r.Checks[len(r.Checks)-1]; c.ID == acceptedCheck && (c.Verdict != tt.verdict || c.Reason == "") {
				t.Errorf("%+v", c)
			}
		})
	}
}

// TestEntries: the first entry that takes a finding holds, each is held against
// all findings, none takes the report of another, and no text does harm.
func TestEntries(t *testing.T) {
	r := whole()
	Apply(r, []config.Acceptance{
		{Rule: "launch.slow", Subject: "*", Reason: "::error::x\x1b[31m"}, {Rule: "robust.crashed", Subject: "*", Reason: "first"},
		{Rule: "*", Subject: "*", Reason: "second\n" + strings.Repeat("x", 5000)},
	}, time.Unix(0, 0), func(string) (string, bool) { return "", false })
	if len(r.Findings) != 3 || r.Findings[0].Accepted.Reason != "first" || r.Findings[1].Accepted == nil {
		t.Fatalf("%+v", r.Findings)
	}
	stale := r.Findings[2]
	if stale.Accepted != nil || stale.Location != nil || strings.ContainsRune(stale.Evidence.Detail, '\x1b') {
		t.Errorf("%+v", stale)
	}
	if reason := r.Findings[1].Accepted.Reason; len(reason) > 600 || strings.Contains(reason, "\n") {
		t.Errorf("%q", reason)
	}
	r = whole()
	Apply(r, nil, time.Unix(0, 0), nil)
	if len(r.Findings) != 2 || r.Checks[2].Verdict != rule.NotApplicable {
		t.Errorf("%+v", r)
	}
}

// TestDeclared: the check and its rule are declared under the names used here.
func TestDeclared(t *testing.T) {
	info := core.Accepted{}.Info()
	if info.ID != acceptedCheck || len(info.Rules) != 1 || info.Rules[0].ID != staleRule || info.Rules[0].Severity != rule.Note {
		t.Errorf("%+v", info)
	}
}
