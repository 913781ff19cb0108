package argument

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// texts plans texts of the wrong length, and such that break the pattern or
// the format.
func (c *planner) texts(p place) {
	declared := types(p.schema)
	if fixed(p.schema) || len(declared) > 0 && !slices.Contains(declared, "string") {
		return
	}
	pattern, _ := p.schema["pattern"].(string)
	re := compilePattern(pattern)
	fits := func(s string) bool { return re == nil || re.MatchString(s) }
	base, _ := p.value().(string)
	if least := limit(p.schema, "minLength", 0); least > 0 && least <= maxMade {
		c.put(p, TooShort, "minLength", prefer(fits, shorter(base, pattern, least-1)))
	}
	if most := limit(p.schema, "maxLength", -1); most > maxMade {
		c.refuse(p.id+"/"+string(TooLong), TooLong, "the text would be too long")
	} else if most >= 0 {
		c.put(p, TooLong, "maxLength", prefer(fits, longer(base, pattern, most+1)))
	}
	if pattern != "" {
		c.pattern(p, base)
	}
	c.format(p)
}

// prefer returns the first text that fits, else the first.
func prefer(fits func(string) bool, texts []string) string {
	if i := slices.IndexFunc(texts, fits); i >= 0 {
		return texts[i]
	}
	return texts[0]
}

// shorter makes texts of a length or less.
func shorter(base, pattern string, length int) []string {
	texts := []string{firstRunes(base+strings.Repeat("a", max(0, length-utf8.RuneCountInString(base))), length)}
	if pattern != "" {
		for _, s := range spelled(pattern, length) {
			if utf8.RuneCountInString(s) <= length {
				texts = append(texts, s)
			}
		}
	}
	return texts
}

// longer makes texts of a length or a little more.
func longer(base, pattern string, length int) []string {
	last := "a"
	if base != "" {
		r, _ := utf8.DecodeLastRuneInString(base)
		last = string(r)
	}
	texts := []string{base + strings.Repeat(last, max(0, length-utf8.RuneCountInString(base)))}
	if pattern != "" {
		for _, s := range spelled(pattern, length) {
			if utf8.RuneCountInString(s) >= length {
				texts = append(texts, s)
			}
		}
	}
	return texts
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

// odd are unusual texts of a format.
var odd = map[string]string{
	"email": "a!b@example.com", "date-time": "2025-01-01t00:00:00.5-01:00", "uri": "urn:x", "uuid": "00000000-0000-0000-0000-00000000000A", "hostname": "x",
}

// pattern plans a text of the right length that breaks the pattern.
func (c *planner) pattern(p place, base string) {
	pattern, _ := p.schema["pattern"].(string)
	re := compilePattern(pattern)
	if re == nil {
		c.refuse(p.id+"/"+string(Pattern), Pattern, "the pattern can't be evaluated")
		return
	}
	least, most := limit(p.schema, "minLength", 0), limit(p.schema, "maxLength", 1<<40)
	tried := []string{wrongText, "~not valid~", base + "~", "~" + base, "~", "0", "a", " ", ""}
	if least <= maxMade {
		tried = append(tried, strings.Repeat("~", least), strings.Repeat("0", least))
	}
	if name, _ := p.schema["format"].(string); formats[name] != "" {
		// Up to draft 7 the validator stops at a wrong format.
		tried = append(tried, formats[name], odd[name])
	}
	var drafts []draft
	for _, s := range tried {
		if n := utf8.RuneCountInString(s); n >= least && n <= most && !re.MatchString(s) {
			drafts = append(drafts, c.replaced(p, Pattern, "pattern", s))
		}
	}
	if len(drafts) == 0 {
		c.refuse(p.id+"/"+string(Pattern), Pattern, "no text was found that breaks the pattern")
		return
	}
	c.first(p, drafts)
}

// misformed are texts that nobody takes for one of the format.
var misformed = map[string]string{
	"date-time": "not a date", "date": "not a date", "time": "not a time", "duration": "not a duration",
	"email": "not an email", "idn-email": "not an email", "hostname": "not a host!", "ipv4": "999.999.999.999", "ipv6": "not:an:address",
	"uri": "not a uri", "iri": "not a uri", "uuid": "not-a-uuid", "json-pointer": "not a pointer", "relative-json-pointer": "not a pointer",
}

func (c *planner) format(p place) {
	name, _ := p.schema["format"].(string)
	text, ok := misformed[name]
	if !ok {
		return
	}
	// The length and the pattern shall not refuse it.
	least, most := limit(p.schema, "minLength", 0), limit(p.schema, "maxLength", 1<<40)
	if n := utf8.RuneCountInString(text); n < least || n > most {
		c.refuse(p.id+"/"+string(Format), Format, "the length leaves no room for a wrong format")
		return
	}
	c.put(p, Format, "format", text)
}
