package target

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/sealmark/action/internal/confine"
	"github.com/sealmark/action/internal/redact"
)

// buildIn runs commands of a shell in a box of its own.
func buildIn(t *testing.T, o BuildOptions, needs []string, scripts ...string) ([]byte, *BuildError) {
	t.Helper()
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("SKIPPED: there is no /bin/sh")
	}
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "inner"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "inner", "x"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	box, err := confine.New(t.Context(), confine.Options{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	var steps []Step
	for _, script := range scripts {
		steps = append(steps, Step{Args: []string{"sh", "-c", script}, Dir: "inner"})
	}
	if o.Limit == 0 {
		o.Limit = time.Minute
	}
	b, err := Build(t.Context(), steps, needs, box, o)
	var failed *BuildError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return b, failed
}

func TestBuild(t *testing.T) {
	var shown bytes.Buffer
	o := BuildOptions{Env: map[string]string{"NPM_TOKEN": "token-canary"}, Out: &shown, Redact: redact.New(map[string]string{"NPM_TOKEN": "token-canary"})}
	b, failed := buildIn(t, o, []string{"sh"}, "test -f x && echo one $NPM_TOKEN", "echo '\033[31mtwo\033[0m' >&2")
	if failed != nil {
		t.Fatal(failed)
	}
	want := "$ sh -c test -f x && echo one $NPM_TOKEN\none [redacted:NPM_TOKEN]\n$ sh -c echo '\\x1b[31mtwo\\x1b[0m' >&2\ntwo\n"
	if got := string(b); shown.String() != got || !strings.Contains(got, "one [redacted:NPM_TOKEN]\n") || !strings.HasSuffix(got, "\ntwo\n") || strings.Contains(got, "token-canary") {
		t.Errorf("log %q, like %q; shown %q", got, want, shown.String())
	}
}

func TestBuildFails(t *testing.T) {
	_, failed := buildIn(t, BuildOptions{}, nil, "seq 100; echo 'x.c:1: error: no mast'; echo 'error: no sail'; exit 4", "echo never")
	if failed == nil || failed.Error() != "the build failed: sh -c seq 100; echo 'x.c:1: error: no mast'; echo 'error: no sail'; exit 4 exited with status 4: x.c:1: error: no mast" {
		t.Fatalf("%v", failed)
	}
	if len(failed.Last) != lastLines || failed.Last[lastLines-1] != "error: no sail" || !strings.Contains(string(failed.Log), "\n1\n2\n") || strings.Contains(string(failed.Log), "never") {
		t.Errorf("last %q, log %q", failed.Last, failed.Log)
	}
	_, failed = buildIn(t, BuildOptions{Limit: 100 * time.Millisecond}, nil, "sleep 1000")
	if failed == nil || failed.Ended != "was ended after 100ms, the limit of the build" {
		t.Errorf("%v", failed)
	}
	_, failed = buildIn(t, BuildOptions{}, nil, "kill -9 $$")
	if failed == nil || failed.Ended != "ended: signal: killed" {
		t.Errorf("%v", failed)
	}
	_, failed = buildIn(t, BuildOptions{}, []string{"no-such-compiler"}, "echo never")
	if failed == nil || failed.Missing == nil || failed.Missing.Program != "no-such-compiler" || !strings.Contains(failed.Missing.Next(), "Install no-such-compiler.") {
		t.Errorf("%v", failed)
	}
}

// TestBuildEnds: what a step leaves behind holds nobody up, and is ended.
func TestBuildEnds(t *testing.T) {
	begin := time.Now()
	if _, failed := buildIn(t, BuildOptions{}, nil, "sleep 1000 & echo done"); failed != nil {
		t.Fatal(failed)
	}
	if took := time.Since(begin); took > 5*time.Minute {
		t.Errorf("it took %s", took)
	}
}

// TestFirstError: the line that says what is wrong, in the words of the usual
// tools.
func TestFirstError(t *testing.T) {
	for log, want := range map[string]string{
		"src/a.ts(3,5): error TS2304: Cannot find name 'mast'.\nFound 1 error.":                         "src/a.ts(3,5): error TS2304: Cannot find name 'mast'.",
		"npm warn old\nnpm error code E404\nnpm error 404 Not Found":                                    "npm error 404 Not Found",
		"npm error code EUSAGE\nnpm error\nnpm error `npm ci` can only install with a lock file":        "npm error `npm ci` can only install with a lock file",
		"npm error code 1\nnpm error path /x\nnpm error command failed":                                 "npm error command failed",
		"npm error code EOTHER\nall else":                                                               "npm error code EOTHER",
		"./main.go:4:2: undefined: mast":                                                                "./main.go:4:2: undefined: mast",
		"go: example.test/mast@v1.0.0: missing go.sum entry":                                            "go: example.test/mast@v1.0.0: missing go.sum entry",
		"   Compiling mast\nerror[E0425]: cannot find value `x`":                                        "error[E0425]: cannot find value `x`",
		"Traceback (most recent call last):\n  File \"setup.py\", line 1\nImportError: no mast\nerror:": "ImportError: no mast",
		"× No solution found when resolving dependencies":                                               "× No solution found when resolving dependencies",
		"sh: 1: tsc: not found":                                                                         "sh: 1: tsc: not found",
		"make: *** [Makefile:2: all] Error":                                                             "make: *** [Makefile:2: all] Error",
		"progress 1\rprogress 2\rerror: x":                                                              "error: x",
		"0 errors, 12 warnings\nall well":                                                               "",
		"$ sh -c error: x":                                                                              "",
	} {
		l := newBuildLog(nil, nil)
		fmt.Fprint(l, log)
		l.flush()
		if l.first != want {
			t.Errorf("%q: first is %q, want %q", log, l.first, want)
		}
	}
}

// FuzzBuildLog: the output of a build is bounded and printable, in whatever
// pieces it comes.
func FuzzBuildLog(f *testing.F) {
	f.Add([]byte("one\ntwo\r\n\x1b[31mthree"), 3)
	f.Add([]byte("Traceback (most recent call last):\n  x\n\nE: y"), 1)
	f.Add(bytes.Repeat([]byte("long "), 2000), 4096)
	f.Fuzz(func(t *testing.T, data []byte, size int) {
		var out bytes.Buffer
		l := newBuildLog(redact.New(map[string]string{"KEY": "canary-canary"}), &out)
		for range 30 {
			for rest := data; len(rest) > 0; {
				n := min(max(1, size), len(rest))
				l.Write(rest[:n])
				rest = rest[n:]
			}
		}
		l.flush()
		kept := l.bytes()
		if len(kept) > keptHead+2*keptTail+100 || out.Len() > maxShown+2*maxLine || !utf8.Valid(kept) {
			t.Errorf("%d bytes kept, %d shown", len(kept), out.Len())
		}
		if strings.ContainsAny(string(kept), "\x1b\x07\x00\r") || bytes.Contains(kept, []byte("canary-canary")) {
			t.Errorf("kept %q", kept)
		}
		if last := l.last(); len(last) > lastLines || strings.Contains(l.first, "\n") {
			t.Errorf("last %q, first %q", last, l.first)
		}
	})
}
