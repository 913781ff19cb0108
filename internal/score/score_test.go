package score

import (
	"testing"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

func checks(verdicts ...rule.Verdict) []result.Check {
	var list []result.Check
	for _, v := range verdicts {
		list = append(list, result.Check{ID: "c", Pack: "core", Weight: rule.Scored, Verdict: v})
	}
	return list
}

func TestFill(t *testing.T) {
	capped := []result.Check{
		{ID: "a", Pack: "core", Weight: rule.Scored, Verdict: rule.Pass},
		{ID: "b", Pack: "security", Weight: rule.Cap, CapsAt: "D", Verdict: rule.Fail},
		{ID: "x", Pack: "core", Weight: rule.Advisory, Verdict: rule.Fail},
		{ID: "g", Pack: "core", Weight: rule.Gate, Verdict: rule.Pass},
	}
	for i := 0; i < 12; i++ {
		capped = append(capped, result.Check{ID: "p", Pack: "core", Weight: rule.Scored, Verdict: rule.Pass})
	}
	tests := []struct {
		name    string
		checks  []result.Check
		status  result.Status
		percent float64
		letter  string
		caps    int
	}{
		{"all pass", checks(rule.Pass, rule.Pass), result.Assessed, 100, "A", 0},
		{"partial is half a point", checks(rule.Pass, rule.Partial), result.Assessed, 75, "C", 0},
		{"fail of a scored check caps nothing", checks(rule.Pass, rule.Pass, rule.Pass, rule.Pass, rule.Pass, rule.Pass, rule.Pass, rule.Pass, rule.Pass, rule.Fail), result.Assessed, 90, "A", 0},
		{"n/a leaves the ratio", checks(rule.Pass, rule.NotApplicable), result.Assessed, 100, "A", 0},
		{"an error of ours costs nothing", checks(rule.Pass, rule.Errored), result.Assessed, 100, "A", 0},
		{"under 80 % verified is C at best", checks(rule.Pass, rule.Pass, rule.Pass, rule.Unverified), result.Assessed, 100, "C", 1},
		{"80 % verified is enough", checks(rule.Pass, rule.Pass, rule.Pass, rule.Pass, rule.Unverified), result.Assessed, 100, "A", 0},
		{"half verified is enough for a letter", checks(rule.Pass, rule.Unverified), result.Assessed, 100, "C", 1},
		{"under half is not assessed", checks(rule.Pass, rule.Unverified, rule.Unverified), result.NotAssessed, 0, "", 0},
		{"nothing applies", checks(rule.NotApplicable), result.NotAssessed, 0, "", 0},
		{"a failed cap check caps at D", capped, result.Assessed, 92.9, "D", 1},
		{"thirds are rounded", checks(rule.Pass, rule.Pass, rule.Fail), result.Assessed, 66.7, "D", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &result.Result{Status: result.Assessed, Checks: tt.checks}
			Fill(r)
			if r.Status != tt.status {
				t.Fatalf("status %q, want %q", r.Status, tt.status)
			}
			if tt.status == result.NotAssessed {
				if r.Score != nil || r.Reason == nil || r.Reason.Text == "" {
					t.Fatalf("not assessed with score %v and reason %v", r.Score, r.Reason)
				}
				return
			}
			if r.Score.Percent != tt.percent || r.Score.Letter != tt.letter || len(r.Score.Caps) != tt.caps {
				t.Errorf("got %.1f %s with %d caps, want %.1f %s with %d", r.Score.Percent, r.Score.Letter, len(r.Score.Caps), tt.percent, tt.letter, tt.caps)
			}
		})
	}
}

func TestLetter(t *testing.T) {
	for percent, want := range map[float64]string{100: "A", 90: "A", 89.99: "B", 80: "B", 70: "C", 69.9: "D", 60: "D", 59.9: "F", 0: "F"} {
		if got := Letter(percent); got != want {
			t.Errorf("Letter(%g) = %s, want %s", percent, got, want)
		}
	}
}

func TestLevel(t *testing.T) {
	tests := []struct {
		listed, probed, valid int
		want                  string
	}{
		{0, 0, 0, "none"},
		{3, 0, 0, "none"},
		{3, 3, 0, "hygiene only"},
		{3, 1, 0, "hygiene only"},
		{3, 3, 1, "partial"},
		{3, 2, 2, "partial"},
		{3, 3, 3, "full"},
	}
	for _, tt := range tests {
		if got := Level(result.Coverage{ToolsListed: tt.listed, ToolsProbed: tt.probed, ToolsValid: tt.valid}); got != tt.want {
			t.Errorf("%d listed, %d probed, %d valid: %q, want %q", tt.listed, tt.probed, tt.valid, got, tt.want)
		}
	}
}

func TestGate(t *testing.T) {
	base := func() *result.Result {
		return &result.Result{
			Status:   result.Assessed,
			Score:    &result.Score{Percent: 84, Letter: "B"},
			Coverage: result.Coverage{ToolsListed: 4, ToolsProbed: 2},
			Findings: []rule.Finding{
				{Rule: "a.b", Severity: rule.Warning},
				{Rule: "a.c", Severity: rule.Error, ExplainedBy: "x"},
				{Rule: "a.d", Severity: rule.Note},
			},
		}
	}
	tests := []struct {
		name    string
		limits  Limits
		change  func(*result.Result)
		reasons int
	}{
		{"errors only, an explained one does not count", Limits{FailOn: "error"}, nil, 0},
		{"warnings", Limits{FailOn: "warning"}, nil, 1},
		{"notes", Limits{FailOn: "note"}, nil, 1},
		{"never", Limits{FailOn: "never"}, nil, 0},
		{"score", Limits{FailOn: "never", MinScore: 84.1}, nil, 1},
		{"score held", Limits{FailOn: "never", MinScore: 84}, nil, 0},
		{"grade", Limits{FailOn: "never", MinGrade: "A"}, nil, 1},
		{"grade held", Limits{FailOn: "never", MinGrade: "B"}, nil, 0},
		{"coverage", Limits{FailOn: "never", MinCoverage: 51}, nil, 1},
		{"coverage held", Limits{FailOn: "never", MinCoverage: 50}, nil, 0},
		{"all at once", Limits{FailOn: "warning", MinScore: 90, MinGrade: "A", MinCoverage: 90}, nil, 4},
		{"cut short", Limits{FailOn: "never"}, func(r *result.Result) { r.Completeness = result.Completeness{State: "partial", Interrupted: true} }, 1},
		{"not assessed", Limits{FailOn: "never"}, func(r *result.Result) { r.Status, r.Score = result.NotAssessed, nil }, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := base()
			if tt.change != nil {
				tt.change(r)
			}
			Gate(r, tt.limits)
			if len(r.Gate.Reasons) != tt.reasons || r.Gate.Passed != (tt.reasons == 0) {
				t.Errorf("passed %v with %q, want %d reasons", r.Gate.Passed, r.Gate.Reasons, tt.reasons)
			}
		})
	}
}
