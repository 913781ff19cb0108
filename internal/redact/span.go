package redact

import (
	"cmp"
	"slices"
	"strings"
)

// minPart is the length in bytes from which on a part of a secret at either
// end of a text is taken for a secret that was cut in two.
const minPart = 8

// span is a place that holds a secret: bytes from start up to end.
type span struct{ start, end, name int }

// spans finds the secrets in text, in all encodings, in no order.
func (r *Redactor) spans(text string) []span {
	if r == nil || len(r.names) == 0 {
		return nil
	}
	var list []span
	for _, v := range views([]byte(text), true) {
		r.forward.each(v.text, func(start, end, name int) {
			start, end = v.raw(start, end)
			list = append(list, span{start, end, name})
		})
	}
	return list
}

// edges finds the rest of a secret at the beginning of text and, if atEnd, the
// beginning of one at its end: what a bounded buffer leaves of it.
func (r *Redactor) edges(text string, atEnd bool) []span {
	var list []span
	if size, name := r.backward.tail(reversed(text[:min(len(text), r.backward.longest)])); size >= minPart {
		list = append(list, span{0, size, name})
	}
	if !atEnd {
		return list
	}
	if size, name := r.forward.tail(text[max(0, len(text)-r.forward.longest):]); size >= minPart {
		list = append(list, span{len(text) - size, len(text), name})
	}
	return list
}

// cover sorts spans and yields them without those that lie within another one.
// Of two that overlap the second is shortened, or joined to the first if they
// are of one secret.
func cover(spans []span, yield func(s span)) {
	slices.SortFunc(spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end), cmp.Compare(a.name, b.name))
	})
	var open []span
	for _, s := range spans {
		if n := len(open); n > 0 && s.start < open[n-1].end {
			last := &open[n-1]
			if s.end <= last.end {
				continue
			}
			if s.name == last.name {
				last.end = s.end
				continue
			}
			s.start = last.end
		}
		open = append(open, s)
	}
	for _, s := range open {
		yield(s)
	}
}

// hide cleans the first used bytes of text and puts a placeholder in the place
// of each span. It returns the marks for the placeholders and how many bytes
// were used when no secret is cut.
func (r *Redactor) hide(text string, used int, spans []span) (string, []string, int) {
	var b strings.Builder
	var marks []string
	at := 0
	cover(spans, func(s span) {
		if s.start >= used {
			return
		}
		writeVisible(&b, text[at:s.start])
		b.WriteString(placeholder)
		marks = append(marks, r.marks[s.name])
		at = s.end
	})
	used = max(used, at)
	writeVisible(&b, text[at:used])
	return b.String(), marks, used
}

// hideAgain puts placeholders in the place of the secrets that clean text
// still holds, between the placeholders that it has for marks.
func (r *Redactor) hideAgain(text string, marks []string) (string, []string) {
	spans := r.spans(text)
	if len(spans) == 0 {
		return text, marks
	}
	var b strings.Builder
	var all []string
	at := 0
	copyTo := func(end int) {
		n := strings.Count(text[at:end], placeholder)
		all = append(all, marks[:n]...)
		marks = marks[n:]
		b.WriteString(text[at:end])
	}
	cover(spans, func(s span) {
		copyTo(s.start)
		b.WriteString(placeholder)
		all = append(all, r.marks[s.name])
		at = s.end
	})
	copyTo(len(text))
	return b.String(), all
}
