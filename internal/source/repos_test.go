package source

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sealmark/action/internal/rule"
)

// repository is a miniature repository, and what is to be found in it.
type repository struct {
	options Options
	// foreign: the server is not one of the repository's.
	foreign bool
	want    []want
}

// want is where a subject, or an argument of it, is to be found: the file and
// the line without blanks around it; nowhere if the file is "".
type want struct {
	subject, argument string
	basis             rule.Basis
	file, line        string
}

// unpack writes a repository of testdata/repos to a folder. What is expected
// stands in front of its files, a line each:
//
//	SUBJECT [ARGUMENT] | [mention] FILE | LINE
//	SUBJECT | none
func unpack(t testing.TB, name string) repository {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	r := repository{options: Options{Root: t.TempDir()}}
	for _, f := range archive.Files {
		path := filepath.Join(r.options.Root, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for line := range strings.Lines(string(archive.Comment)) {
		line = strings.TrimSpace(line)
		if command, ok := strings.CutPrefix(line, "command: "); ok {
			r.options.Command = strings.Fields(command)
			continue
		}
		if dir, ok := strings.CutPrefix(line, "directory: "); ok {
			r.options.Directory = dir
			continue
		}
		if line == "foreign" {
			r.foreign = true
			continue
		}
		parts := strings.SplitN(line, " | ", 3)
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		w := want{basis: rule.Definition}
		w.subject, w.argument, _ = strings.Cut(parts[0], " ")
		w.argument = strings.TrimSpace(w.argument)
		if len(parts) == 3 {
			w.file, w.line = parts[1], parts[2]
			if file, ok := strings.CutPrefix(w.file, "mention "); ok {
				w.basis, w.file = rule.Mention, file
			}
		} else if parts[1] != "none" {
			t.Fatalf("%s: can't read %q", name, line)
		}
		r.want = append(r.want, w)
	}
	return r
}

func TestRepositories(t *testing.T) {
	names, err := filepath.Glob("testdata/repos/*.txtar")
	if err != nil || len(names) < 14 {
		t.Fatal(names, err)
	}
	wanted, found := 0, 0
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			r := unpack(t, name)
			x, err := open(t.Context(), r.options)
			if err != nil {
				t.Fatal(err)
			}
			if x.own && r.foreign {
				t.Error("the server is taken for one of the repository's")
			}
			for _, w := range r.want {
				subject := w.subject
				if w.argument != "" {
					subject += " " + w.argument
				}
				if w.file != "" {
					wanted++
				}
				got := x.locate(w.subject, w.argument)
				if got == nil {
					if w.file != "" {
						t.Errorf("%s: not found", subject)
					}
					continue
				}
				text := lineAt(t, r.options.Root, got)
				at := fmt.Sprintf("%s %s:%d:%d %s", got.Basis, got.Path, got.Line, got.Column, text)
				if got.Path != w.file || strings.TrimSpace(text) != w.line || got.Basis != w.basis {
					t.Errorf("%s: found at %s\nwant %s %s %s", subject, at, w.basis, w.file, w.line)
				} else {
					found++
				}
				if runes := []rune(text); got.Column < 1 || got.Column > len(runes) || runes[got.Column-1] == ' ' || got.Column > 1 && isWord(byte(runes[got.Column-2])) && isWord(byte(runes[got.Column-1])) {
					t.Errorf("%s: the column is not that of a word: %s", subject, at)
				}
			}
		})
	}
	t.Logf("%d of %d places in %d repositories", found, wanted, len(names))
}

// TestForeignNames looks in each repository for what others define: no name
// may be found that is not expected there.
func TestForeignNames(t *testing.T) {
	names, _ := filepath.Glob("testdata/repos/*.txtar")
	repositories := map[string]repository{}
	subjects := map[string]bool{}
	families := map[family]bool{}
	for _, name := range names {
		r := unpack(t, name)
		repositories[name] = r
		for _, w := range r.want {
			subjects[w.subject] = true
			families[familyOf(w.file)] = true
		}
	}
	if len(families) < 10 || len(subjects) < 100 {
		t.Fatalf("%d languages and %d names", len(families), len(subjects))
	}
	for name, r := range repositories {
		x, err := open(t.Context(), r.options)
		if err != nil {
			t.Fatal(err)
		}
		for subject := range subjects {
			if slices.ContainsFunc(r.want, func(w want) bool { return w.subject == subject }) {
				continue
			}
			if got := x.locate(subject, ""); got != nil {
				t.Errorf("%s: %s is found at %s %s:%d %s", name, subject, got.Basis, got.Path, got.Line, lineAt(t, r.options.Root, got))
			}
		}
	}
}

func lineAt(t testing.TB, root string, l *rule.Location) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(l.Path)))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(data), "\n")[l.Line-1]
}
