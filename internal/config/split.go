package config

import (
	"errors"
	"strings"
)

// Split splits a command line into words as a shell does, with single and
// double quotes and backslashes. Nothing is expanded and no shell is run; what
// only a shell can do is refused.
func Split(line string) ([]string, error) {
	steps, err := split(line, false)
	if err != nil {
		return nil, err
	}
	return steps[0], nil
}

// Steps splits a line of commands with && between them as Split does.
func Steps(line string) ([][]string, error) { return split(line, true) }

// split splits a line into commands, and these into words. Without several the
// line is one command.
func split(line string, several bool) ([][]string, error) {
	var steps [][]string
	var words []string
	var word strings.Builder
	inWord := false
	end := func() {
		if inWord {
			words = append(words, word.String())
			word.Reset()
			inWord = false
		}
	}
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			end()
		case c == '\'':
			end := strings.IndexByte(line[i+1:], '\'')
			if end < 0 {
				return nil, errors.New("a single quote is never closed")
			}
			word.WriteString(line[i+1 : i+1+end])
			i += end + 1
			inWord = true
		case c == '"':
			n, err := doubleQuoted(line[i+1:], &word)
			if err != nil {
				return nil, err
			}
			i += n
			inWord = true
		case c == '\\' && i+1 < len(line):
			i++
			if line[i] == '\n' { // the line goes on
				continue
			}
			word.WriteByte(line[i])
			inWord = true
		case several && strings.HasPrefix(line[i:], "&&"):
			end()
			if len(words) == 0 {
				return nil, errors.New("nothing stands before &&")
			}
			steps, words = append(steps, words), nil
			i++
		case strings.IndexByte("|&;<>`", c) >= 0:
			return nil, needsShell(string(c))
		case strings.HasPrefix(line[i:], "$("):
			return nil, needsShell("$(")
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	end()
	switch {
	case len(words) > 0:
		return append(steps, words), nil
	case len(steps) > 0:
		return nil, errors.New("nothing stands after &&")
	}
	return nil, errors.New("it is empty")
}

func needsShell(text string) error {
	return errors.New("it holds " + text + ", which needs a shell: use [sh, -c, \"…\"]")
}

// doubleQuoted reads up to the closing quote and returns the bytes read.
func doubleQuoted(rest string, word *strings.Builder) (int, error) {
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '"':
			return i + 1, nil
		case c == '\\' && i+1 < len(rest) && strings.IndexByte("\"\\$`", rest[i+1]) >= 0:
			i++
			word.WriteByte(rest[i])
		case c == '\\' && i+1 < len(rest) && rest[i+1] == '\n': // the line goes on
			i++
		case c == '`':
			return 0, needsShell("`")
		case strings.HasPrefix(rest[i:], "$("):
			return 0, needsShell("$(")
		default:
			word.WriteByte(c)
		}
	}
	return 0, errors.New("a double quote is never closed")
}
