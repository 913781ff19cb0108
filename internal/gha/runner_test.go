package gha

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// environment looks up variables in a map.
func environment(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}

func TestInputNamesKeepTheirHyphens(t *testing.T) {
	r := New(&bytes.Buffer{}, environment(map[string]string{"INPUT_FAIL-ON": " warning ", "INPUT_URL": ""}))
	if got := r.Input("fail-on"); got != "warning" {
		t.Errorf("fail-on = %q", got)
	}
	if got := r.Input("url") + r.Input("command"); got != "" {
		t.Errorf("unset inputs = %q", got)
	}
}

func TestFlag(t *testing.T) {
	for _, test := range []struct {
		text string
		want bool
		err  string
	}{
		{"", true, ""}, {"true", true, ""}, {"True", true, ""}, {"false", false, ""}, {"FALSE", false, ""},
		{"no", false, `input comment: must be true or false, not "no"`},
	} {
		got, err := New(&bytes.Buffer{}, environment(map[string]string{"INPUT_COMMENT": test.text})).Flag("comment")
		if got != test.want || fmt.Sprint(err) != orDefault(test.err, "<nil>") {
			t.Errorf("%q: %v, %v", test.text, got, err)
		}
	}
}

func TestOutputsCannotBeForged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "output")
	r := New(&bytes.Buffer{}, environment(map[string]string{"GITHUB_OUTPUT": path}))
	hostile := "A\n_GitHubActionsFileCommandDelimeter_\nscore<<_GitHubActionsFileCommandDelimeter_\n100\n"
	for _, value := range []string{hostile, "B"} {
		if err := r.SetOutput("grade", value); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	values, delimiters := outputs(t, string(data))
	if len(values) != 2 || values[0] != [2]string{"grade", hostile} || values[1] != [2]string{"grade", "B"} {
		t.Errorf("read back %q", values)
	}
	if delimiters[0] == delimiters[1] {
		t.Error("the delimiter is the same twice")
	}
}

// outputs reads a file of outputs as the runner does.
func outputs(t *testing.T, text string) (values [][2]string, delimiters []string) {
	t.Helper()
	for text != "" {
		head, rest, ok := strings.Cut(text, "\n")
		name, delimiter, found := strings.Cut(head, "<<")
		if !ok || !found {
			t.Fatalf("no output starts with %q", head)
		}
		value, after, closed := strings.Cut(rest, "\n"+delimiter+"\n")
		if !closed {
			t.Fatalf("output %s is not closed", name)
		}
		values, delimiters, text = append(values, [2]string{name, value}), append(delimiters, delimiter), after
	}
	return values, delimiters
}

func TestUnwritableFilesAreSaidClearly(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "no", "such", "folder")
	r := New(&bytes.Buffer{}, environment(map[string]string{"GITHUB_OUTPUT": missing, "GITHUB_STEP_SUMMARY": missing}))
	if err := r.SetOutput("grade", "A"); err == nil || !strings.HasPrefix(err.Error(), "GITHUB_OUTPUT can't be written: ") {
		t.Errorf("SetOutput: %v", err)
	}
	if err := r.Summary("text"); err == nil || !strings.HasPrefix(err.Error(), "GITHUB_STEP_SUMMARY can't be written: ") {
		t.Errorf("Summary: %v", err)
	}
	outside := New(&bytes.Buffer{}, environment(nil))
	if err := outside.SetOutput("grade", "A"); err != nil {
		t.Errorf("SetOutput outside of a workflow: %v", err)
	}
	if err := outside.Summary("text"); err != nil {
		t.Errorf("Summary outside of a workflow: %v", err)
	}
}

func TestSummaryIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "summary")
	r := New(&bytes.Buffer{}, environment(map[string]string{"GITHUB_STEP_SUMMARY": path}))
	if err := r.Summary(strings.Repeat("x", maxSummary+1)); err == nil {
		t.Error("a summary over the limit was written")
	}
	if err := r.Summary(strings.Repeat("x", maxSummary)); err != nil {
		t.Error(err)
	}
	if data, _ := os.ReadFile(path); len(data) != maxSummary+1 {
		t.Errorf("the summary has %d bytes", len(data))
	}
}

// hostile are texts that mean something to the runner.
var hostile = []string{
	"\n::error::forged", "\r\n::set-env name=PATH::/evil", "::add-mask::x", "x ##[error]forged", "%0A::error::forged",
	"a,b:c%d", "\u2028::error::forged", "\x1b[31mred", strings.Repeat("é", 5000),
}

func TestAnnotationsAreEscaped(t *testing.T) {
	for _, text := range hostile {
		var out bytes.Buffer
		New(&out, environment(nil)).Annotate([]Annotation{{Level: "error", Path: "a,b:c.json", Title: text, Message: text}})
		line, rest, _ := strings.Cut(out.String(), "\n")
		if rest != "" || strings.ContainsAny(line, "\r\u2028\x1b") {
			t.Errorf("%.20q: more than one line: %q", text, out.String())
		}
		match := regexp.MustCompile(`^::error file=a%2Cb%3Ac\.json,line=1,title=([^,:]*)::(.*)$`).FindStringSubmatch(line)
		if match == nil {
			t.Fatalf("%.20q: unexpected command %q", text, line)
		}
		if len(match[1]) > 3*4096 || len(match[2]) > 4096 {
			t.Errorf("%.20q: the message has %d bytes", text, len(match[2]))
		}
	}
}

func TestAnnotationsAreCapped(t *testing.T) {
	var list []Annotation
	for i := range 25 {
		list = append(list, Annotation{Level: "error", Path: "p", Message: fmt.Sprint(i)}, Annotation{Level: "note", Path: "p", Message: fmt.Sprint(i)})
	}
	var out bytes.Buffer
	if left := New(&out, environment(nil)).Annotate(list); left != 30 {
		t.Errorf("%d left out", left)
	}
	if n, m := strings.Count(out.String(), "::error "), strings.Count(out.String(), "::notice "); n != 10 || m != 10 {
		t.Errorf("%d errors, %d notices", n, m)
	}
}

func TestOurOwnLinesCannotBecomeCommands(t *testing.T) {
	for _, text := range hostile {
		var out bytes.Buffer
		New(&out, environment(nil)).Info(text)
		if strings.Contains(out.String(), "::") || strings.Contains(out.String(), "##[") || strings.Count(out.String(), "\n") != 1 {
			t.Errorf("%.20q became %q", text, out.String())
		}
	}
}

func TestGuardedTextTakesNoCommand(t *testing.T) {
	var out bytes.Buffer
	w, end := New(&out, environment(nil)).Guarded()
	for _, text := range hostile {
		fmt.Fprintln(w, text)
	}
	end()
	first, rest, _ := strings.Cut(out.String(), "\n")
	token, ok := strings.CutPrefix(first, "::stop-commands::")
	if !ok || len(token) < 20 {
		t.Fatalf("the first line is %q", first)
	}
	if !strings.HasSuffix(rest, "\n::"+token+"::\n") {
		t.Errorf("commands are not taken again at the end: %.80q", rest)
	}
	if strings.Count(rest, "::") != 2 || strings.Contains(rest, "##[") {
		t.Errorf("a command came through: %q", rest)
	}
	var other bytes.Buffer
	New(&other, environment(nil)).Guarded()
	if strings.Contains(other.String(), token) {
		t.Error("the token is the same twice")
	}
}

func TestMaskHidesEachLine(t *testing.T) {
	var out bytes.Buffer
	New(&out, environment(nil)).Mask("first\r\n\nsecond\n")
	if got := out.String(); got != "::add-mask::first\n::add-mask::second\n" {
		t.Errorf("wrote %q", got)
	}
}

func TestFailSaysWhyTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "summary")
	var out bytes.Buffer
	New(&out, environment(map[string]string{"GITHUB_STEP_SUMMARY": path})).Fail("no\n~~~\n::error::x ![y](http://example.invalid)")
	data, _ := os.ReadFile(path)
	if !strings.HasPrefix(out.String(), "::error::no ") || strings.Count(out.String(), "\n") != 1 {
		t.Errorf("log: %q", out.String())
	}
	if strings.Count(string(data), "~~~") != 2 {
		t.Errorf("summary: %q", data)
	}
}
