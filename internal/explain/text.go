package explain

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

const textWidth = 88

var (
	link     = regexp.MustCompile(`\[([^\]]+)\]\(([^)]+)\)`)
	emphasis = regexp.MustCompile(`\*{1,2}([^*\n]+)\*{1,2}`)
)

// plain turns our own Markdown into text for a terminal: headings underlined,
// tables in columns, paragraphs wrapped.
func plain(markdown string) string {
	var b strings.Builder
	lines := strings.Split(markdown, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, "```"):
			for i++; i < len(lines) && !strings.HasPrefix(lines[i], "```"); i++ {
				b.WriteString("    " + lines[i] + "\n")
			}
		case strings.HasPrefix(line, "#"):
			title := strings.TrimLeft(line, "# ")
			mark := "="
			if strings.HasPrefix(line, "##") {
				mark = "-"
			}
			b.WriteString(title + "\n" + strings.Repeat(mark, utf8.RuneCountInString(title)) + "\n")
		case strings.HasPrefix(line, "|"):
			var rows [][]string
			for ; i < len(lines) && strings.HasPrefix(lines[i], "|"); i++ {
				if !strings.HasPrefix(lines[i], "|---") {
					rows = append(rows, cells(lines[i]))
				}
			}
			i--
			b.WriteString(columns(rows))
		case strings.HasPrefix(line, "- "):
			b.WriteString(wrap("  - ", "    ", unmark(line[2:])))
		case line == "":
			b.WriteByte('\n')
		default:
			b.WriteString(wrap("", "", unmark(line)))
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// cells splits a row of a table that this package wrote.
func cells(line string) []string {
	const pipe = "\x00"
	line = strings.ReplaceAll(strings.Trim(line, "| "), `\|`, pipe)
	parts := strings.Split(line, " | ")
	for i := range parts {
		parts[i] = unmark(strings.ReplaceAll(strings.TrimSpace(parts[i]), pipe, "|"))
	}
	return parts
}

// unmark takes the marks of Markdown out of a line. Code keeps its backticks
// where blanks would blur its ends.
func unmark(s string) string {
	const mark = "\x00"
	parts := strings.Split(s, "`")
	var spans []string
	prose := parts[0]
	for i := 1; i < len(parts); i++ {
		if i%2 == 0 {
			prose += parts[i]
			continue
		}
		span := parts[i]
		if strings.Contains(span, " ") {
			span = "`" + span + "`"
		}
		spans = append(spans, span)
		prose += mark
	}
	prose = emphasis.ReplaceAllString(prose, "$1")
	prose = link.ReplaceAllString(prose, "$1 <$2>")
	for _, span := range spans {
		prose = strings.Replace(prose, mark, span, 1)
	}
	return prose
}

// columns aligns rows; the last column is wrapped to the width.
func columns(rows [][]string) string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		first := ""
		for i, cell := range row[:len(row)-1] {
			first += cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2)
		}
		b.WriteString(wrap(first, strings.Repeat(" ", utf8.RuneCountInString(first)), row[len(row)-1]))
	}
	return b.String()
}

// wrap writes a text with a first and a further indent.
func wrap(first, further, text string) string {
	var b strings.Builder
	line, begun := first, false
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(line) + 1 + utf8.RuneCountInString(word)
		if begun && n > max(textWidth, utf8.RuneCountInString(further)+40) {
			b.WriteString(line + "\n")
			line, begun = further, false
		}
		if begun {
			line += " "
		}
		line += word
		begun = true
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
	return b.String()
}
