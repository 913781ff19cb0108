package publish

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/gha"
	"github.com/sealmark/action/internal/publish/fakegithub"
)

// disguises are the forms in which the token could come back.
var disguises = map[string]string{
	"plain":          canary,
	"header":         "Authorization: Bearer " + canary,
	"basic":          base64.StdEncoding.EncodeToString([]byte("x-access-token:" + canary)),
	"base64":         base64.StdEncoding.EncodeToString([]byte(canary)),
	"base64url":      base64.RawURLEncoding.EncodeToString([]byte(canary)),
	"url":            "https://x-access-token:" + canary + "@github.invalid/a?access_token=" + canary,
	"escaped":        "https://github.invalid/?t=" + url.QueryEscape(canary),
	"percent":        "https://github.invalid/?t=" + percent(canary),
	"JSON escaped":   `ghs\u005f` + strings.TrimPrefix(canary, "ghs_"),
	"after controls": "\x1b[31m" + canary + "\x00",
}

func percent(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "%%%02X", s[i])
	}
	return b.String()
}

// betrays fails the test if a text holds the token in any of its forms.
func betrays(t *testing.T, what, text string) {
	t.Helper()
	for _, form := range []string{canary, disguises["basic"], disguises["base64"], disguises["base64url"], disguises["percent"], strings.TrimPrefix(canary, "ghs_")} {
		if strings.Contains(text, form) {
			t.Errorf("the token is in %s: %.300s", what, text)
			return
		}
	}
}

// GitHub, or who passes for it, says the token back in each of its answers: it
// reaches neither log nor summary nor output.
func TestTheTokenComesBackFromNowhere(t *testing.T) {
	for name, form := range disguises {
		quoted, err := json.Marshal(form)
		if err != nil {
			t.Fatal(err)
		}
		plain := map[string]string{"Content-Type": "application/json"}
		for what, answer := range map[string]fakegithub.Answer{
			"a message":          {Status: 403, Header: plain, Body: `{"message": ` + string(quoted) + `}`},
			"all of an error":    {Status: 422, Header: plain, Body: fmt.Sprintf(`{"message": %s, "documentation_url": %[1]s, "errors": [{"resource": %[1]s, "code": "custom", "field": %[1]s, "message": %[1]s}]}`, quoted)},
			"no JSON":            {Status: 400, Body: "<html>" + form},
			"broken JSON":        {Status: 200, Header: plain, Body: string(quoted) + `, {`},
			"another type":       {Status: 200, Header: plain, Body: string(quoted)},
			"a limit":            {Status: 429, Header: map[string]string{"Content-Type": "application/json", "Retry-After": "99999"}, Body: `{"message": ` + string(quoted) + `}`},
			"a redirect":         {Status: 302, Header: map[string]string{"Location": "https://evil.invalid/?" + url.QueryEscape(form)}},
			"a redirect at home": {Status: 302, Header: map[string]string{"Location": "https://api.github.invalid/" + url.PathEscape(form)}},
			"an odd redirect":    {Status: 302, Header: map[string]string{"Location": "http://[" + percent(canary)}},
		} {
			t.Run(name+", "+what, func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					g := newGitHub(t, fakegithub.Cloud)
					g.Fault = on("/", answer)
					got := deliver(t, pull(), delivery(assessed(tools(2)...)))
					g.Problems = nil
					betrays(t, "the log", got.log)
					betrays(t, "the outputs", got.outputs)
					betrays(t, "the summary", got.summary)
					if !strings.Contains(got.summary, "shear-0001") {
						t.Error("the findings are gone: " + got.summary)
					}
				})
			})
		}
	}
}

func TestTheTokenIsNotInWhyAnUploadFailed(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		for _, form := range disguises {
			g.Failure = append(g.Failure, form)
		}
		got := deliver(t, pull(), delivery(assessed(tools(2)...)))
		betrays(t, "the log", got.log)
		betrays(t, "the summary", got.summary)
		if !strings.Contains(got.summary, "could not process the findings") {
			t.Error(got.summary)
		}
	})
}

// All that code scanning says of a document is shown, in log and summary.
func TestWhyAnUploadFailedIsShownInFull(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		for i := range 30 {
			g.Failure = append(g.Failure, fmt.Sprintf("run 0, result %d: locationFromSarifResult: expected an artifact location", i))
		}
		got := deliver(t, pull(), delivery(assessed(tools(2)...)))
		for _, failure := range g.Failure {
			if !strings.Contains(got.log, failure) || !strings.Contains(got.summary, failure) {
				t.Errorf("%q is not shown", failure)
			}
		}
	})
}

// A result that holds the token is not sent anywhere, however it got it.
func TestAResultWithTheTokenIsNotSent(t *testing.T) {
	for name, form := range disguises {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				g := newGitHub(t, fakegithub.Cloud)
				r := assessed(tools(2)...)
				r.Findings[0].Message, r.Server.Name, r.Findings[1].Evidence.Reply = "It says "+form, form, form
				d := delivery(r)
				document, err := json.Marshal(map[string]string{"text": form})
				if err != nil {
					t.Fatal(err)
				}
				d.Reports[0].SARIF = document
				d.Annotations = false
				got := deliver(t, pull(), d)
				if len(g.Uploads)+len(g.Comments) != 0 {
					t.Errorf("sent: %v", g.Log)
				}
				betrays(t, "the summary", got.summary)
				betrays(t, "the log", got.log)
				if !strings.Contains(got.summary, "holds the token") {
					t.Error(got.summary)
				}
			})
		})
	}
}

// An annotation that holds the token is written without it.
func TestAnnotationsAreWrittenWithoutTheToken(t *testing.T) {
	r := assessed(tools(1)...)
	r.Findings[0].Message = "It says " + canary
	d := delivery(r)
	d.Comment, d.Upload = false, false
	d.Token = canary
	path := filepath.Join(t.TempDir(), "summary")
	var log bytes.Buffer
	Deliver(t.Context(), gha.New(&log, func(name string) string { return map[string]string{"GITHUB_STEP_SUMMARY": path}[name] }), pull(), d)
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	betrays(t, "the log", log.String())
	betrays(t, "the summary", string(page))
	if !strings.Contains(log.String(), "It says [redacted") || !strings.Contains(string(page), "holds the token") {
		t.Errorf("%s\n%s", log.String(), page)
	}
}

// The token is sent in no address and to nobody else.
func TestTheTokenIsInNoAddress(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		g.PullRequests = []fakegithub.PullRequest{ours}
		g.Before = func(r *http.Request) {
			betrays(t, "an address", r.URL.String())
			for name, values := range r.Header {
				if name != "Authorization" {
					betrays(t, "header "+name, strings.Join(values, " "))
				}
			}
		}
		target, err := publisher(t, finished()).Locate(t.Context(), Place{})
		if err != nil {
			t.Fatal(err)
		}
		d := delivery(assessed(tools(2)...))
		d.Target = &target
		deliver(t, finished(), d)
		if len(g.Uploads) != 1 || len(g.Comments) != 1 {
			t.Errorf("%v", g.Log)
		}
	})
}
