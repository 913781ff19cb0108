package target

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
)

// findSmithery reads smithery.yaml. What it launches stands in a function in
// JavaScript: its object is read as far as it holds literals, and never run.
func findSmithery(f *finder, file string) {
	doc := f.yaml(file)
	start := doc.at("startCommand")
	if !start.isTable() {
		return
	}
	function := start.at("commandFunction")
	s := smithery{schema: start.at("configSchema"), example: start.at("exampleConfig")}
	object := s.object(function.str())
	c := claim{detector: "smithery.yaml", rank: rankSmithery, dir: path.Dir(file), own: true, target: target{dir: path.Dir(file)},
		why: why(file, start.lineNo(), "says how the server is launched")}
	command, _ := literal(object["command"])
	if command != "" {
		words := append([]string{command}, s.list(object["args"])...)
		c.target = resolve(c.dir, words)
		c.explicit = true
		c.why = why(file, function.lineNo(), "the launch command: %s", shown(strings.Join(words, " ")))
	}
	env := members(object["env"])
	for _, name := range sortedKeys(env) {
		if isVariable(name) {
			c.env = append(c.env, s.variable(name, env[name], file, function.lineNo()))
		}
	}
	f.claims = append(f.claims, c)
}

// smithery is the part of smithery.yaml that says what a user configures.
type smithery struct{ schema, example *node }

var (
	commandKey = regexp.MustCompile(`["']?\bcommand["']?\s*:`)
	configUse  = regexp.MustCompile(`\bconfig(?:\?)?\.(\w+)`)
)

// object is the object that holds the command, by the text of its members.
func (s smithery) object(function string) map[string]string {
	at := commandKey.FindStringIndex(function)
	if at == nil {
		return nil
	}
	open := strings.LastIndexByte(function[:at[0]], '{')
	if open < 0 {
		return nil
	}
	return members(function[open:])
}

// variable is a variable of the launch, with what the schema says of the
// setting that it takes.
func (s smithery) variable(name, expression, file string, line int) Variable {
	if value, ok := literal(expression); ok {
		return variable(name, value, false, false, file, line, "env of the launch command")
	}
	m := configUse.FindStringSubmatch(expression)
	if m == nil {
		return variable(name, "", false, false, file, line, "env of the launch command")
	}
	declared := s.schema.at("properties", m[1])
	required := slices.Contains(s.schema.at("required").strings(), m[1])
	value := cmp.Or(declared.at("default").plain(), s.example.at(m[1]).plain())
	return variable(name, value, required, false, file, cmp.Or(declared.lineNo(), line), "configSchema.%s: %s", shown(m[1]), shown(declared.at("description").str()))
}

// list are the words of an array. What is spread or chosen is left out, what is
// configured gets its default or a harmless value.
func (s smithery) list(text string) []string {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "[") {
		return nil
	}
	var words []string
	for _, element := range split(text) {
		if value, ok := literal(element); ok {
			words = append(words, value)
			continue
		}
		m := configUse.FindStringSubmatch(element)
		if m == nil || strings.HasPrefix(strings.TrimSpace(element), "...") || strings.Contains(element, "?") && !strings.Contains(element, "?.") {
			continue
		}
		declared := s.schema.at("properties", m[1])
		words = append(words, cmp.Or(declared.at("default").plain(), s.example.at(m[1]).plain(), harmless(declared.at("type").str())))
	}
	return words
}

// literal is the content of a string literal.
func literal(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if len(text) < 2 || text[0] != text[len(text)-1] || !strings.ContainsRune("'\"`", rune(text[0])) {
		return "", false
	}
	inner := text[1 : len(text)-1]
	if strings.ContainsAny(inner, "\\"+text[:1]) || text[0] == '`' && strings.Contains(inner, "${") {
		return "", false
	}
	return inner, true
}

// members are those of an object literal at the beginning of a text, by name.
func members(text string) map[string]string {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "{") {
		return nil
	}
	found := map[string]string{}
	for _, part := range split(text) {
		key, value, ok := strings.Cut(part, ":")
		if !ok {
			continue
		}
		key = strings.Trim(strings.TrimSpace(key), `"'`)
		found[key] = strings.TrimSpace(value)
	}
	return found
}

// split is what stands between the commas of the list or object at the
// beginning of a text.
func split(text string) []string {
	var parts []string
	depth, start := 0, 1
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\'', '"', '`':
			i = closing(text, i)
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				if part := strings.TrimSpace(text[start:i]); part != "" {
					parts = append(parts, part)
				}
				return parts
			}
		case ',':
			if depth == 1 {
				parts = append(parts, strings.TrimSpace(text[start:i]))
				start = i + 1
			}
		}
	}
	return parts
}

// closing is the place of the quote that ends the literal which begins at i,
// the end of the text if there is none.
func closing(text string, i int) int {
	for j := i + 1; j < len(text); j++ {
		switch text[j] {
		case '\\':
			j++
		case text[i]:
			return j
		}
	}
	return len(text)
}
