package reply

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// Range tells of a number out of range that was sent.
type Range struct {
	// Name is the last name of the argument.
	Name string
	// Value is what was sent, Limit the bound that it is beyond.
	Value, Limit json.RawMessage
}

var (
	// numeral is a number in a text, with separators of thousands.
	numeral = regexp.MustCompile(`-?\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][+-]?\d{1,3})?`)
	// clampedTo ends before the number that a value was changed to.
	clampedTo = regexp.MustCompile(`(?i)(?:\b(?:clamp(?:ed|ing)|capp(?:ed|ing)|limit(?:ed|ing)|reduc(?:ed|ing)|lower(?:ed|ing)|rais(?:ed|ing)|adjust(?:ed|ing)|truncat(?:ed|ing)|cut|increas(?:ed|ing)|decreas(?:ed|ing)|restrict(?:ed|ing)|round(?:ed|ing))(?: [\w"'\x60.-]+){0,5}? (?:to|at)(?: the)?(?: (?:maximum|minimum|limit|max|min|allowed|range))*(?: (?:of|value))*|` +
		`\busing (?:the )?(?:maximum|minimum|limit|max|min)(?: \w+)?(?: of)?)[ :("'\x60=]*$`)
)

const (
	beforeNumber = 120  // bytes before a number that are looked at
	afterNumber  = 60   // bytes after it
	mostNumbers  = 5000 // numbers in a text that are looked at
)

// clamped returns the piece of a text that shows the limit in place of the
// value that was sent, "" if none does. The limit counts only beside the
// argument's name, as in "copies: 20" or "20 copies", where the value sent is
// nowhere in the text, or after words that tell of a change.
func (r Range) clamped(text string) string {
	limit, value := float(string(r.Limit)), float(string(r.Value))
	if limit == nil || value == nil || *limit == *value || r.Name == "" {
		return ""
	}
	text = text[:min(len(text), maxText)]
	name := regexp.QuoteMeta(r.Name)
	nameBefore := regexp.MustCompile(`(?i)(?:^|[^\w-])["'\x60*]*` + name + `["'\x60*\\]{0,4}\s*(?:[:=]|is|are|set to|→|->)?\s*["'\x60*]*$`)
	nameAfter := regexp.MustCompile(`(?i)^\s+` + name + `\b`)
	beside := ""
	for _, at := range numeral.FindAllStringIndex(text, mostNumbers) {
		start, end := at[0], at[1]
		number := float(text[start:end])
		if number == nil || start > 0 && (wordByte(text[start-1]) || text[start-1] == '.') || end < len(text) && wordByte(text[end]) {
			continue
		}
		if *number == *value {
			// What was sent is there; only words that tell of a change count.
			beside, name = "", ""
			continue
		}
		if *number != *limit {
			continue
		}
		before, after := text[max(0, start-beforeNumber):start], text[end:min(len(text), end+afterNumber)]
		piece := strings.ToValidUTF8(text[max(0, start-60):min(len(text), end+20)], "")
		switch {
		case clampedTo.MatchString(before):
			return piece
		case name != "" && beside == "" && (nameBefore.MatchString(before) || nameAfter.MatchString(after)):
			beside = piece
		}
	}
	return beside
}

// float reads a number, nil for what is none.
func float(text string) *float64 {
	f, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(text), ",", ""), 64)
	if err != nil {
		return nil
	}
	return &f
}
