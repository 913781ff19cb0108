package check

import (
	"cmp"
	"crypto/sha256"
	"maps"
	"slices"
	"sync"

	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/session"
	"github.com/sealmark/action/internal/wire"
)

// Tape notes what the server wrote in all sessions of a run, as far as
// passive checks need it: what stood on stdout that is no message, where a
// planted secret came back, and where messages break the negotiated revision. It keeps no transcript, so its size does not
// grow with the number of messages. It is safe for concurrent use.
type Tape struct {
	secrets *redact.Redactor

	mu     sync.Mutex
	noise  map[NoiseAt]Seen
	echoes map[EchoAt]Seen
	// redirects holds the requests that were redirected to another origin, by
	// where to.
	redirects map[string]Seen
	frames    int

	breaches map[BreachAt]*breach
	unjudged int
	// clean holds the fingerprints of long replies without a breach.
	clean map[[sha256.Size]byte]bool
}

// NoiseAt is a kind of noise and the phase in which it came.
type NoiseAt struct {
	Kind  wire.NoiseKind
	Phase string
}

// EchoAt is the name of a secret and the phase in which it came back.
type EchoAt struct {
	Secret string
	Phase  string
}

// Seen is the evidence for an entry of the tape.
type Seen struct {
	// Request is the last message that was sent before, nil for none.
	Request []byte
	// Text is what the server wrote. Of several the least in byte order is
	// kept, so that the tape does not depend on who came first.
	Text []byte
}

// maxEntries bounds the entries of either kind on a tape.
const maxEntries = 1000

// NewTape returns an empty tape that looks for the secrets of r.
func NewTape(r *redact.Redactor) *Tape {
	return &Tape{secrets: r, noise: map[NoiseAt]Seen{}, echoes: map[EchoAt]Seen{}, redirects: map[string]Seen{},
		breaches: map[BreachAt]*breach{}, clean: map[[sha256.Size]byte]bool{}}
}

// Observer returns the observer of one session. phase is put before the
// phases of the session, "" for nothing.
func (t *Tape) Observer(phase string) func(session.Event) {
	var last []byte
	judge := newJudge(t)
	return func(e session.Event) {
		judge.watch(e)
		at := e.Phase
		if phase != "" {
			at = phase + ": " + at
		}
		switch e.Direction {
		case session.Out:
			last = e.Raw
		case session.In:
			t.echo(at, last, e.Raw, 1)
		case session.NoiseEvent:
			t.addNoise(NoiseAt{e.Noise.Kind, at}, Seen{last, e.Noise.Text})
			t.echo(at, last, e.Noise.Text, 0)
		case session.RefusedRedirect:
			t.redirect(string(e.Raw), last)
		}
	}
}

func (t *Tape) echo(phase string, request, raw []byte, frames int) {
	names := t.secrets.Find(raw)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.frames += frames
	for _, name := range names {
		keep(t.echoes, EchoAt{name, phase}, Seen{request, raw})
	}
}

func (t *Tape) addNoise(at NoiseAt, seen Seen) {
	t.mu.Lock()
	defer t.mu.Unlock()
	keep(t.noise, at, seen)
}

func (t *Tape) redirect(to string, request []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if known, ok := t.redirects[to]; !ok && len(t.redirects) < maxEntries || ok && slices.Compare(request, known.Request) < 0 {
		t.redirects[to] = Seen{Request: slices.Clone(request)}
	}
}

func keep[K comparable](m map[K]Seen, at K, seen Seen) {
	known, ok := m[at]
	if ok && slices.Compare(known.Text, seen.Text) <= 0 || !ok && len(m) >= maxEntries {
		return
	}
	m[at] = Seen{slices.Clone(seen.Request), slices.Clone(seen.Text)}
}

// Frames is how many messages the server wrote in all sessions.
func (t *Tape) Frames() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.frames
}

// Noise calls yield for each kind and phase of noise, in sorted order.
func (t *Tape) Noise(yield func(NoiseAt, Seen)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	each(t.noise, func(a, b NoiseAt) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), comparePhase(a.Phase, b.Phase)) }, yield)
}

// Echoes calls yield for each secret and phase in which it came back, in
// sorted order.
func (t *Tape) Echoes(yield func(EchoAt, Seen)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	each(t.echoes, func(a, b EchoAt) int { return cmp.Or(cmp.Compare(a.Secret, b.Secret), comparePhase(a.Phase, b.Phase)) }, yield)
}

// Redirects calls yield for each address of another origin that a request was
// redirected to, in sorted order.
func (t *Tape) Redirects(yield func(to string, seen Seen)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	each(t.redirects, cmp.Compare[string], yield)
}

// each calls yield for each entry in the order of compare.
func each[K comparable](m map[K]Seen, compare func(a, b K) int, yield func(K, Seen)) {
	for _, at := range slices.SortedFunc(maps.Keys(m), compare) {
		yield(at, m[at])
	}
}

// comparePhase puts the boot phase first and orders the others by name.
func comparePhase(a, b string) int {
	if (a == session.Boot) != (b == session.Boot) {
		if a == session.Boot {
			return -1
		}
		return 1
	}
	return cmp.Compare(a, b)
}
