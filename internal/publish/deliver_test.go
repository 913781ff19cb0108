package publish

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sealmark/action/internal/gha"
	"github.com/sealmark/action/internal/publish/fakegithub"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// assessed is a result with findings of a subject each.
func assessed(subjects ...string) *result.Result {
	r := &result.Result{
		Server: result.Server{Key: "sheep", Name: "sheep", Anchor: rule.Location{Path: "package.json", Line: 1}},
		Status: result.Assessed, Completeness: result.Completeness{State: "complete"},
		Score:    &result.Score{Percent: 62.5, Points: 5, Possible: 8, Letter: "D"},
		Coverage: result.Coverage{Level: "full", ToolsListed: 3, ToolsProbed: 3},
		Gate:     result.Gate{FailOn: "never", Passed: true},
	}
	severities := []rule.Severity{rule.Error, rule.Warning, rule.Note}
	for i, subject := range subjects {
		r.Findings = append(r.Findings, rule.Finding{
			ID: rule.FindingID("robust.crash", subject), Rule: "robust.crash", Check: "robust-input", Subject: subject, Count: 1,
			Severity: severities[i%3], Message: fmt.Sprintf("Tool %s ends the server (no. %d).", strings.TrimPrefix(subject, "tool:"), i),
		})
	}
	return r
}

func tools(n int) []string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("tool:shear-%04d", i))
	}
	return list
}

// delivery is a delivery of everything.
func delivery(r *result.Result) Delivery {
	return Delivery{
		Reports: []Report{{Result: r, SARIF: []byte(document), ResultFile: "/t/result.json", SARIFFile: "/t/sealmark.sarif", Key: "sealmark/sheep/"}},
		Token:   canary, Comment: true, Upload: true, Annotations: true,
	}
}

// delivered is what a delivery wrote.
type delivered struct{ log, outputs, summary string }

// deliver delivers to files and returns what was written.
func deliver(t *testing.T, e gha.Event, d Delivery) delivered {
	t.Helper()
	dir := t.TempDir()
	env := map[string]string{"GITHUB_OUTPUT": filepath.Join(dir, "output"), "GITHUB_STEP_SUMMARY": filepath.Join(dir, "summary")}
	var log bytes.Buffer
	Deliver(t.Context(), gha.New(&log, func(name string) string { return env[name] }), e, d)
	read := func(name string) string {
		data, err := os.ReadFile(env[name])
		if err != nil {
			t.Fatal(err)
		}
		hasCanary(t, name, string(data))
		return string(data)
	}
	hasCanary(t, "the log", log.String())
	return delivered{log.String(), read("GITHUB_OUTPUT"), read("GITHUB_STEP_SUMMARY")}
}

// output reads an output's last value.
func (d delivered) output(t *testing.T, name string) string {
	t.Helper()
	at := strings.LastIndex("\n"+d.outputs, "\n"+name+"<<")
	if at < 0 {
		t.Fatalf("output %s is not set: %s", name, d.outputs)
	}
	head, rest, _ := strings.Cut(d.outputs[at:], "\n")
	_, delimiter, _ := strings.Cut(head, "<<")
	value, _, _ := strings.Cut("\n"+rest, "\n"+delimiter+"\n")
	return strings.TrimPrefix(value, "\n")
}

func TestDeliver(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		got := deliver(t, pull(), delivery(assessed(tools(3)...)))
		want := map[string]string{
			"score": "62.5", "grade": "D", "coverage": "full", "findings": "3", "result-file": "/t/result.json", "sarif-file": "/t/sealmark.sarif", "build-log": "",
			"comment-url": fmt.Sprintf("http://web.invalid/pull/7#issuecomment-%d", g.Comments[0].ID),
		}
		for _, out := range gha.Outputs {
			if value := got.output(t, out.Name); value != want[out.Name] {
				t.Errorf("output %s is %q", out.Name, value)
			}
		}
		if len(g.Uploads) != 1 || len(g.Comments) != 1 || strings.Contains(got.summary, "\n> ") {
			t.Errorf("%v\n%s", g.Log, got.summary)
		}
		if !strings.Contains(g.Comments[0].Body, "/commit/"+head+")") || !strings.Contains(g.Comments[0].Body, "](https://github.invalid/example-barn/sheep-mcp/actions/runs/50)") {
			t.Errorf("the comment does not name its commit and its run: %s", g.Comments[0].Body)
		}
		if strings.Count(got.log, "\n::") != 2 || !strings.HasPrefix(got.log, "::error file=package.json,line=1,title=Sealmark%3A robust.crash::Tool shear-0000") {
			t.Errorf("annotations: %s", got.log)
		}

		later := pull()
		later.RunID, later.HeadSHA = "51", strings.Repeat("5", 40)
		deliver(t, later, delivery(assessed(tools(3)...)))
		if len(g.Comments) != 1 || g.Count("PATCH ") != 1 || len(g.Uploads) != 2 {
			t.Errorf("the second run: %v", g.Log)
		}
	})
}

// With everything refused, each finding is still once in the log and once in
// the summary, and the reasons are in the summary.
func TestNothingIsLostWhenAllIsRefused(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		g.Fault = on("/repos", says(403, "Resource not accessible by integration"))
		got := deliver(t, pull(), delivery(assessed(tools(24)...)))
		for _, name := range tools(24) {
			name = strings.TrimPrefix(name, "tool:")
			if n := strings.Count(got.log, "Tool "+name+" "); n != 1 {
				t.Errorf("%s is %d times in the log", name, n)
			}
			if n := strings.Count(got.summary, "Tool "+name+" "); n != 1 {
				t.Errorf("%s is %d times in the summary", name, n)
			}
		}
		for _, part := range []string{"security-events: write", "pull-requests: write"} {
			if !strings.Contains(got.summary, part) {
				t.Errorf("the summary does not speak of %s: %s", part, got.summary)
			}
		}
		if got.output(t, "comment-url") != "" || got.output(t, "grade") != "D" {
			t.Error("outputs: " + got.outputs)
		}
	})
}

func TestThreeThousandFindings(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		got := deliver(t, pull(), delivery(assessed(tools(3000)...)))
		if n := utf8.RuneCountInString(g.Comments[0].Body); n > 65536 {
			t.Errorf("the comment has %d characters", n)
		}
		if len(got.summary) > 1<<20 || !strings.Contains(got.summary, "2970 more findings are not annotated") {
			t.Errorf("the summary has %d bytes: %.500s", len(got.summary), got.summary)
		}
		if n := strings.Count(got.log, "file=package.json"); n != 30 {
			t.Errorf("%d annotations", n)
		}
		if got.output(t, "findings") != "3000" {
			t.Error("findings: " + got.output(t, "findings"))
		}
	})
}

func TestHostileNamesAreHarmless(t *testing.T) {
	names := []string{
		"<!-- sealmark -->@everyone ![x](http://evil.example/)", "a\n::error::forged", "x ##[error]forged", "<!-- sealmark:v1 key=k run=9 -->",
		"`code` | cell", "</details><script>alert(1)</script>", "\u202eevil", "fixes #1",
	}
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		var subjects []string
		for _, name := range names {
			subjects = append(subjects, "tool:"+name)
		}
		r := assessed(subjects...)
		r.Server.Name = names[0]
		got := deliver(t, pull(), delivery(r))
		for line := range strings.Lines(got.log) {
			if line == "Comment: "+got.output(t, "comment-url")+"\n" {
				continue
			}
			if !strings.HasPrefix(line, "::error file=") && !strings.HasPrefix(line, "::warning file=") && !strings.HasPrefix(line, "::notice file=") {
				t.Errorf("a line of the log is no annotation of ours: %q", line)
			}
		}
		for where, text := range map[string]string{"the comment": g.Comments[0].Body, "the summary": got.summary} {
			text = withoutCode(text)
			for _, part := range []string{"@everyone", "![", "](http://evil", "<script", "\u202e", "fixes #1"} {
				if strings.Contains(text, part) {
					t.Errorf("%q is in %s", part, where)
				}
			}
			if strings.Count(text, "<!--") > 1 {
				t.Errorf("%s has a second marker", where)
			}
		}
		if m := marker.FindStringSubmatch(g.Comments[0].Body); m == nil || m[2] != "50.1" {
			t.Errorf("the marker is %q", m)
		}
	})
}

// withoutCode takes code spans and code blocks out of Markdown of ours.
func withoutCode(text string) string {
	var kept strings.Builder
	for text != "" {
		at := strings.IndexByte(text, '`')
		if at > 0 && text[at-1] == '\\' {
			kept.WriteString(text[:at+1])
			text = text[at+1:]
			continue
		}
		if at < 0 {
			kept.WriteString(text)
			break
		}
		kept.WriteString(text[:at])
		fence := text[at : at+len(text[at:])-len(strings.TrimLeft(text[at:], "`"))]
		_, rest, _ := strings.Cut(text[at+len(fence):], fence)
		text = rest
	}
	return kept.String()
}

func TestWhatIsNotAssessedIsNotUploaded(t *testing.T) {
	for what, spoil := range map[string]func(*result.Result){
		"the server was not assessed": func(r *result.Result) {
			r.Status, r.Score = result.NotAssessed, nil
			r.Reason = &result.Reason{Rule: "launch.exited", Text: "The server exited with status 1.", Next: "Run it by hand."}
		},
		"the run was cut short": func(r *result.Result) {
			r.Completeness = result.Completeness{State: "partial", Interrupted: true, Reasons: []string{"the time was over"}}
		},
	} {
		bubble(t, func(t *testing.T) {
			g := newGitHub(t, fakegithub.Cloud)
			r := assessed(tools(1)...)
			spoil(r)
			got := deliver(t, pull(), delivery(r))
			if len(g.Uploads) != 0 || len(g.Comments) != 1 || !strings.Contains(got.summary, what) {
				t.Errorf("%s: %v\n%s", what, g.Log, got.summary)
			}
			if r.Reason != nil && (got.output(t, "score") != "" || !strings.Contains(got.log, "Sealmark%3A not assessed::The server exited with status 1. Run it by hand.")) {
				t.Errorf("%s: %s", what, got.log)
			}
		})
	}
}

func TestWhatIsSwitchedOffIsNotDone(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		d := delivery(assessed(tools(2)...))
		d.Comment, d.Upload, d.Annotations = false, false, false
		got := deliver(t, pull(), d)
		if len(g.Log) != 0 || got.log != "" || !strings.Contains(got.summary, "shear-0001") {
			t.Errorf("%v\n%s", g.Log, got.log)
		}
	})
}

func TestWithoutTokenNothingIsSent(t *testing.T) {
	g := newGitHub(t, fakegithub.Cloud)
	d := delivery(assessed(tools(2)...))
	d.Token = ""
	if got := deliver(t, pull(), d); len(g.Log) != 0 || !strings.Contains(got.summary, "There is no token") {
		t.Errorf("%v\n%s", g.Log, got.summary)
	}
}

func TestUnwritableFilesOnlyWarn(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		var log bytes.Buffer
		missing := filepath.Join(t.TempDir(), "no", "folder")
		Deliver(t.Context(), gha.New(&log, func(name string) string {
			if name == "GITHUB_OUTPUT" || name == "GITHUB_STEP_SUMMARY" {
				return missing
			}
			return ""
		}), pull(), delivery(assessed(tools(1)...)))
		for _, part := range []string{"GITHUB_OUTPUT can't be written", "GITHUB_STEP_SUMMARY can't be written"} {
			if !strings.Contains(log.String(), part) {
				t.Errorf("the log does not say %q: %s", part, log.String())
			}
		}
		if len(g.Uploads) != 1 || len(g.Comments) != 1 {
			t.Errorf("the rest was not delivered: %v", g.Log)
		}
	})
}
