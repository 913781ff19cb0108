package config

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sealmark/action/internal/rule"
)

// in writes a configuration file to a fresh folder, makes that the current
// one, and returns the file's name.
func in(t *testing.T, text string) string {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, "sealmark.yml", text)
	return "sealmark.yml"
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestDefaults(t *testing.T) {
	t.Chdir(t.TempDir())
	c, err := Build(Sources{Command: []string{"x"}}, catalog())
	if err != nil {
		t.Fatal(err)
	}
	if c.Timeout != 600*time.Second || c.TimeoutStart != 30*time.Second || c.TimeoutProbe != 10*time.Second {
		t.Errorf("times %v, %v, %v", c.Timeout, c.TimeoutStart, c.TimeoutProbe)
	}
	if c.Lanes != 0 || c.ActiveProbes != "safe" || c.FailOn != "error" || c.MinScore != 0 || c.MinGrade != "" || c.MinCoverage != 0 || c.Standard || c.Path != "" {
		t.Errorf("%+v", c)
	}
	if n, ok := c.Int("robust-input", "max_tools"); n != 25 || !ok {
		t.Errorf("max_tools is %d, %v", n, ok)
	}
	if n, ok := c.Int("robust-input", "hang_ms"); ok {
		t.Errorf("hang_ms is %d", n)
	}
	if _, ok := c.Ceiling("robust-input"); ok || !c.Enabled("robust-input") || len(c.Deviations()) > 0 || len(c.Secrets) > 0 {
		t.Errorf("%+v", c)
	}
	if at := c.Origin("lanes").String(); at != "" {
		t.Errorf("lanes come from %q", at)
	}
}

func TestFlagsWinOverFile(t *testing.T) {
	in(t, `
server: {command: [file, cmd], working_directory: sub, env: {A: file, B: file}}
timeout_sec: 1m
timeout_start_sec: 1.5
timeout_probe_sec: 500ms
lanes: 3
active_probes: none
fail_on: never
min_score: 70.5
min_grade: C
min_coverage: 10
checks: {robust-input: {max_tools: 7, hang_ms: 900, severity: note}}
rules: {robust.hang: {severity: warning}}
`)
	if err := os.Mkdir("sub", 0o755); err != nil {
		t.Fatal(err)
	}
	c, err := Build(Sources{}, catalog())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(c.Command, []string{"file", "cmd"}) || c.Directory != "sub" || c.Env["A"] != "file" || c.Path != "sealmark.yml" {
		t.Errorf("%+v", c)
	}
	if c.Timeout != time.Minute || c.TimeoutStart != 1500*time.Millisecond || c.TimeoutProbe != 500*time.Millisecond || c.Lanes != 3 || c.ActiveProbes != "none" {
		t.Errorf("%+v", c)
	}
	if c.FailOn != "never" || c.MinScore != 70.5 || c.MinGrade != "C" || c.MinCoverage != 10 || c.RuleSeverity["robust.hang"] != "warning" {
		t.Errorf("%+v", c)
	}
	if n, _ := c.Int("robust-input", "max_tools"); n != 7 {
		t.Errorf("max_tools is %d", n)
	}
	if n, ok := c.Int("robust-input", "hang_ms"); n != 900 || !ok {
		t.Errorf("hang_ms is %d", n)
	}
	if s, ok := c.Ceiling("robust-input"); s != rule.Note || !ok {
		t.Errorf("severity is %s", s)
	}
	if at := c.Origin("timeout_probe_sec").String(); at != "sealmark.yml:5:20" {
		t.Errorf("timeout_probe_sec comes from %s", at)
	}
	want := []string{"active_probes", "checks.robust-input.hang_ms", "checks.robust-input.max_tools", "timeout_probe_sec"}
	if got := c.Deviations(); !slices.Equal(got, want) {
		t.Errorf("deviations %v, want %v", got, want)
	}

	c, err = Build(Sources{
		Command: []string{"flag"}, Directory: ".", Env: []string{"B=flag", "C=with=sign"},
		Flags: map[string]string{
			"timeout": "2m", "timeout-start": "2", "timeout-probe": "10s", "lanes": "4", "active-probes": "safe",
			"fail-on": "note", "min-score": "80", "min-grade": "B", "min-coverage": "50.5",
		},
	}, catalog())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(c.Command, []string{"flag"}) || c.Directory != "." || !maps.Equal(c.Env, map[string]string{"A": "file", "B": "flag", "C": "with=sign"}) {
		t.Errorf("%+v", c)
	}
	if c.Timeout != 2*time.Minute || c.TimeoutStart != 2*time.Second || c.TimeoutProbe != 10*time.Second || c.Lanes != 4 || c.ActiveProbes != "safe" {
		t.Errorf("%+v", c)
	}
	if c.FailOn != "note" || c.MinScore != 80 || c.MinGrade != "B" || c.MinCoverage != 50.5 {
		t.Errorf("%+v", c)
	}
	if at := c.Origin("timeout_probe_sec").String(); at != "--timeout-probe" {
		t.Errorf("timeout_probe_sec comes from %s", at)
	}
	want = []string{"checks.robust-input.hang_ms", "checks.robust-input.max_tools"}
	if got := c.Deviations(); !slices.Equal(got, want) {
		t.Errorf("deviations %v, want %v", got, want)
	}
}

func TestTargetOfFlagsReplacesThatOfFile(t *testing.T) {
	in(t, "server: {command: a b}")
	c, err := Build(Sources{URL: "http://127.0.0.1:1/mcp"}, catalog())
	if err != nil || c.URL == "" || len(c.Command) > 0 {
		t.Errorf("%+v, %v", c, err)
	}
	in(t, "server: {url: 'http://127.0.0.1:1/mcp'}")
	c, err = Build(Sources{Command: []string{"x"}}, catalog())
	if err != nil || c.URL != "" || len(c.Command) != 1 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestBuildRefuses(t *testing.T) {
	const noNumber = "--min-score: must be a number, not "
	command := "server: {command: x}\n"
	tests := []struct {
		name, file string
		s          Sources
		want       string
	}{
		{"free port without a command", "", Sources{URL: "http://x:${PORT}/"}, "--url: ${PORT} in the URL is a free port for a server that Sealmark starts: give its command too"},
		{"several servers", "servers:\n- {name: a}\n- {name: b}", Sources{}, "sealmark.yml: several servers are given: pick one of a, b with --server"},
		{"unknown server", "servers:\n- {name: alpha}\n- {name: beta}", Sources{Server: "alhpa"}, `--server: no server of the name "alhpa" is listed: did you mean "alpha"?`},
		{"server and command", "", Sources{Server: "a", Command: []string{"b"}}, "--server: a command or a URL is given, so there is no server to pick"},
		{"build that needs a shell", "", Sources{Build: []string{"a | b"}}, `--build: it holds |, which needs a shell: use [sh, -c, "…"]`},
		{"URL without a scheme", "", Sources{URL: "localhost:3000"}, `--url: the URL "localhost:3000" must begin with http:// or https:// and name a host`},
		{"URL of a file", "server: {url: file:///x}", Sources{}, `sealmark.yml:1:15: the URL "file:///x" must begin with http:// or https:// and name a host`},
		{"URL without a host", "", Sources{URL: "http://"}, `--url: the URL "http://" must begin with http:// or https:// and name a host`},
		{"URL keeps its secret", "server: {url: '${DEMO_TOKEN}'}", Sources{}, `sealmark.yml:1:15: the URL "${DEMO_TOKEN}" must begin with http:// or https:// and name a host`},
		{"empty program", "", Sources{Command: []string{"", "a"}}, "the name of the program is empty"},
		{"NUL in a command", "", Sources{Command: []string{"a\x00"}}, "a command can't hold a NUL character"},
		{"no folder", command, Sources{Directory: "absent"}, `--working-directory: the working directory "absent" does not exist`},
		{"a file for a folder", command, Sources{Directory: "sealmark.yml"}, `--working-directory: the working directory "sealmark.yml" is no folder`},
		{"no folder in the file", "server: {command: x, working_directory: absent}", Sources{}, `sealmark.yml:1:41: the working directory "absent" does not exist`},

		{"unset variable", "server: {command: ['${NOT_SET}']}", Sources{}, "sealmark.yml:1:19: server.command: the variable NOT_SET is not set"},
		{"unset variable in the URL", "server: {url: 'http://${NOT_SET}/'}", Sources{}, "sealmark.yml:1:15: server.url: the variable NOT_SET is not set"},
		{"unset variables", "server: {command: x, env: {B: '${NO1}', A: '${NO2}'}}", Sources{}, "sealmark.yml:1:31: server.env.B: the variable NO1 is not set\nsealmark.yml:1:44: server.env.A: the variable NO2 is not set"},
		{"unset variable in the folder", "server: {command: x, working_directory: '${NOT_SET}'}", Sources{}, "sealmark.yml:1:41: server.working_directory: the variable NOT_SET is not set"},
		{"open variable", "server: {command: ['${HOST']}", Sources{}, "sealmark.yml:1:19: server.command: ${ is never closed by }; $${ stands for ${ itself"},
		{"empty variable", "server: {command: ['${}']}", Sources{}, `sealmark.yml:1:19: server.command: ${…} must hold the name of a variable, not ""`},
		{"variable with a default", "server: {command: ['${HOST:-x}']}", Sources{}, `sealmark.yml:1:19: server.command: ${…} must hold the name of a variable, not "HOST:-x"`},

		{"variable without a value", command, Sources{Env: []string{"NAME"}}, `--env: must be NAME=VALUE, not "NAME" alone`},
		{"variable without a name", command, Sources{Env: []string{"=x"}}, `--env: "" can't be the name of a variable`},
		{"variable with a blank", command, Sources{Env: []string{"A B=x"}}, `--env: "A B" can't be the name of a variable`},
		{"variable with NUL", command, Sources{Env: []string{"A=\x00"}}, "--env: the value of A can't hold a NUL character"},

		{"unknown check in only", command, Sources{Only: []string{"robust"}}, `--only: unknown check "robust": did you mean "robust-input"?`},
		{"unknown check in skip", command, Sources{Skip: []string{"hint", "xxxxxxx"}}, "--skip: unknown check \"hint\": did you mean \"hints\"?\n--skip: unknown check \"xxxxxxx\": known are launch, robust-input, stdio-clean, hints"},
		{"launch skipped", command, Sources{Skip: []string{"launch"}}, "--skip: the check launch can't be left out: all others need it"},
		{"launch disabled", command + "checks: {launch: {enabled: false}}", Sources{}, "sealmark.yml:2:28: the check launch can't be left out: all others need it"},

		{"negative time", command, Sources{Flags: map[string]string{"timeout": "-1"}}, `--timeout: must be more than zero, not "-1"`},
		{"no time", command, Sources{Flags: map[string]string{"timeout-start": "0s"}}, `--timeout-start: must be more than zero, not "0s"`},
		{"not a time", command, Sources{Flags: map[string]string{"timeout-probe": "soon"}}, `--timeout-probe: must be a duration such as 2.5 (seconds) or 500ms, not "soon"`},
		{"empty time", command, Sources{Flags: map[string]string{"timeout-probe": ""}}, `--timeout-probe: must be a duration such as 2.5 (seconds) or 500ms, not ""`},
		{"more than a day", command, Sources{Flags: map[string]string{"timeout": "25h"}}, `--timeout: must be at most 24h, not "25h"`},
		{"endless", command, Sources{Flags: map[string]string{"timeout": "Inf"}}, `--timeout: must be a finite number, not "Inf"`},
		{"NaN", command, Sources{Flags: map[string]string{"timeout": "NaN"}}, `--timeout: must be a finite number, not "NaN"`},
		{"words", command, Sources{Flags: map[string]string{"min-score": "good"}}, noNumber + `"good"`},
		{"per cent", command, Sources{Flags: map[string]string{"min-score": "80%"}}, noNumber + `"80%"`},
		{"NaN score", command, Sources{Flags: map[string]string{"min-score": "nan"}}, "--min-score: must be a finite number, not NaN"},
		{"score over 100", command, Sources{Flags: map[string]string{"min-score": "100.1"}}, "--min-score: must be at most 100, not 100.1"},
		{"grade", command, Sources{Flags: map[string]string{"min-grade": "a"}}, `--min-grade: must be A, B, C, D or F, not "a"`},
		{"lanes", command, Sources{Flags: map[string]string{"lanes": "2.5"}}, "--lanes: must be a whole number, not 2.5"},
		{"input", command, Sources{FlagPrefix: "input ", Flags: map[string]string{"fail-on": "high"}}, `input fail-on: must be error, warning, note or never, not "high"`},
		{"several flags", command, Sources{Flags: map[string]string{"lanes": "x", "fail-on": "y"}}, "--lanes: must be a number, not \"x\"\n--fail-on: must be error, warning, note or never, not \"y\""},

		{"standard in the file", command + "standard: true\ntimeout_probe_sec: 2", Sources{}, "sealmark.yml:3:20: timeout_probe_sec deviates from the standard, which standard: true forbids"},
		{"standard by flag", command, Sources{Standard: true, Flags: map[string]string{"timeout-probe": "2"}}, "--timeout-probe: timeout_probe_sec deviates from the standard, which standard: true forbids"},
		{"standard and skip", command + "standard: true", Sources{Skip: []string{"stdio-clean"}}, "--skip: checks.stdio-clean.enabled deviates from the standard, which standard: true forbids"},
		{"standard and only", command + "standard: true", Sources{Only: []string{"robust-input"}}, "--only: checks.stdio-clean.enabled deviates from the standard, which standard: true forbids"},
		{"standard and a disabled check", command + "standard: true\nchecks: {robust-input: {enabled: false, max_tools: 26}}", Sources{}, "sealmark.yml:3:34: checks.robust-input.enabled deviates from the standard, which standard: true forbids\nsealmark.yml:3:52: checks.robust-input.max_tools deviates from the standard, which standard: true forbids"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in(t, tt.file)
			tt.s.Environ = environ
			c, err := Build(tt.s, catalog())
			if err == nil {
				t.Fatalf("no error but %+v", c)
			}
			if got := err.Error(); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
			if strings.Contains(err.Error(), "demo-token-value") {
				t.Errorf("%v tells a secret", err)
			}
		})
	}
}

func TestStandardAllows(t *testing.T) {
	in(t, "server: {command: x}\nstandard: true\ntimeout_sec: 5\ntimeout_probe_sec: 10.0\nchecks: {hints: {enabled: false}, robust-input: {max_tools: 25, hang_ms: null, severity: note}}")
	c, err := Build(Sources{}, catalog())
	if err != nil {
		t.Fatal(err)
	}
	if !c.Standard || c.Enabled("hints") || len(c.Deviations()) > 0 {
		t.Errorf("%+v", c)
	}
}

func TestSelection(t *testing.T) {
	tests := []struct {
		name, file string
		only, skip []string
		enabled    string
		deviations string
	}{
		{"all", "", nil, nil, "launch robust-input stdio-clean hints", ""},
		{"only", "", []string{"robust-input"}, nil, "launch robust-input", "checks.stdio-clean.enabled"},
		{"skip", "", nil, []string{"stdio-clean", "hints"}, "launch robust-input", "checks.stdio-clean.enabled"},
		{"both", "", []string{"robust-input", "hints"}, []string{"hints"}, "launch robust-input", "checks.stdio-clean.enabled"},
		{"disabled", "checks: {robust-input: {enabled: false}}", nil, nil, "launch stdio-clean hints", "checks.robust-input.enabled"},
		{"enabled", "checks: {robust-input: {enabled: true}}", nil, nil, "launch robust-input stdio-clean hints", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in(t, tt.file)
			c, err := Build(Sources{Command: []string{"x"}, Only: tt.only, Skip: tt.skip}, catalog())
			if err != nil {
				t.Fatal(err)
			}
			var enabled []string
			for _, check := range catalog() {
				if c.Enabled(check.ID) {
					enabled = append(enabled, check.ID)
				}
			}
			if got := strings.Join(enabled, " "); got != tt.enabled {
				t.Errorf("enabled are %s, want %s", got, tt.enabled)
			}
			if got := strings.Join(c.Deviations(), " "); got != tt.deviations {
				t.Errorf("deviations are %s, want %s", got, tt.deviations)
			}
		})
	}
}

func TestVariablesAndSecrets(t *testing.T) {
	in(t, `
server:
  command: [run, '--host=${HOST}:8080', '$${HOST} $HOST $$', '${EMPTY}']
  working_directory: ${DIR}
  env:
    PLAIN: visible-value
    api_key: literal-key-value
    HEADER: Bearer ${DEMO_TOKEN}
    NUMBER: 1.50
    HEX: 0x1F
    YES: true
    DATE: 2026-01-02
`)
	if err := os.Mkdir("sub", 0o755); err != nil {
		t.Fatal(err)
	}
	c, err := Build(Sources{Environ: environ, Env: []string{"SESSION_COOKIE=cookie-value", "MODE=fast"}}, catalog())
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"run", "--host=api.example.test:8080", "${HOST} $HOST $$", ""}; !slices.Equal(c.Command, want) {
		t.Errorf("command %q, want %q", c.Command, want)
	}
	wantEnv := map[string]string{
		"PLAIN": "visible-value", "api_key": "literal-key-value", "HEADER": "Bearer demo-token-value", "NUMBER": "1.50",
		"HEX": "0x1F", "YES": "true", "DATE": "2026-01-02", "SESSION_COOKIE": "cookie-value", "MODE": "fast",
	}
	if !maps.Equal(c.Env, wantEnv) {
		t.Errorf("env %v", c.Env)
	}
	wantSecrets := map[string]string{
		"HOST": "api.example.test", "DIR": "sub", "DEMO_TOKEN": "demo-token-value",
		"api_key": "literal-key-value", "SESSION_COOKIE": "cookie-value",
	}
	if !maps.Equal(c.Secrets, wantSecrets) {
		t.Errorf("secrets %v", c.Secrets)
	}
}

func TestSecretsOfURL(t *testing.T) {
	t.Chdir(t.TempDir())
	c, err := Build(Sources{URL: "https://user:pass-word@x.test/mcp?api_key=query-key&page=2"}, catalog())
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]string{"URL password": "pass-word", "URL api_key": "query-key"}; !maps.Equal(c.Secrets, want) {
		t.Errorf("secrets %v", c.Secrets)
	}
}

func TestSecretName(t *testing.T) {
	for name, want := range map[string]bool{
		"DEMO_TOKEN": true, "apiKey": true, "CLIENT_SECRET": true, "DB_PASSWORD": true, "PGPASSWD": true, "GOOGLE_CREDENTIALS": true,
		"AUTHORIZATION": true, "COOKIE": true, "SENTRY_DSN": true, "PRIVATE_PEM": true,
		"PATH": false, "HOME": false, "PORT": false, "LOG_LEVEL": false,
	} {
		if got := secretName(name); got != want {
			t.Errorf("secretName(%s) = %v", name, got)
		}
	}
}

func TestLookup(t *testing.T) {
	tests := []struct {
		name        string
		files       []string
		s           Sources
		path, fault string
	}{
		{"none", nil, Sources{}, "", ""},
		{"yml", []string{"sealmark.yml"}, Sources{}, "sealmark.yml", ""},
		{"yaml", []string{"sealmark.yaml"}, Sources{}, "sealmark.yaml", ""},
		{"both", []string{"sealmark.yml", "sealmark.yaml"}, Sources{}, "", "both sealmark.yml and sealmark.yaml exist: keep one of them"},
		{"named", []string{"sealmark.yml", "sealmark.yaml"}, Sources{Path: "sealmark.yaml"}, "sealmark.yaml", ""},
		{"not wanted", []string{"sealmark.yml", "sealmark.yaml"}, Sources{Path: NoFile}, "", ""},
		{"in the working directory", []string{"sub/sealmark.yaml", "sealmark.yml"}, Sources{Directory: "sub"}, filepath.Join("sub", "sealmark.yaml"), ""},
		{"above the working directory", []string{"sub/x", "sealmark.yml"}, Sources{Directory: "sub"}, "sealmark.yml", ""},
		{"missing", nil, Sources{Path: "x.yml"}, "", "x.yml: the file does not exist"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, name := range tt.files {
				write(t, name, "")
			}
			tt.s.Command = []string{"x"}
			c, err := Build(tt.s, catalog())
			switch {
			case err != nil && err.Error() != tt.fault:
				t.Errorf("error %v, want %q", err, tt.fault)
			case err == nil && (tt.fault != "" || c.Path != tt.path):
				t.Errorf("path %q, want %q, error %q", c.Path, tt.path, tt.fault)
			}
		})
	}
}

func TestWorkingDirectoryIsRelativeToItsFile(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "conf/x.yml", "server: {command: x, working_directory: ../pkg}")
	write(t, "pkg/x", "")
	c, err := Build(Sources{Path: "conf/x.yml"}, catalog())
	if err != nil || c.Directory != "pkg" {
		t.Errorf("%+v, %v", c, err)
	}
}

// Every flag that the keys name can be given, and each default is a valid
// value of its key.
func TestKeys(t *testing.T) {
	for _, key := range AllKeys(catalog()) {
		if key.Meaning == "" && !strings.HasPrefix(key.Name, "checks.") {
			t.Errorf("%s has no meaning", key.Name)
		}
		if strings.HasPrefix(key.Name, "server.") {
			continue
		}
		if v, err := convert(key, key.Default); err != nil || key.Default != nil && !same(v, key.Default) {
			t.Errorf("default %v of %s: %v, %v", key.Default, key.Name, v, err)
		}
	}
}

// TestStatic: without a server to start none is asked for, and what the file
// says of one is left alone; the settings count all the same.
func TestStatic(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sealmark.yml")
	yaml := "server:\n  command: [x, \"${NOT_SET}\"]\n  env: { API_KEY: \"${NOT_SET}\" }\nfail_on: warning\n"
	if err := os.WriteFile(path, []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Build(Sources{Path: path, Static: true, Environ: func(string) (string, bool) { return "", false }}, nil)
	if err != nil || c.Command != nil || c.URL != "" || len(c.Env) != 0 || c.FailOn != "warning" {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := Build(Sources{Path: NoFile, Static: true, Directory: filepath.Join(t.TempDir(), "none")}, nil); err == nil {
		t.Error("a missing folder is taken")
	}
}
