package argument

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// number makes a number within the bounds of a schema, another one each turn.
func (g *generator) number(schema map[string]any, whole bool) (any, error) {
	return nthNumber(schema, whole, g.turn/slow)
}

// number makes the simplest number within the bounds of a schema.
func number(schema map[string]any, whole bool) (any, error) { return nthNumber(schema, whole, 0) }

func nthNumber(schema map[string]any, whole bool, n int) (any, error) {
	low, lowOpen := boundary(schema, "minimum", "exclusiveMinimum", 1)
	high, highOpen := boundary(schema, "maximum", "exclusiveMaximum", -1)
	step := rat(schema["multipleOf"])
	if step != nil && step.Sign() <= 0 {
		step = nil
	}
	allowed := func(x *big.Rat) bool {
		return (!whole || x.IsInt()) && (step == nil || new(big.Rat).Quo(x, step).IsInt()) &&
			(low == nil || x.Cmp(low) > 0 || !lowOpen && x.Cmp(low) == 0) &&
			(high == nil || x.Cmp(high) < 0 || !highOpen && x.Cmp(high) == 0)
	}
	var found []*big.Rat
	for _, x := range tries(low, high, step) {
		if allowed(x) {
			found = append(found, x)
		}
	}
	if len(found) > 0 {
		return plainNumber(found[n%len(found)]), nil
	}
	return nil, errors.New("no number between the bounds was found")
}

// boundary returns the tighter of an inclusive and an exclusive bound, nil for
// none, and whether it is open. In draft 4 the exclusive keyword is a boolean.
func boundary(schema map[string]any, inclusive, exclusive string, sign int) (*big.Rat, bool) {
	closed, open := rat(schema[inclusive]), rat(schema[exclusive])
	if schema[exclusive] == true {
		return closed, true
	}
	if open == nil || closed != nil && closed.Cmp(open)*sign > 0 {
		return closed, false
	}
	return open, true
}

func tries(low, high, step *big.Rat) []*big.Rat {
	list := []*big.Rat{big.NewRat(1, 1), big.NewRat(0, 1), big.NewRat(2, 1)}
	unit := big.NewRat(1, 1)
	if step != nil {
		unit = step
		list = append(list, step, new(big.Rat).Neg(step))
	}
	for _, edge := range []*big.Rat{low, high} {
		if edge == nil {
			continue
		}
		steps := floor(new(big.Rat).Quo(edge, unit))
		for _, n := range []int64{0, 1, -1} {
			list = append(list, new(big.Rat).Mul(new(big.Rat).Add(steps, big.NewRat(n, 1)), unit))
		}
		list = append(list, edge)
	}
	if low != nil && high != nil {
		sum := new(big.Rat).Add(low, high)
		list = append(list, sum.Mul(sum, big.NewRat(1, 2)))
	}
	return list
}

// floor returns the largest whole number that is not above x.
func floor(x *big.Rat) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Div(x.Num(), x.Denom()))
}

// plainNumber writes a number without loss where that is possible.
func plainNumber(x *big.Rat) any {
	if x.IsInt() {
		if n := x.Num(); n.IsInt64() {
			return int(n.Int64())
		}
		return json.Number(x.Num().String())
	}
	digits, exact := x.FloatPrec()
	if !exact {
		digits = 20
	}
	return json.Number(x.FloatString(min(digits, 300)))
}

// formats are examples of the formats that schemas use.
var formats = map[string]string{
	"date-time": "2025-01-01T00:00:00Z", "date": "2025-01-01", "time": "00:00:00Z", "duration": "P1D",
	"email": "person@example.com", "idn-email": "person@example.com", "hostname": "example.com", "idn-hostname": "example.com",
	"ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "uri": "https://example.com/", "url": "https://example.com/", "uri-reference": "/a", "iri": "https://example.com/", "iri-reference": "/a",
	"uuid": "00000000-0000-4000-8000-000000000000", "json-pointer": "/a", "relative-json-pointer": "0", "regex": "a", "uri-template": "/{a}",
}

// samples are texts that many patterns allow.
var samples = []string{"example", "a", "A", "1", "a1", "A1", "ab", "2025-01-01", "2025-01-01T00:00:00Z", "00:00", "example.com", "https://example.com/", "person@example.com", "/a", "#000000", "en", "en-US", "USD", "1.0.0", "00000000-0000-4000-8000-000000000000"}

func (g *generator) text(schema map[string]any) (string, error) {
	least, most := limit(schema, "minLength", 0), limit(schema, "maxLength", 1<<40)
	if least > maxMade-g.made {
		return "", errTooLarge
	}
	pattern, _ := schema["pattern"].(string)
	if pattern == "" && schema["format"] == nil && least <= len(samples[0]) && most >= len(samples[0]) && g.turn < slow {
		g.made += len(samples[0])
		return samples[0], nil
	}
	var re *regexp.Regexp
	if pattern != "" {
		re = compilePattern(pattern)
	}
	var tried []string
	if f, _ := schema["format"].(string); formats[f] != "" {
		tried = append(tried, formats[f])
	}
	tried = append(tried, samples...)
	if re != nil && pattern != "" {
		tried = append(tried, spelled(re.String(), least)...)
	}
	if pattern == "" {
		tried = append(tried, strings.Repeat("a", least), "a", "")
	}
	var found []string
	for _, s := range tried {
		if n := utf8.RuneCountInString(s); n >= least && n <= most && (re == nil || re.MatchString(s)) {
			if found = append(found, s); len(found) > g.turn/slow {
				break
			}
		}
	}
	if len(found) > 0 {
		s := found[g.turn/slow%len(found)]
		g.made += len(s)
		return s, nil
	}
	return "", fmt.Errorf("no text for the pattern %.100q was found", pattern)
}

// spelled returns texts that a pattern may stand for, with its open
// repetitions as short as they can be, longer, and so long that the text has
// the length.
func spelled(pattern string, length int) []string {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	tree = tree.Simplify()
	var texts []string
	for _, s := range []speller{{}, {more: 1}, {more: 3}, {more: length, enough: length}} {
		if s.spell(tree, 0) {
			texts = append(texts, s.String())
		}
	}
	return texts
}

// speller writes a text that a regular expression stands for.
type speller struct {
	strings.Builder
	// more is how often an open repetition is repeated beyond its least, as
	// long as the text has fewer than enough bytes if that is not 0.
	more, enough, steps int
}

func (s *speller) spell(re *syntax.Regexp, depth int) bool {
	const deepest, longest, most = 1000, 4096, 50_000
	if s.steps++; depth > deepest || s.Len() > longest || s.steps > most {
		return false
	}
	switch re.Op {
	case syntax.OpLiteral:
		s.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		if len(re.Rune) == 0 {
			return false
		}
		s.WriteRune(printable(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		s.WriteByte('a')
	case syntax.OpCapture:
		return s.spell(re.Sub[0], depth+1)
	case syntax.OpAlternate:
		return s.spell(re.Sub[0], depth+1)
	case syntax.OpStar:
		return s.repeat(re.Sub[0], s.more, depth)
	case syntax.OpPlus:
		return s.spell(re.Sub[0], depth+1) && s.repeat(re.Sub[0], s.more, depth)
	case syntax.OpQuest:
		return s.repeat(re.Sub[0], min(1, s.more), depth)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if !s.spell(sub, depth+1) {
				return false
			}
		}
	case syntax.OpNoMatch:
		return false
	}
	return true
}

func (s *speller) repeat(re *syntax.Regexp, times, depth int) bool {
	for range times {
		if s.enough > 0 && s.Len() >= s.enough {
			break
		}
		if !s.spell(re, depth+1) {
			return false
		}
	}
	return true
}

// printable picks a character of a class: a letter or digit if it has one,
// else one that can be printed.
func printable(ranges []rune) rune {
	within := func(r rune) bool {
		for i := 0; i+1 < len(ranges); i += 2 {
			if r >= ranges[i] && r <= ranges[i+1] {
				return true
			}
		}
		return false
	}
	for _, r := range "aA1" {
		if within(r) {
			return r
		}
	}
	for r := '~'; r > ' '; r-- {
		if within(r) {
			return r
		}
	}
	return ranges[0]
}
