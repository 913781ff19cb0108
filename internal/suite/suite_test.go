package suite

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/fixture"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

func TestMain(m *testing.M) {
	fixture.FromEnv()
	// The tests wait for servers more than they compute.
	flag.Parse()
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	os.Exit(runTests(m))
}

// program is a build of sealmark whose fixtures the tests run, "" for the test
// binary itself.
var program string

// runTests runs the tests. Under the race detector each start of the test
// binary costs ten times as much as one of the program, and the tests start
// thousands of servers, so the program is built first.
func runTests(m *testing.M) int {
	if !raced {
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "sealmark-suite-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	built := filepath.Join(dir, "sealmark")
	if out, err := exec.Command("go", "build", "-o", built, "../../cmd/sealmark").CombinedOutput(); err != nil {
		panic(fmt.Sprintf("%v\n%s", err, out))
	}
	program = built
	return m.Run()
}

// fixtureCommand is the command line that runs a fixture, and the variables
// that it needs.
func fixtureCommand(name string, args []string) (argv, env []string) {
	if program != "" {
		return append([]string{program, "fixture", name}, args...), nil
	}
	return fixture.Command(name, args...)
}

// shortHangs keeps the tests from waiting.
const shortHangs = "checks: { robust-input: { hang_ms: 1000 }, argument-contract: { hang_ms: 1000 } }\n"

// setup is a run of a fixture.
type setup struct {
	fixture string
	args    []string
	yaml    string
	lanes   string
	env     []string
	url     string
	only    []string
	command []string
}

// configure builds the configuration of a run, with limits fit for tests.
func configure(t *testing.T, s setup) *config.Config {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sealmark.yml")
	yaml := s.yaml
	if yaml == "" {
		yaml = shortHangs
	}
	if !strings.Contains(yaml, "timeout_start_sec") {
		yaml += "timeout_start_sec: 20\n"
	}
	if err := os.WriteFile(path, []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	argv, env := fixtureCommand(s.fixture, s.args)
	source := config.Sources{Path: path, Flags: map[string]string{"lanes": "4"}, URL: s.url, Only: s.only, Env: append(env, s.env...)}
	if s.lanes != "" {
		source.Flags["lanes"] = s.lanes
	}
	if handler := fixture.HTTP(s.fixture); handler != nil {
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		s.url = server.URL + "/mcp"
		source.URL, source.Env = s.url, nil
	}
	if s.url == "" {
		source.Command = argv
	}
	if s.command != nil {
		source.Command = s.command
	}
	c, err := config.Build(source, Catalog())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func run(t *testing.T, s setup) *result.Result {
	t.Helper()
	return Run{Config: configure(t, s), Version: "test", Key: "fixture", Anchor: rule.Location{Path: "sealmark.yml", Line: 1}, Shown: []string{"fixture"}}.Do(t.Context())
}

// raised lists the rules of the findings, each once, flaky ones marked.
// raised lists the rules of the findings, without the advice on how a schema
// is written: the fixtures keep theirs short.
func raised(r *result.Result) []string {
	return slices.DeleteFunc(allRaised(r), func(id string) bool { return slices.Contains(schemaAdvice, id) })
}

var schemaAdvice = []string{"contract.authority-argument", "contract.dialect-unpinned", "contract.open-object", "contract.unbounded"}

func allRaised(r *result.Result) []string {
	rules := []string{}
	for _, f := range r.Findings {
		name := f.Rule
		if f.Flaky {
			name += " (flaky)"
		}
		if !slices.Contains(rules, name) {
			rules = append(rules, name)
		}
	}
	slices.Sort(rules)
	return rules
}

func verdict(r *result.Result, id string) rule.Verdict {
	for _, c := range r.Checks {
		if c.ID == id {
			return c.Verdict
		}
	}
	return ""
}

// TestFixtures runs each fixture: what it must raise, and that its clean twin
// raises nothing.
func TestFixtures(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "lock")
	tests := []struct {
		setup
		want   []string
		robust rule.Verdict
		twin   string
	}{
		{setup{fixture: "strict"}, nil, rule.Pass, ""},
		{setup{fixture: "strict-rpc"}, nil, rule.Pass, ""},
		{setup{fixture: "strict-rpc-32603"}, []string{"error.internal-code"}, rule.Pass, "strict-rpc"},
		{setup{fixture: "crash"}, []string{"robust.crashed"}, rule.Fail, "strict"},
		{setup{fixture: "crash-second"}, []string{"robust.crashed"}, rule.Fail, "strict"},
		{setup{fixture: "crash-once", args: []string{filepath.Join(t.TempDir(), "once")}}, []string{"robust.crashed (flaky)"}, rule.Pass, "strict"},
		{setup{fixture: "dies-always"}, []string{"robust.crashed"}, rule.Fail, "strict"},
		{setup{fixture: "hang"}, []string{"robust.hang"}, rule.Fail, "strict"},
		{setup{fixture: "hang-all"}, []string{"robust.hang"}, rule.Fail, "strict"},
		{setup{fixture: "deaf"}, []string{"robust.stopped-answering"}, rule.Fail, "strict"},
		{setup{fixture: "deaf-first"}, []string{"robust.stopped-answering"}, rule.Fail, "strict"},
		{setup{fixture: "leak-python"}, []string{"robust.leaks-internals"}, rule.Partial, "strict"},
		{setup{fixture: "leak-node"}, []string{"robust.leaks-internals"}, rule.Partial, "strict"},
		{setup{fixture: "leak-modules"}, []string{"robust.leaks-internals"}, rule.Partial, "strict"},
		{setup{fixture: "leak-windows"}, []string{"robust.leaks-internals"}, rule.Partial, "strict"},
		{setup{fixture: "leak-home-line"}, []string{"robust.leaks-internals"}, rule.Partial, "bare-home-path"},
		{setup{fixture: "bare-home-path"}, nil, rule.Pass, ""},
		{setup{fixture: "leak-and-accept"}, []string{"contract.arguments-type", "contract.required-ignored", "robust.accepted-invalid", "robust.leaks-internals"}, rule.Partial, "strict"},
		{setup{fixture: "accepts"}, []string{"contract.arguments-type", "contract.required-ignored", "robust.accepted-invalid"}, rule.Partial, "strict"},
		{setup{fixture: "coerces"}, []string{"robust.accepted-invalid"}, rule.Partial, "strict"},
		{setup{fixture: "lenient"}, []string{"robust.lenient-downstream"}, rule.Partial, "strict"},
		{setup{fixture: "internal-error"}, []string{"robust.internal-error"}, rule.Partial, "strict"},
		{setup{fixture: "text-refusal"}, []string{"error.not-flagged", "robust.text-refusal"}, rule.Pass, "strict"},
		{setup{fixture: "nested-string-accepts"}, []string{"robust.accepted-invalid"}, rule.Partial, "nested-strict"},
		{setup{fixture: "nested-item-accepts"}, []string{"robust.accepted-invalid"}, rule.Partial, "nested-strict"},
		{setup{fixture: "nested-item-crash"}, []string{"robust.crashed"}, rule.Fail, "nested-strict"},
		{setup{fixture: "nested-strict"}, nil, rule.Pass, ""},
		{setup{fixture: "readonly-ok"}, nil, rule.Pass, ""},
		{setup{fixture: "readonly-error"}, nil, rule.Pass, ""},
		{setup{fixture: "readonly-hang"}, nil, rule.Pass, ""},
		{setup{fixture: "no-arguments"}, nil, rule.NotApplicable, ""},
		{setup{fixture: "no-tools"}, nil, rule.NotApplicable, ""},
		{setup{fixture: "untyped"}, []string{"contract.untyped-property"}, rule.NotApplicable, "strict"},
		{setup{fixture: "accepts-float-integer"}, nil, rule.Pass, ""},
		{setup{fixture: "many-tools", args: []string{"30"}}, nil, rule.Pass, ""},

		{setup{fixture: "keyword-all"}, nil, rule.Pass, ""},
		{setup{fixture: "keyword-none"}, fixture.Describe("keyword-none").Rules, rule.Pass, "keyword-all"},
		{setup{fixture: "input-sound"}, nil, rule.Pass, ""},
		{setup{fixture: "input-broken"}, []string{"contract.schema-uncompilable"}, rule.NotApplicable, "input-sound"},
		{setup{fixture: "input-dangling"}, []string{"contract.ref-unresolved"}, rule.NotApplicable, "input-sound"},
		{setup{fixture: "input-untyped"}, []string{"contract.untyped-property"}, rule.Pass, "input-sound"},
		{setup{fixture: "input-open"}, []string{"contract.authority-argument", "contract.dialect-unpinned", "contract.open-object", "contract.unbounded"}, rule.Pass, "input-sound"},
		{setup{fixture: "range-strict"}, nil, rule.Pass, ""},
		{setup{fixture: "range-crash"}, []string{"robust.crashed"}, rule.Pass, "range-strict"},
		{setup{fixture: "range-hang"}, []string{"contract.bounds-ignored", "robust.hang"}, rule.Pass, "range-strict"},
		{setup{fixture: "range-slow"}, nil, rule.Pass, ""},
		{setup{fixture: "range-deaf"}, []string{"robust.stopped-answering"}, rule.Pass, "range-strict"},
		{setup{fixture: "range-internal-error"}, []string{"robust.internal-error"}, rule.Pass, "range-strict"},
		{setup{fixture: "range-leak"}, []string{"robust.leaks-internals"}, rule.Pass, "range-strict"},

		{setup{fixture: "banner"}, []string{"stdio.stdout-noise"}, rule.Pass, "strict"},
		{setup{fixture: "banner-dotenv"}, []string{"stdio.stdout-noise"}, rule.Pass, "strict"},
		{setup{fixture: "noise-on-call"}, []string{"stdio.stdout-noise"}, rule.Pass, "strict"},
		{setup{fixture: "noise-burst"}, []string{"stdio.stdout-noise"}, rule.Pass, "strict"},
		{setup{fixture: "json-noise"}, []string{"stdio.stdout-noise"}, rule.Pass, "strict"},
		{setup{fixture: "split-frame"}, []string{"stdio.split-frame"}, rule.Pass, "strict"},
		{setup{fixture: "bom"}, []string{"stdio.bom"}, rule.Pass, "strict"},
		{setup{fixture: "invalid-utf8"}, []string{"stdio.invalid-utf8"}, rule.Pass, "strict"},
		{setup{fixture: "crlf"}, []string{"stdio.crlf"}, rule.Pass, "strict"},
		{setup{fixture: "content-length-out"}, []string{"stdio.framing-header"}, rule.Pass, "strict"},
		{setup{fixture: "stderr-flood"}, nil, rule.Pass, ""},
		{setup{fixture: "lone-surrogate"}, nil, rule.Pass, ""},
		{setup{fixture: "long-line"}, nil, rule.Pass, ""},
		{setup{fixture: "string-ids", yaml: "timeout_start_sec: 4\n"}, []string{"launch.initialize-refused"}, rule.Unverified, "strict"},

		{setup{fixture: "leaks-canary"}, []string{"secret.canary-echoed"}, rule.Pass, "strict"},
		{setup{fixture: "leaks-encoded"}, []string{"secret.canary-echoed"}, rule.Pass, "strict"},
		{setup{fixture: "leaks-base64"}, []string{"secret.canary-echoed"}, rule.Pass, "strict"},
		{setup{fixture: "shows-env"}, []string{"secret.canary-echoed"}, rule.Pass, "readonly-ok"},
		{setup{fixture: "leaks-on-startup"}, []string{"secret.canary-echoed", "stdio.stdout-noise"}, rule.Pass, "strict"},

		{setup{fixture: "old-2024-11-05"}, nil, rule.Pass, ""},
		{setup{fixture: "old-2025-03-26"}, nil, rule.Pass, ""},
		{setup{fixture: "old-2025-06-18"}, nil, rule.Pass, ""},
		{setup{fixture: "discover-dies"}, nil, rule.Pass, ""},
		{setup{fixture: "no-ping"}, []string{"spec.ping"}, rule.Pass, "strict"},
		{setup{fixture: "asks-client"}, nil, rule.Pass, ""},
		{setup{fixture: "one-instance", args: []string{lock}}, nil, rule.Pass, ""},
		{setup{fixture: "ignores-eof"}, nil, rule.Pass, ""},
		{setup{fixture: "forks"}, nil, rule.Pass, ""},
		{setup{fixture: "stock-client-breaks"}, []string{"contract.schema-uncompilable", "interop.stock-client-fails"}, rule.Pass, "strict"},
		{setup{fixture: "slow-start", args: []string{"4500"}, yaml: "timeout_start_sec: 8\n"}, []string{"launch.slow-start"}, rule.Pass, "strict"},

		{setup{fixture: "library"}, nil, rule.Pass, ""},
		{setup{fixture: "library-tolerated"}, nil, rule.Pass, ""},
		{setup{fixture: "library-all-versions"}, nil, rule.Pass, ""},
		{setup{fixture: "library-task-support"}, []string{"spec.schema-violation"}, rule.Pass, "library"},
		{setup{fixture: "library-boolean-property"}, []string{"contract.untyped-property"}, rule.Pass, "library"},
		{setup{fixture: "library-no-jsonrpc"}, []string{"spec.schema-violation"}, rule.Pass, "library"},
		{setup{fixture: "library-wrong-level"}, []string{"spec.schema-violation"}, rule.Pass, "library-tolerated"},
		{setup{fixture: "library-many-shapes"}, []string{"spec.schema-violation"}, rule.Pass, "library"},
		{setup{fixture: "library-ping-silent", yaml: "timeout_probe_sec: 2\n"}, []string{"spec.ping"}, rule.Pass, "library"},
		{setup{fixture: "library-ping-pong"}, []string{"spec.ping"}, rule.Pass, "library"},
		{setup{fixture: "library-method-code"}, []string{"spec.error-code"}, rule.Pass, "library"},
		{setup{fixture: "library-prompt-code"}, []string{"spec.error-code"}, rule.Pass, "library"},
		{setup{fixture: "library-no-levels"}, []string{"spec.capability-unserved"}, rule.Pass, "library"},
		{setup{fixture: "library-no-subscriptions"}, []string{"spec.capability-unserved"}, rule.Pass, "library"},
		{setup{fixture: "library-any-level"}, []string{"spec.logging-level"}, rule.Pass, "library"},
		{setup{fixture: "library-many-values"}, []string{"spec.completion-limit"}, rule.Pass, "library"},
		{setup{fixture: "library-prompt-anyway"}, []string{"spec.prompt-required-argument"}, rule.Pass, "library"},
		{setup{fixture: "library-empty-resource"}, []string{"spec.resource-not-found"}, rule.Pass, "library"},
		{setup{fixture: "library-resource-code"}, []string{"spec.resource-not-found"}, rule.Pass, "library-tolerated"},
		{setup{fixture: "library-other-book"}, []string{"spec.resource-read-mismatch"}, rule.Pass, "library-tolerated"},
		{setup{fixture: "library-no-book"}, []string{"spec.resource-read-mismatch"}, rule.Pass, "library"},
		{setup{fixture: "library-progress-unknown"}, []string{"spec.progress"}, rule.Pass, "library"},
		{setup{fixture: "library-progress-retyped"}, []string{"spec.progress"}, rule.Pass, "library"},
		{setup{fixture: "library-progress-backwards"}, []string{"spec.progress"}, rule.Pass, "library"},
		{setup{fixture: "library-progress-late"}, []string{"spec.progress"}, rule.Pass, "library"},
		{setup{fixture: "library-early"}, []string{"spec.early-message"}, rule.Pass, "library"},
		{setup{fixture: "library-too-early"}, []string{"spec.early-message"}, rule.Pass, "library"},
		{setup{fixture: "library-samples"}, []string{"spec.unnegotiated-message"}, rule.Pass, "library"},
		{setup{fixture: "library-unannounced"}, []string{"spec.unnegotiated-message"}, rule.Pass, "library"},
		{setup{fixture: "library-same-ids"}, []string{"spec.request-id-reused"}, rule.Pass, "library-tolerated"},
		{setup{fixture: "library-batch"}, nil, rule.Pass, ""},
		{setup{fixture: "library-batch-refused"}, []string{"spec.batch"}, rule.Pass, "library-batch"},
		{setup{fixture: "library-batch-dies"}, []string{"spec.batch"}, rule.Pass, "library-batch"},
		{setup{fixture: "library-batch-ignored", yaml: "timeout_probe_sec: 2\n"}, []string{"spec.batch"}, rule.Pass, "library-batch"},
		{setup{fixture: "library-meta-key"}, []string{"spec.meta-key"}, rule.Pass, "library"},
		{setup{fixture: "library-bad-blob"}, []string{"spec.schema-violation"}, rule.Pass, "library"},
		{setup{fixture: "library-versions"}, []string{"spec.version-negotiation"}, rule.Pass, "library-all-versions"},
		{setup{fixture: "good"}, nil, rule.Pass, ""},
		{setup{fixture: "demo-fixed"}, nil, rule.Pass, ""},

		{setup{fixture: "good-http"}, nil, rule.Pass, ""},
		{setup{fixture: "http-strict"}, nil, rule.Pass, ""},
		{setup{fixture: "http-sse"}, nil, rule.Pass, ""},
		{setup{fixture: "http-resumes"}, nil, rule.Pass, ""},
		{setup{fixture: "http-same-origin"}, nil, rule.Pass, ""},
		{setup{fixture: "http-error-status"}, nil, rule.Pass, ""},
		{setup{fixture: "http-no-reply"}, []string{"protocol.probe-accepted-unanswered"}, rule.Pass, "http-error-status"},
		{setup{fixture: "http-no-reply-sse"}, []string{"protocol.probe-accepted-unanswered"}, rule.Pass, "http-sse"},
		{setup{fixture: "http-redirects"}, []string{"protocol.cross-origin-redirect"}, rule.Pass, "http-same-origin"},
		{setup{fixture: "http-drops"}, []string{"protocol.probe-connection-died"}, rule.Pass, "http-error-status"},
	}
	covered := map[string]bool{}
	for _, tt := range tests {
		for _, id := range tt.want {
			covered[strings.TrimSuffix(id, " (flaky)")] = true
		}
	}
	t.Run("all", func(t *testing.T) {
		for _, tt := range tests {
			t.Run(tt.fixture, func(t *testing.T) {
				t.Parallel()
				if tt.yaml != "" {
					tt.setup.yaml = tt.yaml + shortHangs
				}
				r := run(t, tt.setup)
				want := tt.want
				if want == nil {
					want = []string{}
				}
				got := raised(r)
				if strings.HasPrefix(tt.fixture, "input-") || tt.fixture == "demo-fixed" {
					got = allRaised(r)
				}
				if !slices.Equal(got, want) {
					t.Errorf("raised %q, want %q\n%s", got, want, describe(r))
				}
				if got := verdict(r, "robust-input"); got != tt.robust {
					t.Errorf("robust-input is %s, want %s: %s", got, tt.robust, describe(r))
				}
				if tt.twin != "" && !slices.ContainsFunc(tests, func(other struct {
					setup
					want   []string
					robust rule.Verdict
					twin   string
				}) bool {
					return other.fixture == tt.twin && other.want == nil
				}) {
					t.Errorf("the clean twin %q is no clean fixture of this table", tt.twin)
				}
			})
		}
	})
	for _, row := range launchFailures {
		for _, id := range row.rules {
			covered[id] = true
		}
	}
	covered["launch.build-failed"] = true // TestUnready
	for _, row := range knownCalls {
		for _, id := range row.want {
			covered[id] = true
		}
	}
	for _, info := range fixture.Protocol { // TestProtocolFixtures
		for _, id := range info.Rules {
			covered[id] = true
		}
	}
	for _, known := range Rules() {
		if !covered[known.ID] {
			t.Errorf("no fixture raises the rule %s", known.ID)
		}
	}
}

func describe(r *result.Result) string {
	var b strings.Builder
	if r.Reason != nil {
		fmt.Fprintf(&b, "reason: %s\n", r.Reason.Text)
	}
	for _, c := range r.Checks {
		fmt.Fprintf(&b, "%s %s %s %v\n", c.ID, c.Verdict, c.Reason, c.Probes)
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s %s %s %+v\n", f.Rule, f.Subject, f.Message, f.Evidence)
	}
	return b.String()
}

// launchFailures are servers that can't be assessed.
var launchFailures = []struct {
	setup
	rules []string
	text  string
}{
	{setup{fixture: "x", command: []string{"/no/such/thing"}}, []string{"launch.command-not-found"}, "was not found"},
	{setup{fixture: "x", command: []string{"no-such-program-anywhere"}}, []string{"launch.command-not-found"}, "was not found"},
	{setup{fixture: "exits-at-once"}, []string{"launch.exited"}, "no configuration file"},
	{setup{fixture: "refuses-env"}, []string{"launch.exited", "launch.missing-config"}, "DEMO_API_KEY"},
	{setup{fixture: "needs-env", yaml: "env_canaries: off\n"}, []string{"launch.exited", "launch.missing-config"}, "DEMO_API_KEY"},
	{setup{fixture: "sleeps"}, []string{"launch.handshake-timeout"}, "within 1s"},
	{setup{fixture: "reads-only"}, []string{"launch.handshake-timeout"}, "within 1s"},
	{setup{fixture: "no-flush"}, []string{"launch.handshake-timeout"}, "within 1s"},
	{setup{fixture: "content-length"}, []string{"launch.handshake-timeout"}, "within 1s"},
	{setup{fixture: "wrong-ids"}, []string{"launch.initialize-refused"}, "a reply with the id 7 came instead"},
	{setup{fixture: "flood"}, []string{"launch.stdout-flood"}, "flooded stdout"},
	{setup{fixture: "bad-init-reply"}, []string{"launch.initialize-refused"}, "protocolVersion"},
	{setup{fixture: "init-error"}, []string{"launch.initialize-refused"}, "not today"},
	{setup{fixture: "http-redirects-all"}, []string{"launch.unreachable", "protocol.cross-origin-redirect"}, "a redirect to another origin"},
}

func TestLaunchFailures(t *testing.T) {
	for _, tt := range launchFailures {
		name := tt.fixture
		if tt.command != nil {
			name = tt.command[0]
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// Only what waits for the limit gets a short one.
			limit := "20"
			if slices.Contains(tt.rules, "launch.handshake-timeout") {
				limit = "1"
			} else if tt.fixture == "wrong-ids" {
				limit = "4"
			}
			tt.setup.yaml += "timeout_start_sec: " + limit + "\n"
			c := configure(t, tt.setup)
			r := Run{Config: c, Version: "test", Key: "fixture"}.Do(t.Context())
			if r.Status != result.NotAssessed || r.Score != nil || r.Reason == nil || !strings.Contains(r.Reason.Text, tt.text) || r.Reason.Next == "" {
				t.Errorf("status %q, reason %+v, want not assessed with %q", r.Status, r.Reason, tt.text)
			}
			if got := raised(r); !slices.Equal(got, tt.rules) {
				t.Errorf("raised %q, want %q", got, tt.rules)
			}
			if verdict(r, "robust-input") != rule.Unverified || r.Gate.Passed {
				t.Errorf("robust-input is %s and the gate passed: %v", verdict(r, "robust-input"), r.Gate.Passed)
			}
		})
	}
}

func TestUnreachable(t *testing.T) {
	server := httptest.NewServer(nil)
	url := server.URL + "/mcp"
	server.Close()
	r := run(t, setup{fixture: "x", url: url})
	if got := raised(r); !slices.Equal(got, []string{"launch.unreachable"}) || r.Status != result.NotAssessed {
		t.Errorf("raised %q with status %q", got, r.Status)
	}
}

func TestHTTP(t *testing.T) {
	server := httptest.NewServer(fixture.GoodHTTP())
	defer server.Close()
	r := run(t, setup{fixture: "x", url: server.URL + "/mcp"})
	if len(raised(r)) != 0 || verdict(r, "robust-input") != rule.Pass || verdict(r, "stdio-clean") != rule.NotApplicable || verdict(r, "secret-echo") != rule.NotApplicable {
		t.Errorf("a good server over HTTP: %s", describe(r))
	}
	if r.Server.Transport != "streamable-http" || r.Coverage.ToolsListed != 3 || r.Coverage.ToolsValid != 1 {
		t.Errorf("server %+v, coverage %+v", r.Server, r.Coverage)
	}
}

// TestHTTPDeath: a server by URL that is gone after a call has crashed, although
// it can't be started again to confirm it.
func TestHTTPDeath(t *testing.T) {
	good := fixture.GoodHTTP()
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if bytes.Contains(body, []byte(`"tools/call"`)) {
			server.Listener.Close()
			conn, _, _ := w.(http.Hijacker).Hijack()
			conn.Close()
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		good.ServeHTTP(w, r)
	}))
	defer server.CloseClientConnections()
	r := run(t, setup{fixture: "x", url: server.URL + "/mcp"})
	if got := raised(r); !slices.Equal(got, []string{"robust.crashed"}) || verdict(r, "robust-input") != rule.Fail {
		t.Errorf("raised %q: %s", got, describe(r))
	}
}

// TestDemo: the demo raises each robust rule and some of the contract.
func TestDemo(t *testing.T) {
	r := run(t, setup{fixture: "demo"})
	for _, want := range []string{"robust.crashed", "robust.hang", "robust.stopped-answering", "robust.leaks-internals", "robust.accepted-invalid",
		"robust.lenient-downstream", "robust.internal-error", "robust.text-refusal", "secret.canary-echoed", "stdio.stdout-noise",
		"contract.boolean-as-integer", "contract.clamped", "contract.extra-field-accepted"} {
		if !slices.Contains(raised(r), want) {
			t.Errorf("the demo does not raise %s: %s", want, describe(r))
		}
	}
}

// TestDeterminism: two runs, and runs on one and four lanes, differ in the
// volatile part only.
func TestDeterminism(t *testing.T) {
	for _, name := range []string{"demo", "crash-second", "deaf-first", "hostile-names", "good", "library-many-shapes", "library-progress-backwards", "keyword-none", "range-deaf"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var first []byte
			for _, lanes := range []string{"1", "4", "4"} {
				r := run(t, setup{fixture: name, lanes: lanes})
				r.Volatile = result.Volatile{}
				data, err := r.Marshal()
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = data
				} else if string(first) != string(data) {
					t.Fatalf("on %s lanes the result differs:\n%s\n---\n%s", lanes, first, data)
				}
			}
		})
	}
}

// TestOneInstance: a server that can't run twice at a time is tested on one
// lane.
func TestOneInstance(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "lock")
	if r := run(t, setup{fixture: "one-instance", args: []string{lock}}); len(raised(r)) != 0 {
		t.Errorf("findings %v", raised(r))
	}
	r := &runner{Run: Run{Config: configure(t, setup{fixture: "one-instance", args: []string{lock}})}}
	r.prepare()
	first, err := r.lanes.Open(t.Context(), check.How{})
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(300*time.Millisecond, func() { first.Close(context.Background()) })
	second, err := r.lanes.Open(t.Context(), check.How{})
	if err != nil {
		t.Fatal(err)
	}
	second.Close(t.Context())
	if !r.lanes.single.Load() {
		t.Error("the lanes did not fall back to one at a time")
	}
}

// TestCancel: a run that is cut short keeps what it knows and ends its server.
func TestCancel(t *testing.T) {
	c := configure(t, setup{fixture: "hang-all", yaml: "checks: { robust-input: { hang_ms: 60000 } }\n"})
	ctx, cancel := context.WithCancel(t.Context())
	var begin time.Time
	r := Run{Config: c, Version: "test", Key: "fixture", Progress: began{"robust-input", func() {
		begin = time.Now()
		time.AfterFunc(500*time.Millisecond, cancel)
	}}}.Do(ctx)
	if took := time.Since(begin); took > 15*time.Second {
		t.Errorf("took %s after it was cut short", took)
	}
	if !r.Completeness.Interrupted || r.Gate.Passed || verdict(r, "launch") != rule.Pass || verdict(r, "robust-input") != rule.Unverified || verdict(r, "secret-echo") != rule.Unverified {
		t.Errorf("%+v, gate %+v\n%s", r.Completeness, r.Gate, describe(r))
	}
}

// began calls a function when a check begins.
type began struct {
	check string
	call  func()
}

func (b began) Begin(check string) {
	if check == b.check {
		b.call()
	}
}
func (began) Step(string, string)      {}
func (began) End(string, rule.Verdict) {}

func TestTimeLimit(t *testing.T) {
	c := configure(t, setup{fixture: "sleeps"})
	c.Timeout = 300 * time.Millisecond
	r := Run{Config: c, Version: "test", Key: "fixture"}.Do(t.Context())
	if r.Status != result.NotAssessed || !r.Completeness.Interrupted {
		t.Errorf("status %q, %+v", r.Status, r.Completeness)
	}
}

// TestCoverage holds the coverage of each kind of server.
func TestCoverage(t *testing.T) {
	tests := []struct {
		setup
		level                    string
		listed, probed, valid, n int
	}{
		{setup{fixture: "no-tools"}, "none", 0, 0, 0, 0},
		{setup{fixture: "untyped"}, "none", 1, 0, 0, 1},
		{setup{fixture: "no-arguments"}, "none", 1, 0, 0, 1},
		{setup{fixture: "strict"}, "hygiene only", 1, 1, 0, 0},
		{setup{fixture: "readonly-error"}, "hygiene only", 1, 1, 0, 1},
		{setup{fixture: "readonly-hang"}, "hygiene only", 1, 1, 0, 1},
		{setup{fixture: "readonly-ok"}, "full", 1, 1, 1, 0},
		{setup{fixture: "many-tools", args: []string{"30"}}, "hygiene only", 30, 30, 0, 5},
		{setup{fixture: "good"}, "partial", 3, 3, 1, 0},
		{setup{fixture: "strict", yaml: "active_probes: none\n"}, "none", 1, 0, 0, 1},
	}
	for _, tt := range tests {
		t.Run(tt.fixture+tt.yaml, func(t *testing.T) {
			t.Parallel()
			r := run(t, tt.setup)
			c := r.Coverage
			if c.Level != tt.level || c.ToolsListed != tt.listed || c.ToolsProbed != tt.probed || c.ToolsValid != tt.valid || len(c.Uncovered) != tt.n {
				t.Errorf("coverage %+v, want %s %d %d %d and %d uncovered", c, tt.level, tt.listed, tt.probed, tt.valid, tt.n)
			}
		})
	}
}

// TestStopsAfterThreeHangs: of many tools that hang, no more than three calls
// are waited for.
func TestStopsAfterThreeHangs(t *testing.T) {
	r := run(t, setup{fixture: "hang-all"})
	total := 0
	for _, c := range r.Checks {
		for probe, n := range c.Probes {
			if c.ID == "robust-input" && probe != "" {
				total += n
			}
		}
	}
	if total != 3 {
		t.Errorf("%d calls were made, want 3", total)
	}
}

// TestSeverities: a rule's own setting wins, a check's is a ceiling, and
// points are not touched.
func TestSeverities(t *testing.T) {
	severity := func(r *result.Result) rule.Severity {
		f, _ := r.Finding(rule.FindingID("robust.accepted-invalid", "tool:search"))
		return f.Severity
	}
	r := run(t, setup{fixture: "accepts", yaml: "checks: { robust-input: { severity: note } }\n"})
	if severity(r) != rule.Note || verdict(r, "robust-input") != rule.Partial {
		t.Errorf("severity %s, verdict %s", severity(r), verdict(r, "robust-input"))
	}
	r = run(t, setup{fixture: "accepts", yaml: "checks: { robust-input: { severity: note } }\nrules: { robust.accepted-invalid: { severity: error } }\n"})
	if severity(r) != rule.Error || r.Gate.Passed {
		t.Errorf("severity %s, gate %+v", severity(r), r.Gate)
	}
}

// TestEnvironment: nothing of our environment reaches the server but a short
// list, and secrets that the user passes are in no output.
func TestEnvironment(t *testing.T) {
	t.Setenv("INPUT_TOKEN", "ghs_not_for_servers_1")
	t.Setenv("ACTIONS_RUNTIME_TOKEN", "ghs_not_for_servers_2")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "ghs_not_for_servers_3")
	for _, pair := range childEnv(nil, nil, nil, nil) {
		if strings.Contains(pair, "ghs_not_for_servers") {
			t.Errorf("the server gets %s", pair)
		}
	}
	r := run(t, setup{fixture: "shows-env", env: []string{"API_TOKEN=very-secret-value"}})
	data, err := r.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "very-secret-value") || strings.Contains(string(data), "smk_") {
		t.Errorf("a secret is in the result:\n%s", data)
	}
}

// TestReplay: the recorded probe shows the fault again on a fresh server, with
// its prefix where it needs one.
func TestReplay(t *testing.T) {
	for _, name := range []string{"crash", "crash-second", "deaf", "accepts"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setup{fixture: name}
			f := run(t, s).Findings[0]
			answer, err := Replay(t.Context(), Run{Config: configure(t, s)}, append(f.Evidence.Prefix, f.Evidence.Request))
			if err != nil {
				t.Fatal(err)
			}
			if f.Evidence.Detail != "" && answer.Detail == "" || f.Evidence.Detail == "" && string(answer.Result) == "" {
				t.Errorf("recorded %+v, replayed %+v", f.Evidence, answer)
			}
		})
	}
}

func TestCatalog(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Catalog() {
		if seen[c.ID] {
			t.Errorf("two checks are named %s", c.ID)
		}
		seen[c.ID] = true
		if c.Weight == rule.Cap && c.CapsAt == "" {
			t.Errorf("%s caps at no letter", c.ID)
		}
		if len(c.Verdicts) == 0 || len(c.Probes) == 0 || c.Title == "" || c.Summary == "" {
			t.Errorf("%s lacks verdicts, probes, a title or a summary", c.ID)
		}
		for _, heading := range []string{"How the verdict is established", "What to fix", "False positives", "False negatives", "Notes", "Limits"} {
			if c.Section(heading) == "" {
				t.Errorf("%s lacks the section %q", c.ID, heading)
			}
		}
		for _, r := range c.Rules {
			if r.Severity.Rank() == 0 || r.Precision == "" || len(r.Tags) == 0 || len(r.Tags) > 10 {
				t.Errorf("%s: severity %q, precision %q, tags %q", r.ID, r.Severity, r.Precision, r.Tags)
			}
		}
	}
}

// TestPanic: a panic of ours, in a check or in the part beside it, is the
// verdict error and nothing worse.
func TestPanic(t *testing.T) {
	r := &runner{Run: Run{Config: configure(t, setup{fixture: "strict"})}, reports: map[string]check.Report{}, seconds: map[string]float64{}}
	r.prepare()
	broken := catalog[0]
	broken.beside = func(context.Context, *check.Env) []rule.Finding { panic("oops") }
	r.beside(t.Context(), broken)
	if got := r.reports["launch"]; got.Verdict != rule.Errored || !strings.Contains(got.Reason, "oops") {
		t.Errorf("%+v", got)
	}
}

// TestPrefixIsRedacted: a secret that the server puts into the name of a tool
// is in no recorded request.
func TestPrefixIsRedacted(t *testing.T) {
	r := run(t, setup{fixture: "names-a-secret", env: []string{"API_TOKEN=very-secret-value"}})
	if len(r.Findings) == 0 || len(r.Findings[0].Evidence.Prefix) == 0 {
		t.Fatalf("no finding with a prefix: %s", describe(r))
	}
	if data, err := r.Marshal(); err != nil || bytes.Contains(data, []byte("very-secret-value")) {
		t.Errorf("%v: the secret is in the result:\n%s", err, data)
	}
}
