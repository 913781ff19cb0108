// Package redact cleans text before it leaves the process: it removes secrets,
// makes control characters visible and bounds the length. Every text that a
// server supplied passes here.
package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// minSecret is the length in bytes below which a value is no secret: removing
// shorter ones would damage ordinary text.
const minSecret = 6

// Redactor removes a set of secrets. A nil Redactor removes none, but still
// cleans and bounds.
type Redactor struct {
	forms    []form
	replacer *strings.Replacer
}

// form is a way in which a secret may be written.
type form struct{ name, text string }

// New returns a Redactor for secrets given by name.
func New(secrets map[string]string) *Redactor {
	r := &Redactor{}
	seen := map[string]bool{}
	names := make([]string, 0, len(secrets))
	for name := range secrets {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if len(secrets[name]) < minSecret {
			continue
		}
		for _, text := range spellings(secrets[name]) {
			if len(text) >= minSecret && !seen[text] {
				seen[text] = true
				r.forms = append(r.forms, form{name, text})
			}
		}
	}
	// Longer forms first, so that a secret within another one does not leave
	// the rest of it behind.
	slices.SortStableFunc(r.forms, func(a, b form) int { return len(b.text) - len(a.text) })
	pairs := make([]string, 0, 2*len(r.forms))
	for _, f := range r.forms {
		pairs = append(pairs, f.text, mark(f.name))
	}
	r.replacer = strings.NewReplacer(pairs...)
	return r
}

func mark(name string) string { return "[redacted:" + name + "]" }

// spellings returns the forms in which a value may come back: plain, each of
// its lines, JSON-escaped, percent-encoded, and base64 at each of the three
// alignments.
func spellings(value string) []string {
	escaped, _ := json.Marshal(value)
	upper := url.QueryEscape(value)
	list := []string{
		value, string(escaped[1 : len(escaped)-1]),
		upper, lowerHex(upper), url.PathEscape(value), lowerHex(url.PathEscape(value)),
	}
	if strings.ContainsAny(value, "\r\n") {
		list = append(list, strings.FieldsFunc(value, func(c rune) bool { return c == '\n' || c == '\r' })...)
	}
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for shift := range 3 {
			// The characters that depend on neighbouring bytes are left out.
			coded := enc.EncodeToString(append(make([]byte, shift), value...))
			from := []int{0, 2, 3}[shift]
			to := len(coded)
			if (shift+len(value))%3 != 0 {
				to--
			}
			if to-from >= 8 {
				list = append(list, coded[from:to])
			}
		}
	}
	return list
}

// lowerHex writes the hex digits of percent-encoded bytes in lower case.
func lowerHex(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			b[i+1], b[i+2] = byte(unicode.ToLower(rune(b[i+1]))), byte(unicode.ToLower(rune(b[i+2])))
		}
	}
	return string(b)
}

// Text removes the secrets from s, makes it valid UTF-8, writes control and
// invisible characters other than newline and tab as escapes, and cuts it
// after max bytes with a note of how many more there were.
func (r *Redactor) Text(s string, max int) string {
	return cut(visible(r.remove(s)), max)
}

// Line is Text on one line: newlines, tabs and runs of blanks become one
// blank.
func (r *Redactor) Line(s string, max int) string {
	return cut(strings.Join(strings.Fields(visible(r.remove(s))), " "), max)
}

func (r *Redactor) remove(s string) string {
	if r == nil || r.replacer == nil {
		return s
	}
	return r.replacer.Replace(s)
}

// Find returns the names of the secrets that occur in data in any form,
// sorted.
func (r *Redactor) Find(data []byte) []string {
	if r == nil {
		return nil
	}
	var names []string
	for _, f := range r.forms {
		if !slices.Contains(names, f.name) && bytes.Contains(data, []byte(f.text)) {
			names = append(names, f.name)
		}
	}
	slices.Sort(names)
	return names
}

// visible makes valid UTF-8 of s and writes what can't be seen as escapes.
func visible(s string) string {
	clean := true
	for _, c := range s {
		if hidden(c) || c == utf8.RuneError {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for _, c := range s {
		switch {
		case c == '\r':
			b.WriteString(`\r`)
		case hidden(c) && c > 0xffff:
			fmt.Fprintf(&b, `\U%08X`, c)
		case hidden(c):
			fmt.Fprintf(&b, `\u%04X`, c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// hidden reports whether a character acts on a terminal or a reader without
// being seen: controls, format characters such as bidirectional overrides and
// zero-width ones, line separators, private use and tags.
func hidden(c rune) bool {
	if c == '\n' || c == '\t' {
		return false
	}
	if c < utf8.RuneSelf {
		return c < ' ' || c == 0x7f
	}
	return unicode.IsControl(c) || unicode.In(c, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp) || c == 0x3164 || c == 0x115f || c == 0x1160
}

// cut bounds s to max bytes, on a character's border.
func cut(s string, max int) string {
	if len(s) <= max {
		return s
	}
	end := max
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return fmt.Sprintf("%s… (%d bytes more)", s[:end], len(s)-end)
}
