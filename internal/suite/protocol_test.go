package suite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sealmark/action/internal/fixture"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// briefly makes the faults of the protocol fixtures show soon.
const briefly = "timeout_probe_sec: 2\nchecks: { robust-input: { hang_ms: 1000 }, protocol-probes: { hang_ms: 1000 } }\n"

// reported lists the rules of the findings that no other one explains.
func reported(r *result.Result) []string {
	only := *r
	only.Findings = r.Reported()
	return raised(&only)
}

// TestProtocolFixtures runs each fixture of the protocol pack: it raises
// exactly its rules, none of them flaky.
func TestProtocolFixtures(t *testing.T) {
	for _, info := range fixture.Protocol {
		t.Run(info.Name, func(t *testing.T) {
			t.Parallel()
			begin := time.Now()
			r := run(t, setup{fixture: info.Name, yaml: briefly})
			if got := reported(r); !slices.Equal(got, slices.Clone(info.Rules)) && len(got)+len(info.Rules) > 0 {
				t.Errorf("raised %q, want %q\n%s", got, info.Rules, describe(r))
			}
			if took := time.Since(begin); took > time.Minute {
				t.Errorf("took %s", took)
			}
		})
	}
}

// TestProtocolHTTP: what a server does with resources/read over HTTP. The
// good server does the rest.
func TestProtocolHTTP(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("another origin was asked") }))
	defer elsewhere.Close()
	good := fixture.GoodHTTP()
	tests := []struct {
		name string
		// method is the one that handle answers.
		method string
		handle http.HandlerFunc
		want   []string
	}{
		{"accepted without a reply", "resources/read", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) },
			[]string{"protocol.probe-accepted-unanswered"}},
		{"empty stream", "resources/read", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "text/event-stream") },
			[]string{"protocol.probe-accepted-unanswered"}},
		{"error status", "resources/read", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }, nil},
		{"closed connection", "resources/read", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
			[]string{"protocol.probe-connection-died"}},
		{"redirect", "resources/read", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		},
			[]string{"protocol.cross-origin-redirect"}},
		{"redirect at start", "initialize", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusPermanentRedirect)
		},
			[]string{"protocol.cross-origin-redirect"}},
		{"redirect to no address", "resources/read", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", `//elsewhere\x`)
			w.WriteHeader(http.StatusFound)
		}, nil},
		{"nothing wrong", "none", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				var m struct{ Method string }
				json.Unmarshal(body, &m)
				r.Body = io.NopCloser(bytes.NewReader(body))
				if m.Method == tt.method {
					tt.handle(w, r)
					return
				}
				good.ServeHTTP(w, r)
			}))
			defer server.Close()
			r := run(t, setup{fixture: "x", url: server.URL + "/mcp", yaml: briefly})
			if got := reported(r); !slices.Equal(got, tt.want) && len(got)+len(tt.want) > 0 {
				t.Errorf("raised %q, want %q\n%s", got, tt.want, describe(r))
			}
			if strings.HasSuffix(tt.name, "at start") != (r.Status == result.NotAssessed) {
				t.Errorf("status %s", r.Status)
			}
		})
	}
}

// TestGone: a server by URL that dies of a probe can't be reached again, so the
// rest is not sent and the run is not whole.
func TestGone(t *testing.T) {
	good := fixture.GoodHTTP()
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if bytes.Contains(body, []byte("resources/read")) {
			server.Listener.Close()
			go server.CloseClientConnections()
			panic(http.ErrAbortHandler)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		good.ServeHTTP(w, r)
	}))
	defer server.Close()
	r := run(t, setup{fixture: "x", url: server.URL + "/mcp", yaml: briefly, only: []string{"launch", "protocol", "protocol-probes"}})
	if got := reported(r); !slices.Equal(got, []string{"protocol.probe-connection-died"}) || verdict(r, "protocol-probes") != rule.Fail {
		t.Errorf("raised %q\n%s", got, describe(r))
	}
	if r.Completeness.State != "partial" || len(r.Completeness.Reasons) != 1 || !strings.Contains(r.Completeness.Reasons[0], "protocol-probes: the server is gone") {
		t.Errorf("completeness %+v", r.Completeness)
	}
}

// TestNoProbes: active_probes none sends nothing, and the result says so.
func TestNoProbes(t *testing.T) {
	r := run(t, setup{fixture: "dies-of-probes", yaml: "active_probes: none\n"})
	if len(raised(r)) != 0 || verdict(r, "protocol-probes") != rule.NotApplicable || r.Coverage.ToolsProbed != 0 {
		t.Errorf("coverage %+v\n%s", r.Coverage, describe(r))
	}
	for _, u := range r.Coverage.Uncovered {
		if !strings.Contains(u.Reason, "active_probes is none") {
			t.Errorf("%s is uncovered because %s", u.Tool, u.Reason)
		}
	}
}

// TestHostileProbes: servers that can't be probed well end in the right
// verdict, with few findings and few starts.
func TestHostileProbes(t *testing.T) {
	tests := []struct {
		fixture   string
		verdict   rule.Verdict
		reason    string
		findings  int
		instances int
	}{
		{"dies-of-probes", rule.Fail, "", 3, 30},
		{"never-answers", rule.Unverified, "answers neither ping nor tools/list", 0, 12},
		{"silent-after-lists", rule.Unverified, "probing stopped after 3 probes without an answer", 1, 20},
		{"no-ping", rule.Pass, "", 0, 12},
		{"notification-flood", rule.Pass, "", 0, 12},
	}
	for _, tt := range tests {
		t.Run(tt.fixture, func(t *testing.T) {
			t.Parallel()
			r := run(t, setup{fixture: tt.fixture, yaml: briefly})
			n := 0
			for _, f := range r.Reported() {
				if f.Check == "protocol-probes" {
					n++
				}
			}
			if got := verdict(r, "protocol-probes"); got != tt.verdict || n != tt.findings || r.Volatile.Instances > tt.instances {
				t.Errorf("verdict %s, %d findings, %d instances, want %+v\n%s", got, n, r.Volatile.Instances, tt, describe(r))
			}
			for _, c := range r.Checks {
				if c.ID == "protocol-probes" && !strings.Contains(c.Reason, tt.reason) {
					t.Errorf("reason %q", c.Reason)
				}
			}
		})
	}
}

// TestCompleteness: a list that is refused is skipped, one that fails
// otherwise is a gap.
func TestCompleteness(t *testing.T) {
	tests := []struct{ fixture, want string }{
		{"strict", "complete [{tools complete }]"},
		{"prompts-refused", `partial [{tools complete } {prompts skipped prompts/list was answered with the error "Method not found"}]`},
		{"templates-refused", "complete [{tools complete } {resources complete } {resource templates complete }]"},
		{"cursor-loop", "partial [{tools gap the cursor of tools/list repeats itself}]"},
		{"never-answers", "partial [{tools gap tools/list: no answer within 2s}]"},
	}
	for _, tt := range tests {
		r := run(t, setup{fixture: tt.fixture, yaml: "timeout_probe_sec: 2\n", only: []string{"launch", "protocol"}})
		if got := fmt.Sprint(r.Completeness.State, " ", r.Completeness.Capabilities); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.fixture, got, tt.want)
		}
	}
}
