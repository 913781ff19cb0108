package publish

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/gha"
	"github.com/sealmark/action/internal/publish/fakegithub"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// barn is a delivery of several servers, with as many findings each.
func barn(findings ...int) Delivery {
	d := delivery(nil)
	d.Reports = nil
	for i, n := range findings {
		key := fmt.Sprintf("stall-%d", i)
		r := assessed(tools(n)...)
		for j := range r.Findings {
			r.Findings[j].Message = strings.Replace(r.Findings[j].Message, "Tool ", "Tool "+key+"-", 1)
		}
		r.Server.Key, r.Server.Name = key, key
		r.Score.Percent, r.Score.Letter = float64(90-10*i), string(rune('A'+i))
		d.Reports = append(d.Reports, Report{Result: r, SARIF: []byte(document), ResultFile: key + ".json", SARIFFile: key + ".sarif", Key: "sealmark/" + key})
	}
	if n := len(d.Reports); n > 1 {
		d.Reports[1].BuildLog = "stall-1.log"
	}
	return d
}

func TestSeveralServers(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		d := barn(1, 2, 3)
		d.Reports[1].Result.Coverage.Level = "hygiene only"
		got := deliver(t, pull(), d)
		if len(g.Uploads) != 3 || len(g.Comments) != 3 || g.Count("POST /graphql") != 1 {
			t.Fatalf("%v", g.Log)
		}
		var urls []string
		for i, c := range g.Comments {
			urls = append(urls, fmt.Sprintf("http://web.invalid/pull/7#issuecomment-%d", c.ID))
			if !strings.Contains(c.Body, fmt.Sprintf("stall-%d", i)) || !strings.HasPrefix(c.Body, Marker(fmt.Sprintf("sealmark/stall-%d", i), "50.1")) {
				t.Errorf("comment %d is %.200s", i, c.Body)
			}
		}
		for name, want := range map[string]string{
			"score": "70.0", "grade": "C", "coverage": "hygiene only", "findings": "6", "comment-url": strings.Join(urls, "\n"),
			"result-file": "stall-0.json\nstall-1.json\nstall-2.json", "sarif-file": "stall-0.sarif\nstall-1.sarif\nstall-2.sarif", "build-log": "stall-1.log",
		} {
			if value := got.output(t, name); value != want {
				t.Errorf("output %s is %q, want %q", name, value, want)
			}
		}
		for i := range 3 {
			if n := strings.Count(got.summary, fmt.Sprintf(" stall-%d: ", i)); n != 1 {
				t.Errorf("server %d is %d times in the summary", i, n)
			}
		}
	})
}

func TestTheWorstOfSeveralServersIsNotAssessed(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		d := barn(1, 1)
		r := d.Reports[1].Result
		r.Status, r.Score, r.Reason = result.NotAssessed, nil, &result.Reason{Text: "It does not start."}
		got := deliver(t, pull(), d)
		if got.output(t, "score")+got.output(t, "grade") != "" || len(g.Uploads) != 1 || len(g.Comments) != 2 {
			t.Errorf("%s %v", got.outputs, g.Log)
		}
	})
}

// All servers share the step's annotations and the size of its summary, and a
// reason that holds for all is said once.
func TestServersShareTheLimits(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		g.Fault = on("/repos", says(403, "Resource not accessible by integration"))
		got := deliver(t, pull(), barn(3000, 3000, 3000, 3000))
		for _, level := range []string{"error", "warning", "notice"} {
			if n := strings.Count(got.log, "::"+level+" "); n != 10 {
				t.Errorf("%d annotations of level %s", n, level)
			}
		}
		if len(got.summary) > 1<<20 {
			t.Errorf("the summary has %d bytes", len(got.summary))
		}
		for i := range 4 {
			if !strings.Contains(got.summary, fmt.Sprintf(" stall-%d: ", i)) {
				t.Errorf("server %d is not in the summary", i)
			}
		}
		for _, reason := range []string{"No comment was posted", "The findings were not uploaded"} {
			if n, m := strings.Count(got.summary, reason), strings.Count(got.log, reason); n != 1 || m != 1 {
				t.Errorf("%q is %d times in the summary and %d times in the log", reason, n, m)
			}
		}
	})
}

func TestAnnotationsAreTheGravestAndNewest(t *testing.T) {
	r := assessed(tools(40)...)
	for i := range r.Findings {
		r.Findings[i].Location = &rule.Location{Path: "src/index.ts", Line: i + 1, Column: 3}
	}
	r.Findings[0].Accepted = &rule.Acceptance{Reason: "known"}
	r.Findings[3].ExplainedBy = r.Findings[6].ID
	r.Comparison = &result.Comparison{New: []string{r.Findings[39].ID, r.Findings[37].ID}}
	d := delivery(r)
	d.Comment, d.Upload = false, false
	got := deliver(t, pull(), d)
	places := regexp.MustCompile(`(?m)^::(error|warning|notice) col=3,file=src/index\.ts,line=(\d+),`).FindAllStringSubmatch(got.log, -1)
	var list []string
	for _, p := range places {
		list = append(list, p[1]+p[2])
	}
	want := "error40 error7 error10 error13 error16 error19 error22 error25 error28 error31 " +
		"warning38 warning2 warning5 warning8 warning11 warning14 warning17 warning20 warning23 warning26 " +
		"notice3 notice6 notice9 notice12 notice15 notice18 notice21 notice24 notice27 notice30"
	if strings.Join(list, " ") != want {
		t.Errorf("annotated\n%s, want\n%s\n%s", list, want, got.log)
	}
	if got.output(t, "findings") != "38" {
		t.Errorf("findings: %s", got.output(t, "findings"))
	}
}

// The longest comment that a report can be is one that GitHub takes.
func TestTheLongestComment(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		subjects := tools(400)
		for i := range subjects {
			subjects[i] += strings.Repeat("𝔰@|*<é", 40)
		}
		r := assessed(subjects...)
		for i := range r.Findings {
			r.Findings[i].Evidence.Reply = strings.Repeat("`é\n", 2000)
		}
		d := delivery(r)
		d.Remark = strings.Repeat("remark ", 120)
		got := deliver(t, pull(), d)
		if len(g.Comments) != 1 || got.output(t, "comment-url") == "" {
			t.Errorf("%s", got.summary[:1000])
		}
	})
}

func TestTheRemarkStandsAboveTheReport(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		d := delivery(assessed(tools(1)...))
		d.Remark = "This was made by somebody else."
		got := deliver(t, pull(), d)
		for where, text := range map[string]string{"the comment": g.Comments[0].Body, "the summary": got.summary} {
			if at := strings.Index(text, d.Remark); at < 0 || at > strings.Index(text, "sheep: D") {
				t.Errorf("%s: %s", where, text)
			}
		}
	})
}

// Each output fails on its own.
func TestOneOutputFailsAlone(t *testing.T) {
	for what, test := range map[string]struct {
		fault             func(*gha.Event, *fakegithub.GitHub)
		uploads, comments int
		says              string
	}{
		"the upload": {func(_ *gha.Event, g *fakegithub.GitHub) {
			g.Fault = on("/code-scanning", says(403, "Resource not accessible by integration"))
		}, 0, 1, "permissions: { contents: read, security-events: write, pull-requests: write }"},
		"the comment": {func(_ *gha.Event, g *fakegithub.GitHub) {
			g.Fault = on("/issues", says(403, "Resource not accessible by integration"))
		}, 1, 0, "permissions: { contents: read, security-events: write, pull-requests: write }"},
		"a locked discussion": {func(_ *gha.Event, g *fakegithub.GitHub) { g.Locked = true }, 1, 0, "locked"},
		"a fork's pull request": {func(e *gha.Event, g *fakegithub.GitHub) {
			e.Fork, g.Fault = true, on("POST /repos/example-barn/sheep-mcp/issues", says(403, "Resource not accessible by integration"))
		}, 1, 0, "docs/forks.md"},
		"no code scanning": {func(_ *gha.Event, g *fakegithub.GitHub) {
			g.Fault = on("/code-scanning", says(403, "Advanced Security must be enabled for this repository to use code scanning."))
		}, 0, 1, "Set upload-sarif to false"},
	} {
		bubble(t, func(t *testing.T) {
			g := newGitHub(t, fakegithub.Cloud)
			e := pull()
			test.fault(&e, g)
			got := deliver(t, e, delivery(assessed(tools(2)...)))
			if len(g.Uploads) != test.uploads || len(g.Comments) != test.comments || got.output(t, "grade") != "D" || !strings.Contains(got.summary, "shear-0001") {
				t.Errorf("%s: %d uploads, %d comments", what, len(g.Uploads), len(g.Comments))
			}
			if shown := strings.ReplaceAll(got.summary, "&#8203;", ""); !strings.Contains(shown, test.says) || !strings.Contains(got.log, test.says) {
				t.Errorf("%s: neither log nor summary may lack %q: %s\n%s", what, test.says, got.log, got.summary)
			}
		})
	}
}

func TestWhatIsAcceptedIsNotOpen(t *testing.T) {
	r := assessed(tools(3)...)
	r.Findings[1].Accepted = &rule.Acceptance{Reason: "known"}
	open := Open(r)
	if len(open.Findings) != 2 || open.Findings[1].ID != r.Findings[2].ID || len(r.Findings) != 3 || r.Findings[1].Accepted == nil {
		t.Errorf("%+v\n%+v", open.Findings, r.Findings)
	}
}

// The rules of a foreign document are ours, and what breaks others stays out of
// code scanning.
func TestDistrust(t *testing.T) {
	r := assessed(tools(3)...)
	r.Rules = []rule.Rule{{ID: "robust.crash", Fix: "theirs"}, {ID: "evil.rule"}}
	r.Findings[2].Rule = "evil.rule"
	known := Distrust(r, []rule.Check{{ID: "robust-input", Rules: []rule.Rule{{ID: "robust.crash", Fix: "ours"}}}})
	if len(known.Findings) != 2 || len(known.Rules) != 1 || known.Rules[0].Fix != "ours" {
		t.Errorf("%+v", known)
	}
	if len(r.Findings) != 3 || len(r.Notices) != 1 || !strings.HasPrefix(r.Notices[0], "Not uploaded to code scanning: 1 of the findings") {
		t.Errorf("%+v %q", r.Findings, r.Notices)
	}
}
