package check

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/sealmark/action/internal/session"
	"github.com/sealmark/action/internal/spec"
	"github.com/sealmark/action/internal/wire"
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

// Bounds of judging.
const (
	maxJudgedFrame = 4 << 20
	maxJudged      = 20_000 // messages of a session
	maxPending     = 4096
	maxTracked     = 1000 // tokens, ids, and odd ids of a session
	maxEarly       = 16   // messages kept until the revision is known
	maxKeptValue   = 8 << 10
	maxItems       = 100
)

// judge judges the messages of one session as they come. What it finds goes to
// the tape.
type judge struct {
	tape    *Tape
	schemas *spec.Schemas
	// ready: initialize was answered.
	ready bool
	early [][]byte

	judged  int
	pending map[string]asked
	oddIDs  map[string]bool
	// ids are those of the server's own requests.
	ids    map[string]bool
	tokens map[string]*progress
}

// asked is a request of ours that is not answered yet.
type asked struct {
	// raw is nil for a long one.
	raw    []byte
	method string
	// item is what the request is about, "" for nothing that has a name.
	item string
	// dated: the request itself does not say "jsonrpc": "2.0".
	dated bool
	token string
}

// progress is what came for a progress token.
type progress struct {
	reported bool
	last     float64
	done     bool
}

func newJudge(t *Tape) *judge {
	return &judge{tape: t, pending: map[string]asked{}, oddIDs: map[string]bool{}, ids: map[string]bool{}, tokens: map[string]*progress{}}
}

// sent notes a message of ours.
func (j *judge) sent(raw []byte) {
	if len(raw) > maxJudgedFrame {
		return
	}
	members := wire.Members(raw)
	id := string(bytes.TrimSpace(members["id"]))
	if id == "" {
		return
	}
	if id[0] != '"' && !integer(id) {
		if len(j.oddIDs) < maxTracked {
			j.oddIDs[id] = true
		}
	}
	a := asked{method: text(members["method"]), dated: string(members["jsonrpc"]) != `"2.0"`}
	if len(raw) <= maxKeptValue {
		a.raw = raw
	}
	var params map[string]json.RawMessage
	json.Unmarshal(members["params"], &params)
	a.item = requestItem(a.method, params)
	if bytes.Contains(raw, []byte("progressToken")) {
		var meta map[string]json.RawMessage
		json.Unmarshal(params["_meta"], &meta)
		a.token = string(meta["progressToken"])
	}
	if a.token != "" && len(j.tokens) < maxTracked {
		j.tokens[a.token] = &progress{}
	}
	if len(j.pending) < maxPending {
		j.pending[id] = a
	}
}

// requestItem names what a request is about.
func requestItem(method string, params map[string]json.RawMessage) string {
	switch method {
	case "tools/call":
		return item("tool:", text(params["name"]))
	case "prompts/get":
		return item("prompt:", text(params["name"]))
	case "resources/read":
		return item("resource:", text(params["uri"]))
	}
	return ""
}

func item(kind, name string) string {
	if name == "" || len(name) > 1000 {
		return ""
	}
	return kind + name
}

// received judges a message of the server.
func (j *judge) received(raw []byte) {
	if len(raw) > maxJudgedFrame || j.judged >= maxJudged {
		j.tape.unjudge()
		return
	}
	j.judged++
	members := wire.Members(raw)
	_, isMethod := members["method"]
	id := string(bytes.TrimSpace(members["id"]))
	a, answers := j.pending[id]
	answers = answers && !isMethod
	if answers {
		delete(j.pending, id)
		if p := j.tokens[a.token]; p != nil {
			p.done = true
		}
	}
	switch {
	case answers && a.method == "initialize" && !j.ready:
		j.negotiated(members["result"])
	case !j.ready:
		if len(j.early) < maxEarly && len(raw) <= maxKeptValue {
			j.early = append(j.early, slices.Clone(raw))
		}
		return
	}
	j.judge(raw, members, a, isMethod)
}

// negotiated reads the revision off the reply to initialize, and judges what
// came before it.
func (j *judge) negotiated(result json.RawMessage) {
	j.ready = true
	var members map[string]json.RawMessage
	json.Unmarshal(result, &members)
	schemas, ok := spec.For(text(members["protocolVersion"]))
	if !ok {
		return
	}
	j.schemas = schemas
	for _, raw := range j.early {
		members := wire.Members(raw)
		_, isMethod := members["method"]
		if method := text(members["method"]); isMethod && spec.Known(method) && !MayComeEarly(method) {
			j.note(BreachAt{Kind: BreachEarly, Method: method}, Breach{Value: raw})
		}
		j.judge(raw, members, asked{}, isMethod)
	}
	j.early = nil
}

// MayComeEarly reports whether a server may send a message of the method
// before the client says that it is initialised (MCP, Base protocol,
// Lifecycle, Initialization).
func MayComeEarly(method string) bool { return method == "ping" || method == "notifications/message" }

func (j *judge) judge(raw []byte, members map[string]json.RawMessage, a asked, isMethod bool) {
	if j.schemas == nil {
		return
	}
	method := a.method
	if isMethod {
		method = text(members["method"])
		j.own(raw, method, members)
	}
	key := [sha256.Size]byte{}
	if a.method != "" && len(raw) > worthKeeping {
		key = fingerprint(j.schemas.Revision(), a.method, members)
		if j.tape.knownClean(key) {
			return
		}
	}
	violations := j.schemas.Message(raw, a.method)
	if len(violations) == 0 {
		j.tape.markClean(key)
		return
	}
	if !spec.Known(method) {
		method = ""
	}
	var whole any
	json.Unmarshal(raw, &whole)
	for _, v := range violations {
		if !isMethod && j.ours(v, members, a) {
			continue
		}
		value, subject := lookUp(whole, spec.Tokens(v.Pointer))
		b := Breach{Pointer: v.Pointer, Value: value, Request: a.raw}
		if subject = cmp.Or(subject, a.item); subject != "" {
			b.Items = []string{subject}
		}
		j.note(BreachAt{Kind: BreachShape, Method: method, Place: j.schemas.Place(v.Pointer), Keyword: v.Keyword, Text: v.Text}, b)
	}
}

// worthKeeping is the size of a reply from which its fingerprint is kept:
// checks read long lists again and again as a sign of life.
const worthKeeping = 2 << 10

// maxClean bounds the fingerprints.
const maxClean = 1000

// fingerprint is the same for replies that differ in their id alone.
func fingerprint(revision, method string, members map[string]json.RawMessage) [sha256.Size]byte {
	h := sha256.New()
	fmt.Fprintf(h, "%s %q\n", revision, method)
	for _, name := range []string{"jsonrpc", "result", "error"} {
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

// ours reports whether a reply only repeats what was odd in our request: its
// id, or its version of JSON-RPC.
func (j *judge) ours(v spec.Violation, members map[string]json.RawMessage, a asked) bool {
	switch {
	case v.Pointer == "/id":
		return j.oddIDs[string(bytes.TrimSpace(members["id"]))]
	case v.Pointer == "/jsonrpc" || v.Pointer == "" && v.Member == "jsonrpc":
		return a.dated
	}
	return false
}

// own judges a request or notification that the server sent of its own accord.
func (j *judge) own(raw []byte, method string, members map[string]json.RawMessage) {
	if spec.Known(method) {
		j.note(BreachAt{Kind: Sent, Method: method}, Breach{})
	}
	if id := string(bytes.TrimSpace(members["id"])); id != "" && id != "null" {
		if j.ids[id] {
			j.note(BreachAt{Kind: BreachReusedID}, Breach{Value: raw})
		}
		if len(j.ids) < maxTracked && len(id) < maxKeptValue {
			j.ids[id] = true
		}
	}
	if method == "notifications/progress" {
		j.progress(raw, members["params"])
	}
}

// progress judges a progress notification (MCP, Base protocol, Utilities,
// Progress).
func (j *judge) progress(raw []byte, params json.RawMessage) {
	var p map[string]json.RawMessage
	json.Unmarshal(params, &p)
	token := string(bytes.TrimSpace(p["progressToken"]))
	var value float64
	if token == "" || json.Unmarshal(p["progress"], &value) != nil {
		return // the shape is wrong
	}
	state := j.tokens[token]
	kind := BreachKind("")
	switch {
	case state == nil && (j.tokens[strconv.Quote(token)] != nil || j.tokens[text(p["progressToken"])] != nil):
		kind = BreachProgressRetyped
	case state == nil:
		kind = BreachProgressUnknown
	case state.done:
		kind = BreachProgressLate
	case state.reported && value <= state.last:
		kind = BreachProgressNoIncrease
	}
	if state != nil {
		state.reported, state.last = true, value
	}
	if kind != "" {
		j.note(BreachAt{Kind: kind}, Breach{Value: raw})
	}
}

func (j *judge) note(at BreachAt, b Breach) {
	at.Revision = j.schemas.Revision()
	j.tape.addBreach(at, b)
}

// lookUp returns the value at a pointer, and what the deepest listed item on
// the way is called.
func lookUp(value any, tokens []string) (raw []byte, subject string) {
	kind := ""
	for _, token := range tokens {
		switch v := value.(type) {
		case map[string]any:
			value = v[token]
			kind = map[string]string{"tools": "tool:", "prompts": "prompt:", "resources": "resource:", "resourceTemplates": "resource:"}[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) {
				return nil, subject
			}
			value = v[i]
			if listed, ok := value.(map[string]any); ok && kind != "" {
				subject = cmp.Or(item(kind, label(listed)), subject)
			}
			kind = ""
		}
	}
	raw, _ = json.Marshal(value)
	return raw, subject
}

func label(listed map[string]any) string {
	for _, member := range []string{"uri", "uriTemplate", "name"} {
		if value, _ := listed[member].(string); value != "" {
			return value
		}
	}
	return ""
}

func text(raw json.RawMessage) string {
	var value string
	json.Unmarshal(raw, &value)
	return value
}

func integer(id string) bool {
	_, err := strconv.ParseInt(id, 10, 64)
	return err == nil
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

// watch returns what the judge of one session does with an event.
func (j *judge) watch(e session.Event) {
	switch e.Direction {
	case session.Out:
		j.sent(e.Raw)
	case session.In:
		j.received(e.Raw)
	}
}
