package check

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// BreachKind says what a message of the server breaks.
type BreachKind string

// The kinds. Sent is none by itself: it notes that the server sent a message
// of a method of its own accord, and whether it may depends on what it
// declared.
const (
	BreachShape              BreachKind = "shape"
	BreachEarly              BreachKind = "early"
	BreachReusedID           BreachKind = "reused id"
	BreachProgressUnknown    BreachKind = "progress: unknown token"
	BreachProgressRetyped    BreachKind = "progress: token of another type"
	BreachProgressNoIncrease BreachKind = "progress: no increase"
	BreachProgressLate       BreachKind = "progress: after the reply"
	Sent                     BreachKind = "sent"
)

// BreachAt is where messages of the server break the negotiated revision.
type BreachAt struct {
	Kind     BreachKind
	Revision string
	// Method is that of the message, or of the request that it answers; ""
	// where it is not known.
	Method string
	// Place is the JSON pointer with a * for each index and each name that the
	// server chose. Keyword and Text say what is wrong there. They are "" for
	// kinds that concern the whole message.
	Place, Keyword, Text string
}

// Breach is the evidence for a BreachAt.
type Breach struct {
	// Pointer is the least JSON pointer that was seen.
	Pointer string
	// Value is the offending value there, for kinds without a pointer the
	// message; nil for one that is too long, and for Sent.
	Value []byte
	// Request is the request that the message answers, nil for none.
	Request []byte
	// Items are the subjects that the place leads to, sorted, at most 100:
	// "tool:NAME", "prompt:NAME", "resource:URI".
	Items []string
}

// addBreach keeps the least pointer of each place, and the least value there.
func (t *Tape) addBreach(at BreachAt, b Breach) {
	if len(b.Value) > maxKeptValue {
		b.Value = nil
	}
	if len(b.Request) > maxKeptValue {
		b.Request = nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	known, ok := t.breaches[at]
	if !ok {
		if len(t.breaches) >= maxEntries {
			return
		}
		known = &breach{items: map[string]bool{}}
		t.breaches[at] = known
	}
	for _, name := range b.Items {
		if len(known.items) < maxItems {
			known.items[name] = true
		}
	}
	if !ok || cmp.Or(cmp.Compare(len(b.Pointer), len(known.Pointer)), cmp.Compare(b.Pointer, known.Pointer), bytes.Compare(b.Value, known.Value), bytes.Compare(b.Request, known.Request)) < 0 {
		known.Breach = Breach{Pointer: b.Pointer, Value: slices.Clone(b.Value), Request: slices.Clone(b.Request)}
	}
}

// breach is a Breach as it is collected.
type breach struct {
	Breach
	items map[string]bool
}

func (t *Tape) unjudge() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.unjudged++
}

// Unjudged is how many messages were too long, or too many in a session, to be
// judged.
func (t *Tape) Unjudged() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.unjudged
}

// Breaches calls yield for each place where messages of the server break the
// negotiated revision, in sorted order.
func (t *Tape) Breaches(yield func(BreachAt, Breach)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	compare := func(a, b BreachAt) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Method, b.Method), cmp.Compare(a.Place, b.Place),
			cmp.Compare(a.Keyword, b.Keyword), cmp.Compare(a.Text, b.Text), cmp.Compare(a.Revision, b.Revision))
	}
	for _, at := range slices.SortedFunc(maps.Keys(t.breaches), compare) {
		b := t.breaches[at].Breach
		b.Items = slices.Sorted(maps.Keys(t.breaches[at].items))
		yield(at, b)
	}
}

// worthKeeping is the size of a reply from which its fingerprint is kept:
// checks read long lists again and again as a sign of life. Those of
// notifications are kept whatever their size, since some servers repeat them
// without end.
const worthKeeping = 2 << 10

// maxClean bounds the fingerprints.
const maxClean = 1000

// fingerprint is the same for replies that differ in their id alone, and for
// notifications that are equal.
func fingerprint(revision, method string, members map[string]json.RawMessage) [sha256.Size]byte {
	h := sha256.New()
	fmt.Fprintf(h, "%s %q\n", revision, method)
	for _, name := range []string{"jsonrpc", "method", "params", "result", "error"} {
		fmt.Fprintf(h, "%s %d\n", name, len(members[name]))
		h.Write(members[name])
	}
	return [sha256.Size]byte(h.Sum(nil))
}

func (t *Tape) knownClean(key [sha256.Size]byte) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.clean[key]
}

func (t *Tape) markClean(key [sha256.Size]byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if key != [sha256.Size]byte{} && len(t.clean) < maxClean {
		t.clean[key] = true
	}
}
