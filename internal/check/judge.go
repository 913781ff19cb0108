package check

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/sealmark/action/internal/rawjson"
	"github.com/sealmark/action/internal/session"
	"github.com/sealmark/action/internal/spec"
	"github.com/sealmark/action/internal/wire"
)

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
	if id[0] != '"' && !integer(id) && len(j.oddIDs) < maxTracked {
		j.oddIDs[id] = true
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
	var a asked
	answers := false
	if !isMethod {
		a, answers = j.pending[id]
	}
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
	switch {
	case isMethod && members["id"] == nil, a.method != "" && len(raw) > worthKeeping:
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
		value, subject := lookUp(whole, rawjson.Tokens(v.Pointer))
		b := Breach{Pointer: v.Pointer, Value: value, Request: a.raw}
		if subject = cmp.Or(subject, a.item); subject != "" {
			b.Items = []string{subject}
		}
		j.note(BreachAt{Kind: BreachShape, Method: method, Place: j.schemas.Place(v.Pointer), Keyword: v.Keyword, Text: v.Text}, b)
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

func (j *judge) note(at BreachAt, b Breach) {
	at.Revision = j.schemas.Revision()
	j.tape.addBreach(at, b)
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

// watch takes an event of the session.
func (j *judge) watch(e session.Event) {
	switch e.Direction {
	case session.Out:
		j.sent(e.Raw)
	case session.In:
		j.received(e.Raw)
	}
}
