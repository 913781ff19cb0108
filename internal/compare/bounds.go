package compare

import (
	"fmt"
	"math"
	"slices"
)

// boundWords are the pairs of keywords for the lower and the upper end, with
// the type of value that they bind.
var boundWords = []struct{ lower, upper, of, what string }{
	{"minimum", "maximum", "number", ""},
	{"minLength", "maxLength", "string", "length of "},
	{"minItems", "maxItems", "array", "number of items in "},
	{"minProperties", "maxProperties", "object", "number of fields in "},
}

// bounds compares what a value may measure.
func (d *differ) bounds(path string, now, base node, unsure bool) {
	for _, w := range boundWords {
		if !now.allows(w.of) || !base.allows(w.of) {
			continue
		}
		// Of whole numbers and others the whole ones are compared; that the
		// others are gone or new is a matter of the type.
		whole := now.whole() || base.whole()
		is, ok := now.span(w.lower, w.upper, whole)
		was, wasOK := base.span(w.lower, w.upper, whole)
		if !ok || !wasOK {
			if now.boundText(w.lower, w.upper) != base.boundText(w.lower, w.upper) {
				d.other(schemaChanged, "The bounds of %s changed in a way that is not read.", d.name(path))
			}
			continue
		}
		what := w.what + d.name(path)
		if w.what == "" {
			what = "value of " + what
		}
		switch {
		case is == was:
		case is.tighter(was):
			d.narrower(boundTightened, unsure, "The %s is bound to %s now; it was %s.", what, is, was)
		default:
			d.other(schemaChanged, "The %s is bound to %s now; it was %s.", what, is, was)
		}
	}
	if now.allows("number") && base.allows("number") {
		d.multiple(path, now, base, unsure)
	}
	if now.allows("array") && base.allows("array") && now.members["uniqueItems"] == true && base.members["uniqueItems"] != true {
		d.narrower(boundTightened, unsure, "The items of %s must differ now.", d.name(path))
	}
}

// span is what lies between two bounds, both included.
type span struct {
	low, high         float64
	openLow, openHigh bool // the end itself is excluded
}

func (s span) String() string {
	low, high := fmt.Sprintf("%g", s.low), fmt.Sprintf("%g", s.high)
	if s.openLow {
		low = "more than " + low
	}
	if s.openHigh {
		high = "less than " + high
	}
	switch {
	case math.IsInf(s.low, -1) && math.IsInf(s.high, 1):
		return "nothing"
	case math.IsInf(s.high, 1):
		return low + " and above"
	case math.IsInf(s.low, -1):
		return high + " and below"
	}
	return low + " to " + high
}

// span reads the bounds of a place, those of whole numbers if they alone
// count. ok is false if one is not a number.
func (n node) span(lower, upper string, whole bool) (s span, ok bool) {
	s = span{low: math.Inf(-1), high: math.Inf(1)}
	if lower != "minimum" {
		s.low = 0
	}
	words := []string{lower, upper}
	if lower == "minimum" {
		words = append(words, "exclusiveMinimum", "exclusiveMaximum")
	}
	for _, word := range words {
		if n.members[word] == nil {
			continue
		}
		value, isNumber := n.number(word)
		if !isNumber {
			return s, false
		}
		switch word {
		case lower:
			s.low = max(s.low, value)
		case upper:
			s.high = min(s.high, value)
		case "exclusiveMinimum":
			if value >= s.low {
				s.low, s.openLow = value, true
			}
		case "exclusiveMaximum":
			if value <= s.high {
				s.high, s.openHigh = value, true
			}
		}
	}
	if lower == "minimum" && whole {
		s = s.whole()
	}
	return s, true
}

// whole reports whether the only numbers are whole ones.
func (n node) whole() bool {
	return slices.Contains(n.types, "integer") && !slices.Contains(n.types, "number")
}

// whole writes the bounds of whole numbers by the outermost of them.
func (s span) whole() span {
	low, high := math.Ceil(s.low), math.Floor(s.high)
	if s.openLow && low == s.low {
		low++
	}
	if s.openHigh && high == s.high {
		high--
	}
	return span{low: low, high: high}
}

// tighter reports whether something is outside of s that was inside of was.
func (s span) tighter(was span) bool {
	return s.low > was.low || s.low == was.low && s.openLow && !was.openLow ||
		s.high < was.high || s.high == was.high && s.openHigh && !was.openHigh
}

// boundText is the text of the bounds as they stand.
func (n node) boundText(lower, upper string) string {
	words := []string{lower, upper}
	if lower == "minimum" {
		words = append(words, "exclusiveMinimum", "exclusiveMaximum")
	}
	text := ""
	for _, word := range words {
		text += key(n.members[word]) + "\x00"
	}
	return text
}

// multiple compares multipleOf.
func (d *differ) multiple(path string, now, base node, unsure bool) {
	is, bound := now.number("multipleOf")
	was, wasBound := base.number("multipleOf")
	if !wasBound && base.whole() {
		was, wasBound = 1, true
	}
	switch {
	case key(now.members["multipleOf"]) == key(base.members["multipleOf"]):
	case !bound || is <= 0:
		d.other(schemaChanged, "The steps of %s changed.", d.name(path))
	case wasBound && was > 0 && math.Abs(was/is-math.Round(was/is)) < 1e-9:
		d.other(schemaChanged, "The steps of %s changed.", d.name(path))
	default:
		d.narrower(boundTightened, unsure, "The value of %s must be a multiple of %g now.", d.name(path), is)
	}
}
