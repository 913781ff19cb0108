package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sealmark/action/internal/target"
)

func newDetect() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "detect [flags] [DIR]",
		Short: "Say how the servers of a repository are built and launched",
		Long: `Detect reads the files of a repository (the current folder unless DIR is given)
and says which MCP servers it holds, how each is built and launched, and which
lines of which files that rests on. It runs nothing of the repository.

The best server comes first: it is the one that sealmark run tests when no
command is given. Exit code 3 means that no server was found.`,
		Example: `  sealmark detect
  sealmark detect --json path/to/checkout`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, d, err := detect(args)
			if err != nil {
				return usage(err)
			}
			out := cmd.OutOrStdout()
			if asJSON {
				encoder := json.NewEncoder(out)
				encoder.SetIndent("", "  ")
				encoder.SetEscapeHTML(false)
				err = encoder.Encode(d)
			} else {
				_, err = io.WriteString(out, describe(d))
			}
			if err != nil {
				return ownFault(err)
			}
			if len(d.Plans) == 0 {
				return &exitError{code: exitNotAssessed}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, as docs/detection.md describes it")
	return cmd
}

// detect looks at the folder of the arguments, the current one by default, and
// returns it.
func detect(args []string) (dir string, d target.Detection, err error) {
	dir = "."
	if len(args) > 0 {
		dir = args[0]
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return dir, d, fmt.Errorf("%s is no folder that can be read: name the root of a checkout", strconv.Quote(dir))
	}
	d, err = target.Detect(dir)
	return dir, d, err
}

// describe writes a detection for people.
func describe(d target.Detection) string {
	var b strings.Builder
	if d.None != "" {
		fmt.Fprintln(&b, d.None)
	}
	for i, p := range d.Plans {
		if i > 0 {
			b.WriteByte('\n')
		}
		describePlan(&b, i+1, p)
	}
	if len(d.Plans) == 0 {
		return b.String()
	}
	for i, note := range d.Notes {
		if i == 0 {
			b.WriteString("\nNot used:\n")
		}
		fmt.Fprintf(&b, "  %s  %s\n", placeOf(note.Path, note.Line), note.Text)
	}
	return b.String()
}

func describePlan(b *strings.Builder, number int, p target.Plan) {
	fmt.Fprintf(b, "%d. %s", number, p.Name)
	if p.Directory != "." {
		fmt.Fprintf(b, ", in %s", shownWord(p.Directory))
	}
	fmt.Fprintf(b, " (%s)\n", p.Detector)
	row := func(label, text string) { fmt.Fprintf(b, "   %-8s %s\n", label, text) }
	for i, step := range p.Build {
		label, where := "", ""
		if i == 0 {
			label = "build"
		}
		if step.Dir != p.Directory {
			where = "  (in " + shownWord(step.Dir) + ")"
		}
		row(label, shownCommand(step.Args)+where)
	}
	for i, l := range append([]target.Launch{p.Launch}, p.Alternatives...) {
		label, where := "launch", ""
		if i > 0 {
			label = "or"
		}
		if l.URL != "" {
			where = "  at " + shownWord(l.URL)
		}
		row(label, shownCommand(l.Command)+where)
	}
	if len(p.Env) > 0 {
		row("env", shownEnv(p.Env))
	}
	if len(p.Toolchains) > 0 {
		row("needs", strings.Join(p.Toolchains, ", "))
	}
	for i, w := range p.Why {
		label := ""
		if i == 0 {
			label = "because"
		}
		row(label, placeOf(w.Path, w.Line)+"  "+w.Text)
	}
}

func placeOf(path string, line int) string {
	if line == 0 {
		return path
	}
	return fmt.Sprintf("%s:%d", path, line)
}

// shownEnv lists variables, at most twelve.
func shownEnv(env []target.Variable) string {
	const most = 12
	var words []string
	for i, v := range env {
		if i == most {
			words = append(words, fmt.Sprintf("and %d more", len(env)-most))
			break
		}
		word := v.Name
		if v.Value != "" {
			word += "=" + shownWord(v.Value)
		}
		switch {
		case v.Required && v.Secret:
			word += " (required, secret)"
		case v.Required:
			word += " (required)"
		case v.Secret:
			word += " (secret)"
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

// shownCommand writes a command so that it can be read, and copied into a
// shell unless it holds control characters.
func shownCommand(words []string) string {
	shown := make([]string, len(words))
	for i, word := range words {
		shown[i] = shownWord(word)
	}
	return strings.Join(shown, " ")
}

// shownWord quotes a word where a shell would read it otherwise. Placeholders
// stay as they are.
func shownWord(word string) string {
	const most = 400
	rest := ""
	if len(word) > most {
		word, rest = word[:most], fmt.Sprintf("… (%d bytes more)", len(word)-most)
	}
	plain := strings.ReplaceAll(word, target.PortPlaceholder, "")
	switch {
	case word != "" && strings.Trim(plain, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+,-") == "":
		return word + rest
	case strings.ContainsFunc(word, func(c rune) bool { return !strconv.IsPrint(c) }) || strings.ContainsRune(word, '\uFFFD'):
		return strconv.Quote(word) + rest
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" + rest
}
