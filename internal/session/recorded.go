package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/sealmark/action/internal/reply"
)

// RecordingVersion is the version of the form of recorded snapshots. A reader
// takes this one only.
const RecordingVersion = "1"

// MaxRecording bounds the size in bytes of a recorded snapshot that is read.
const MaxRecording = 64 << 20

// recording is a snapshot as a document.
type recording struct {
	SnapshotVersion string `json:"snapshot_version"`
	// Sealmark is the version of Sealmark that wrote it.
	Sealmark string `json:"sealmark"`
	// ProtocolVersion is the negotiated revision, for readers: it is that of
	// Initialize.
	ProtocolVersion string `json:"protocol_version"`
	// Initialize is the raw result of initialize.
	Initialize json.RawMessage `json:"initialize"`
	// Lists holds the lists that the server advertises.
	Lists map[string]recordedList `json:"lists"`
}

// recordedList is a list and how complete it is.
type recordedList struct {
	Complete bool `json:"complete"`
	// Gap says why the list is not complete.
	Gap string `json:"gap,omitempty"`
	// Refusal is the error with which the list was refused.
	Refusal *recordedRefusal  `json:"refusal,omitempty"`
	Items   []json.RawMessage `json:"items"`
}

// recordedRefusal is an answer with an error. Request and Reply are the
// messages as text, since a reply over HTTP may be no JSON.
type recordedRefusal struct {
	Request string          `json:"request"`
	Reply   string          `json:"reply"`
	Code    json.Number     `json:"code,omitempty"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// recordedLists are the lists of a snapshot and their names in a document.
var recordedLists = []struct{ name, key string }{
	{"tools", "tools"}, {"resources", "resources"}, {"resource templates", "resource_templates"}, {"prompts", "prompts"},
}

// Record writes the snapshot as an indented JSON document with a final newline.
// The same snapshot gives the same bytes. clean is applied to each raw value of
// the server; its error ends the recording.
func (s *Snapshot) Record(sealmark string, clean func(json.RawMessage) (json.RawMessage, error)) ([]byte, error) {
	r := recording{SnapshotVersion: RecordingVersion, Sealmark: sealmark, Lists: map[string]recordedList{}}
	var err error
	if r.Initialize, err = clean(s.Initialize); err != nil {
		return nil, err
	}
	r.ProtocolVersion = stringMember(r.Initialize, "protocolVersion")
	for _, l := range recordedLists {
		state, ok := s.Lists[l.name]
		if !ok {
			continue
		}
		if r.Lists[l.key], err = s.recordList(l.name, state, clean); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(r); err != nil {
		return nil, fmt.Errorf("encode the snapshot: %w", err)
	}
	return b.Bytes(), nil
}

func (s *Snapshot) recordList(name string, state ListState, clean func(json.RawMessage) (json.RawMessage, error)) (recordedList, error) {
	list := recordedList{Complete: state.complete, Items: []json.RawMessage{}}
	for _, item := range s.items(name) {
		cleaned, err := clean(item)
		if err != nil {
			return list, err
		}
		list.Items = append(list.Items, cleaned)
	}
	// All of it may repeat what the server said.
	said, err := json.Marshal(struct {
		Gap     string           `json:"gap"`
		Refusal *recordedRefusal `json:"refusal,omitempty"`
	}{state.gap, refusalOf(state)})
	if err != nil {
		return list, fmt.Errorf("encode the state of %s: %w", name, err)
	}
	cleaned, err := clean(said)
	if err != nil {
		return list, err
	}
	return list, json.Unmarshal(cleaned, &list)
}

func refusalOf(state ListState) *recordedRefusal {
	a := state.refusal
	if a == nil || a.Error == nil {
		return nil
	}
	return &recordedRefusal{string(a.Request), string(a.Raw), a.Error.Code, a.Error.Message, a.Error.Data}
}

// items are the raw items of a list.
func (s *Snapshot) items(name string) []json.RawMessage {
	switch name {
	case "resources":
		return s.Resources
	case "resource templates":
		return s.Templates
	case "prompts":
		return s.Prompts
	}
	var items []json.RawMessage
	for _, t := range s.Tools {
		items = append(items, t.Raw)
	}
	return append(items, s.Unnamed...)
}

// ReadRecording reads a snapshot that Record wrote. What it holds is not to be
// trusted more than what a server says. It refuses documents over MaxRecording,
// of another version, and lists longer than those that are read from a server.
func ReadRecording(in io.Reader) (*Snapshot, error) {
	data, err := io.ReadAll(io.LimitReader(in, MaxRecording+1))
	if err != nil {
		return nil, fmt.Errorf("read the snapshot: %w", err)
	}
	if len(data) > MaxRecording {
		return nil, fmt.Errorf("the snapshot is over %d MiB", MaxRecording>>20)
	}
	if err := checkVersion(data); err != nil {
		return nil, err
	}
	var r recording
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, notRecording(err)
	}
	if !isObject(r.Initialize) {
		return nil, errors.New(`this is not a whole snapshot: "initialize" is not an object`)
	}
	if r.Lists == nil {
		return nil, errors.New(`this is not a whole snapshot: it has no "lists"`)
	}
	snap := readInitialize(compact(r.Initialize))
	for _, l := range recordedLists {
		name, key := l.name, l.key
		list, ok := r.Lists[key]
		if !ok {
			continue
		}
		delete(r.Lists, key)
		if len(list.Items) > maxItems {
			return nil, fmt.Errorf("the snapshot lists %d %s, more than %d", len(list.Items), name, maxItems)
		}
		if list.Complete == (list.Gap != "") {
			return nil, fmt.Errorf("the snapshot does not say whether its list of %s is complete, or why not", name)
		}
		snap.add(name, list.items(), list.state())
	}
	if len(r.Lists) > 0 {
		return nil, errors.New("the snapshot has a list that is none of tools, resources, resource_templates and prompts")
	}
	return snap, nil
}

// checkVersion looks at the version alone, since all else may differ in
// another one.
func checkVersion(data []byte) error {
	var head struct {
		SnapshotVersion string `json:"snapshot_version"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return notRecording(err)
	}
	switch head.SnapshotVersion {
	case "":
		return errors.New(`this is not a snapshot: it has no "snapshot_version"; sealmark snapshot writes one`)
	case RecordingVersion:
		return nil
	}
	return fmt.Errorf("the snapshot has version %.20q, this sealmark reads version %s: record it anew with sealmark snapshot", head.SnapshotVersion, RecordingVersion)
}

// notRecording says why a document could not be read.
func notRecording(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("this is not a snapshot: it is not valid JSON, or was cut short (byte %d: %w)", syntax.Offset, err)
	}
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Errorf("this is not a snapshot: %q can't be of the type %s", kind.Field, kind.Value)
	}
	return fmt.Errorf("this is not a snapshot: %w", err)
}

func (l recordedList) items() []json.RawMessage {
	var items []json.RawMessage
	for _, item := range l.Items {
		items = append(items, compact(item))
	}
	return items
}

func (l recordedList) state() ListState {
	state := ListState{complete: l.Complete, gap: l.Gap}
	if r := l.Refusal; r != nil {
		state.refusal = &reply.Answer{Kind: reply.Answered, Request: []byte(r.Request), Raw: []byte(r.Reply),
			Error: &reply.RPCError{Code: r.Code, Message: r.Message, Data: compact(r.Data)}}
	}
	return state
}

// compact takes the indentation of the document out of a value.
func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if raw == nil || json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

func isObject(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && raw[0] == '{'
}
