// Package redact cleans text before it leaves the process: it removes secrets,
// makes control characters visible and bounds the length. Every text that a
// server supplied passes here.
package redact

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// minSecret is the length in bytes below which a value is no secret: removing
// shorter ones would damage ordinary text.
const minSecret = 6

// Redactor removes a set of secrets. A nil Redactor removes none, but still
// cleans and bounds. It is safe for concurrent use.
type Redactor struct {
	names   []string
	marks   []string // what stands for the secret of the name
	quiet   int      // the last so many names are those of paths
	forward *matcher
	// backward holds the forms back to front: it finds a secret whose
	// beginning was cut off.
	backward *matcher
}

// Path is a folder whose name says nothing and differs from run to run, and
// what is written in its place.
type Path struct{ Folder, Shown string }

// New returns a Redactor for secrets given by name. Values under 6 bytes are
// ignored. Paths are replaced wherever a secret would be, but they are none:
// Find and Names leave them out.
func New(secrets map[string]string, paths ...Path) *Redactor {
	r := &Redactor{forward: newMatcher(), backward: newMatcher()}
	for name, value := range secrets {
		if len(value) >= minSecret {
			r.names = append(r.names, name)
		}
	}
	slices.Sort(r.names)
	for i, name := range r.names {
		r.marks = append(r.marks, "[redacted:"+(*Redactor)(nil).Line(name, 100)+"]")
		for _, form := range spellings(secrets[name]) {
			r.forward.add(form, i)
			r.backward.add(reversed(form), i)
		}
	}
	for _, p := range paths {
		if len(p.Folder) < minSecret {
			continue
		}
		for _, form := range [][2]string{{p.Folder, p.Shown}, {p.Folder + "/", inFolder(p.Shown)}} {
			i := len(r.names)
			r.names, r.marks, r.quiet = append(r.names, p.Folder), append(r.marks, form[1]), r.quiet+1
			r.forward.add(form[0], i)
			r.backward.add(reversed(form[0]), i)
		}
	}
	r.forward.link()
	r.backward.link()
	return r
}

// Names returns the names of the secrets that are removed, sorted.
func (r *Redactor) Names() []string {
	if r == nil {
		return nil
	}
	return slices.Clone(r.names[:len(r.names)-r.quiet])
}

// inFolder is what stands for a folder before the path of a file in it.
func inFolder(shown string) string {
	if shown == "." {
		return ""
	}
	return shown + "/"
}

// Text removes the secrets from s, makes it valid UTF-8, writes control and
// invisible characters other than newline and tab as escapes, and cuts it
// after most bytes with a note of how many more there were.
func (r *Redactor) Text(s string, most int) string { return r.write(s, most, false) }

// Line is Text on one line: newlines, tabs and runs of blanks become one
// blank.
func (r *Redactor) Line(s string, most int) string { return r.write(s, most, true) }

// Find returns the names of the secrets that occur in data in any form,
// sorted.
func (r *Redactor) Find(data []byte) []string {
	if r == nil || len(r.names) == 0 {
		return nil
	}
	return r.find(data, len(r.names)-r.quiet)
}

// find is Find for the first most names.
func (r *Redactor) find(data []byte, most int) []string {
	// Pieces that overlap by the longest encoded secret keep the decoded
	// copies small.
	const piece = 1 << 20
	found := make([]bool, len(r.names))
	for from := 0; from < len(data); from += piece {
		to := min(len(data), from+piece+r.reach())
		for _, v := range views(data[from:to], false) {
			r.forward.names(v.text, found)
		}
	}
	var names []string
	for i, yes := range found[:most] {
		if yes {
			names = append(names, r.names[i])
		}
	}
	return names
}

// reach is the length in bytes of the longest secret in its longest encoding.
func (r *Redactor) reach() int {
	if r == nil {
		return 0
	}
	return maxEncoded*r.forward.longest + maxEncoded
}

// placeholder stands for a removed secret while the text around it is cleaned.
// Neither cleaned text nor a form of a secret holds it.
const placeholder = "\x00"

// write does the work of Text and Line on as much of s as most bytes can need.
func (r *Redactor) write(s string, most int, oneLine bool) string {
	most = max(most, 0)
	head, used := s, len(s)
	if need := 4*most + 4096; len(s) > need+r.reach() {
		head, used = s[:need+r.reach()], need
		for used > 0 && !utf8.RuneStart(s[used]) {
			used--
		}
	}
	spans := r.spans(head)
	if r != nil {
		spans = append(spans, r.edges(head, len(head) == len(s))...)
	}
	text, marks, used := r.hide(head, used, spans)
	if oneLine {
		text = strings.Join(strings.Fields(text), " ")
	}
	// Escaping and folding may have written what was not there before.
	text, marks = r.hideAgain(text, marks)
	return cut(fillIn(text, marks), most, len(s)-used)
}

// fillIn puts the marks in the place of the placeholders.
func fillIn(text string, marks []string) string {
	if len(marks) == 0 {
		return text
	}
	var b strings.Builder
	for i, part := range strings.Split(text, placeholder) {
		if i > 0 {
			b.WriteString(marks[i-1])
		}
		b.WriteString(part)
	}
	return b.String()
}

// cut bounds s to most bytes, on a character's border. more is what was left
// out before, in bytes.
func cut(s string, most, more int) string {
	end := len(s)
	if end > most {
		end = most
		for end > 0 && !utf8.RuneStart(s[end]) {
			end--
		}
	}
	if more += len(s) - end; more > 0 {
		return fmt.Sprintf("%s… (%d bytes more)", s[:end], more)
	}
	return s
}
