package config

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestParseRefuses(t *testing.T) {
	const where = "f.yml:"
	const noSeconds = "must be a duration such as 2.5 (seconds) or 500ms, not "
	tests := []struct{ name, in, want string }{
		{"unknown key", "# a\nlanes: 2\ntimout_probe_sec: 3", where + `3:1: unknown key "timout_probe_sec": did you mean "timeout_probe_sec"?`},
		{"unknown key like nothing", "zzzzzzzzzz: 1", where + `1:1: unknown key "zzzzzzzzzz"`},
		{"beginning of a key", "timeout: 1", where + `1:1: unknown key "timeout": did you mean "timeout_sec"?`},
		{"flag's spelling", "fail-on: note", where + `1:1: unknown key "fail-on": did you mean "fail_on"?`},
		{"wrong case", "LANES: 1", where + `1:1: unknown key "LANES": did you mean "lanes"?`},
		{"accept of a rule like nothing", "accept: [{rule: zzz, reason: x}]", where + `1:17: accept[0].rule: no rule fits "zzz": known are launch.exited, robust.hang, robust.crash`},
		{"accept of a misspelt rule", "accept: [{rule: robust.hangs, reason: x}]", where + `1:17: accept[0].rule: no rule fits "robust.hangs": did you mean "robust.hang"?`},
		{"accept without a reason", "accept: [{rule: robust.hang}]", where + `1:10: accept[0] needs "reason"`},
		{"accept for a blank reason", "accept: [{rule: robust.hang, reason: ' '}]", where + `1:38: accept[0].reason is empty`},
		{"accept for no reason", "accept: [{rule: robust.hang, reason: }]", where + `1:37: accept[0].reason must be a text, not null`},
		{"accept of an empty subject", "accept: [{rule: robust.hang, reason: x, subject: ''}]", where + `1:50: accept[0].subject is empty`},
		{"accept until a word", "accept: [{rule: robust.hang, reason: x, until: soon}]", where + `1:48: accept[0].until must be a day such as 2027-03-31, not "soon"`},
		{"accept until no day", "accept: [{rule: robust.hang, reason: x, until: 2027-02-30}]", where + `1:48: accept[0].until must be a day such as 2027-03-31, not "2027-02-30"`},
		{"accept twice", "accept:\n  - {rule: robust.hang, reason: x}\n  - {rule: robust.hang, reason: y}", where + `3:5: accept[1] accepts the same as an entry above it`},
		{"unknown key of accept", "accept: [{rule: robust.hang, reason: x, untill: 1}]", where + `1:41: unknown key "untill" of accept[0]: did you mean "until"?`},
		{"accept as a map", "accept: {rule: x}", where + `1:9: accept must be a list`},
		{"accept of texts", "accept: [robust.hang]", where + `1:10: accept[0] must be a map`},
		{"unknown key of a group", "contract: {allow_tool: [x]}", where + `1:12: unknown key "allow_tool" of contract: did you mean "allow_tools"?`},
		{"group as a list", "contract: [x]", where + `1:11: contract must be a map`},
		{"group's value", "contract: {reach: some}", where + `1:19: contract.reach must be auto, read-only or all, not "some"`},
		{"list of maps", "contract: {allow_tools: [{a: b}]}", where + `1:26: contract.allow_tools must be a text, not a map`},
		{"empty text in a list", "contract: {allow_tools: ['']}", where + `1:25: contract.allow_tools must not hold an empty text`},
		{"unknown key of server", "server:\n  comand: x", where + `2:3: unknown key "comand" of server: did you mean "command"?`},
		{"unknown key of server, none near", "server: {headers: 1}", where + `1:10: unknown key "headers" of server: known are build, build_env, command, env, url, working_directory`},
		{"unknown check", "checks:\n  robust-inptu: {}", where + `2:3: unknown check "robust-inptu": did you mean "robust-input"?`},
		{"unknown check, none near", "checks: {everything: {}}", where + `1:10: unknown check "everything": known are launch, robust-input, stdio-clean, hints`},
		{"unknown key of a check", "checks: {robust-input: {max_tool: 3}}", where + `1:25: unknown key "max_tool" of check robust-input: did you mean "max_tools"?`},
		{"unknown rule", "rules: {robust.hangs: {severity: note}}", where + `1:9: unknown rule "robust.hangs": did you mean "robust.hang"?`},
		{"unknown key of a rule", "rules: {robust.hang: {sev: note}}", where + `1:23: unknown key "sev" of rule robust.hang: did you mean "severity"?`},
		{"key with a newline", "\"a\\nb\": 1", where + `1:1: unknown key "a\nb"`},
		{"long key", strings.Repeat("x", 300) + ": 1", where + `1:1: unknown key "` + strings.Repeat("x", 60) + `…"`},
		{"duplicate key", "lanes: 1\nlanes: 2", where + `2:1: duplicate key "lanes": it is set in line 1 already`},
		{"duplicate nested key", "server: {url: a, url: b}", where + `1:18: duplicate key "url": it is set in line 1 already`},
		{"duplicate check", "checks:\n  hints: {}\n  hints: {}", where + `3:3: duplicate key "hints": it is set in line 2 already`},

		{"text for a number", "lanes: many", where + `1:8: lanes must be a number, not "many"`},
		{"quoted number", "min_score: '80'", where + `1:12: min_score must be a number, not "80"`},
		{"fraction for a whole number", "lanes: 1.5", where + "1:8: lanes must be a whole number, not 1.5"},
		{"list for a number", "lanes: [1]", where + "1:8: lanes must be a number, not a list"},
		{"map for a number", "lanes: {a: 1}", where + "1:8: lanes must be a number, not a map"},
		{"null", "lanes:", where + "1:8: lanes must not be null"},
		{"too many lanes", "lanes: 65", where + "1:8: lanes must be at most 64, not 65"},
		{"negative lanes", "lanes: -1", where + "1:8: lanes must be at least 0, not -1"},
		{"huge number", "lanes: 99999999999999999999999", where + `1:8: lanes must be a number, not "99999999999999999999999"`},
		{"infinity", "min_score: .inf", where + "1:12: min_score must be a finite number, not +Inf"},
		{"octal or not", "lanes: 010", where + "1:8: lanes: a number can't begin with 0"},
		{"score over 100", "min_score: 101", where + "1:12: min_score must be at most 100, not 101"},
		{"negative coverage", "min_coverage: -0.5", where + "1:15: min_coverage must be at least 0, not -0.5"},
		{"word for a boolean", "standard: yes", where + `1:11: standard must be true or false, not "yes"`},
		{"number for a boolean", "checks: {hints: {enabled: 0}}", where + "1:27: checks.hints.enabled must be true or false, not 0"},
		{"unknown word", "fail_on: warnings", where + `1:10: fail_on must be error, warning, note or never, not "warnings"`},
		{"number for a word", "fail_on: 1", where + "1:10: fail_on must be a text, not 1"},
		{"unknown grade", "min_grade: E", where + `1:12: min_grade must be A, B, C, D or F, not "E"`},
		{"unknown probes", "active_probes: all", where + `1:16: active_probes must be none, safe or full, not "all"`},
		{"unknown severity", "checks: {hints: {severity: high}}", where + `1:28: checks.hints.severity must be error, warning or note, not "high"`},
		{"null for a rule", "rules: {robust.hang: {severity: null}}", where + "1:33: rules.robust.hang.severity must not be null"},
		{"too few tools", "checks: {robust-input: {max_tools: 0}}", where + "1:36: checks.robust-input.max_tools must be at least 1, not 0"},

		{"negative time", "timeout_sec: -1", where + "1:14: timeout_sec must be more than zero, not -1"},
		{"negative duration", "timeout_sec: -1s", where + `1:14: timeout_sec must be more than zero, not "-1s"`},
		{"no time", "timeout_start_sec: 0", where + "1:20: timeout_start_sec must be more than zero, not 0"},
		{"hardly any time", "timeout_probe_sec: 1us", where + `1:20: timeout_probe_sec must be at least 1ms, not "1us"`},
		{"more than a day", "timeout_sec: 86401", where + "1:14: timeout_sec must be at most 24h, not 86401"},
		{"more than a day in hours", "timeout_sec: 24h1s", where + `1:14: timeout_sec must be at most 24h, not "24h1s"`},
		{"not a number", "timeout_sec: .nan", where + "1:14: timeout_sec must be a finite number, not NaN"},
		{"not a number as text", "timeout_sec: nan", where + `1:14: timeout_sec must be a finite number, not "nan"`},
		{"unknown unit", "timeout_sec: 2 min", where + "1:14: timeout_sec " + noSeconds + `"2 min"`},
		{"list of times", "timeout_sec: [1]", where + "1:14: timeout_sec " + noSeconds + "a list"},

		{"server is a list", "server: [a]", where + "1:9: server must be a map"},
		{"checks is a list", "checks:\n  - hints", where + "2:3: checks must be a map"},
		{"check is a word", "checks: {hints: off}", where + "1:17: checks.hints must be a map"},
		{"rule is a word", "rules: {robust.hang: note}", where + "1:22: rules.robust.hang must be a map"},
		{"file is a list", "- a", where + "1:1: the file must be a map"},
		{"file is a text", "just text", where + "1:1: the file must be a map"},
		{"command is a map", "server: {command: {a: b}}", where + "1:19: server.command must be a list of texts, or one text, not a map"},
		{"command is a number", "server: {command: 3}", where + "1:19: server.command must be a list of texts, or one text, not 3"},
		{"command is null", "server:\n  command:", where + "2:12: server.command must be a list of texts, or one text, not null"},
		{"command is empty", "server: {command: []}", where + "1:19: server.command is empty"},
		{"command is an empty text", "server: {command: '  '}", where + "1:19: server.command: it is empty"},
		{"command with a map", "server: {command: [a, {b: c}]}", where + "1:23: server.command must be a text, not a map"},
		{"command with null", "server: {command: [a, null]}", where + "1:23: server.command must be a text, not null"},
		{"command with NUL", `server: {command: ["a\0b"]}`, where + "1:20: server.command can't hold a NUL character"},
		{"command for a shell", "server: {command: 'a | b'}", where + `1:19: server.command: it holds |, which needs a shell: use [sh, -c, "…"]`},
		{"substitution", "server: {command: 'echo $(pwd)'}", where + `1:19: server.command: it holds $(, which needs a shell: use [sh, -c, "…"]`},
		{"open quote", `server: {command: "a 'b"}`, where + "1:19: server.command: a single quote is never closed"},
		{"url is a list", "server: {url: [a]}", where + "1:15: server.url must be a text, not a list"},
		{"env is a list", "server: {env: [A=1]}", where + "1:15: server.env must be a map"},
		{"variable is null", "server: {env: {A: null}}", where + "1:19: server.env.A must be a text, not null"},
		{"variable is a list", "server: {env: {A: [x]}}", where + "1:19: server.env.A must be a text, not a list"},
		{"variable's name", "server: {env: {'A B': x}}", where + `1:16: "A B" can't be the name of a variable`},
		{"variable's name with =", "server: {env: {A=B: x}}", where + `1:16: "A=B" can't be the name of a variable`},

		{"tab", "server:\n\turl: x", where + "2:1: a tab can't indent YAML: use blanks"},
		{"tab at the beginning", "\tlanes: 1", where + "1:6: a tab can't indent YAML: use blanks"},
		{"open list", "a: [1", where + "1:4: sequence end token ']' not found"},
		{"open text", `a: "x`, where + "1:4: could not find end character of double-quoted text"},
		{"wrong indent", "lanes: 1\n timeout_sec: 3", where + "1:8: mapping value is not allowed in this context"},
		{"reserved", "lanes: @x", where + "1:8: '@' is a reserved character"},
		{"two documents", "lanes: 1\n---\nlanes: 2", where + "3:6: the file holds more than one YAML document"},
		{"anchor", "lanes: &a 1", where + "1:8: anchors, aliases, merge keys and tags are not used in this file"},
		{"alias", "server: *a", where + "1:9: anchors, aliases, merge keys and tags are not used in this file"},
		{"tag", "lanes: !!int 3", where + "1:8: anchors, aliases, merge keys and tags are not used in this file"},
		{"tagged map", "server: !!map {url: a}", where + "1:9: anchors, aliases, merge keys and tags are not used in this file"},
		{"merge key", "<<: *x", where + "1:1: a key must be plain text: anchors, aliases, merge keys and tags are not used in this file"},
		{"anchored key", "&a lanes: 1", where + "1:1: a key must be plain text: anchors, aliases, merge keys and tags are not used in this file"},
		{"list as a key", "? [a, b]\n: 1", where + "2:1: found an invalid key for this map"},
		{"UTF-16", "\xff\xfel\x00", "f.yml: the file is not UTF-8 text"},
		{"too long", strings.Repeat("#", maxFile+1), "f.yml: the file is over 1 MiB"},
		{"billion laughs", laughs(), where + strings.Join([]string{
			`1:1: unknown key "a"`, `2:1: unknown key "b"`, `3:1: unknown key "c"`, `4:1: unknown key "d"`,
		}, "\n"+where)},
		{"very deep", strings.Repeat("[", maxFile), "f.yml: the file holds more than 10,000 YAML tokens"},
		{"very many keys", strings.Repeat("a: 1\n", 4000), "f.yml: the file holds more than 10,000 YAML tokens"},

		{"several at once", "lanes: x\nfoo_bar_baz: 1\nstandard: 3", where + `1:8: lanes must be a number, not "x"` + "\n" + where + `2:1: unknown key "foo_bar_baz"` + "\n" + where + "3:11: standard must be true or false, not 3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file, err := Parse("f.yml", []byte(tt.in), catalog())
			if err == nil {
				t.Fatalf("Parse(%.80q) = %+v, want the error %s", tt.in, file, tt.want)
			}
			if got := err.Error(); got != tt.want {
				t.Errorf("Parse(%.80q)\n got %s\nwant %s", tt.in, got, tt.want)
			}
			var typed *Error
			if !errors.As(err, &typed) || typed.File != "f.yml" {
				t.Errorf("Parse(%.80q): %#v is no *Error of the file", tt.in, err)
			}
		})
	}
}

// laughs is a document that would grow a thousandfold with each line.
func laughs() string {
	text := "a: &a [x]\n"
	for i := range 3 {
		from, to := string(rune('a'+i)), string(rune('b'+i))
		text += to + ": &" + to + " [" + strings.Repeat("*"+from+",", 1000) + "]\n"
	}
	return text
}

func TestErrorNamesItsPlace(t *testing.T) {
	_, err := Parse("f.yml", []byte("checks:\n  hints: {severity: high}"), catalog())
	var typed *Error
	if !errors.As(err, &typed) {
		t.Fatal(err)
	}
	if want := (Origin{File: "f.yml", Line: 2, Column: 21}); typed.Origin != want || typed.Key != "checks.hints.severity" {
		t.Errorf("got %+v of %s", typed.Origin, typed.Key)
	}
}

func TestManyErrorsAreCounted(t *testing.T) {
	var b strings.Builder
	for i := range 50 {
		b.WriteString("wrong_key_" + string(rune('a'+i%26)) + string(rune('a'+i/26)) + ": 1\n")
	}
	_, err := Parse("f.yml", []byte(b.String()), catalog())
	if err == nil {
		t.Fatal("no error")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != maxErrors+1 || lines[maxErrors] != "and 30 more errors" {
		t.Errorf("%d lines, the last is %q", len(lines), lines[len(lines)-1])
	}
}

func TestParseTakes(t *testing.T) {
	for _, in := range []string{
		"", "\n", "# only a comment\n", "---\n", "---\n# x\n", "null", "{}", "server:", "server: {}\nchecks:\nrules:\n",
		"\ufefflanes: 1", "lanes: 1\r\nfail_on: note\r\n", "{lanes: 1}", "'lanes': 2", "%YAML 1.2\n---\nlanes: 1\n",
		"min_grade: ''", "min_grade: F", "lanes: 4.0", "min_score: 99.5", "timeout_sec: 24h", "timeout_sec: '2.5'",
		"checks: {robust-input: {enabled: false, severity: null, hang_ms: null, max_tools: 3}}",
		"checks: {robust-input: {severity: note, hang_ms: 1500}}", "rules: {robust.hang: {severity: warning}}",
	} {
		if _, err := Parse("f.yml", []byte(in), catalog()); err != nil {
			t.Errorf("Parse(%q): %v", in, err)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(path("long.yml"), make([]byte, maxFile+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path("locked.yml"), nil, 0); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path("bad.yml"), []byte("lanes: x"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, want string }{
		{"absent.yml", "the file does not exist"},
		{".", "this is a folder, not a file"},
		{"long.yml", "the file is over 1 MiB"},
		{"bad.yml/below.yml", "the file can't be read: not a directory"},
	}
	if os.Geteuid() != 0 && runtime.GOOS != "windows" {
		tests = append(tests, struct{ name, want string }{"locked.yml", "the file can't be read: permission denied"})
	}
	if runtime.GOOS == "linux" {
		if err := os.Symlink("/proc/self/environ", path("link.yml")); err != nil {
			t.Fatal(err)
		}
		tests = append(tests, struct{ name, want string }{"link.yml", "this is a link to a running process, not a file"})
	}
	for _, tt := range tests {
		if _, err := Load(path(tt.name), catalog()); err == nil || err.Error() != path(tt.name)+": "+tt.want {
			t.Errorf("Load(%s): %v, want %s", tt.name, err, tt.want)
		}
	}
	if _, err := Load(path("bad.yml"), catalog()); err == nil || err.Error() != path("bad.yml")+`:1:8: lanes must be a number, not "x"` {
		t.Errorf("Load(bad.yml): %v", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"server: {command: [node, 'a b'], env: {A: ${B}, C: 1}, url: http://x}\nlanes: 2\n", laughs(),
		"checks:\n  robust-input: {max_tools: 3, severity: note}\nrules: {robust.hang: {severity: error}}\n",
		"timeout_sec: 1h2m\n---\n...\n", "? a\n: b\n", "&a *a !!b", "\t", "a: |\n  b\n c", "<<: {a: b}", "'", "a: >-\n\n  x",
	} {
		f.Add([]byte(seed))
	}
	checks := catalog()
	f.Fuzz(func(t *testing.T, data []byte) {
		start := time.Now()
		file, err := Parse("f.yml", data, checks)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("it took %v", took)
		}
		if (file == nil) == (err == nil) {
			t.Fatalf("%v and %v", file, err)
		}
		if err == nil {
			return
		}
		lines := strings.Split(err.Error(), "\n")
		if len(lines) > maxErrors+1 || !utf8.ValidString(err.Error()) {
			t.Errorf("%q", err)
		}
		for _, line := range lines {
			if len(line) > 1000 || strings.ContainsFunc(line, func(c rune) bool { return c < ' ' }) {
				t.Errorf("%q", line)
			}
		}
	})
}
