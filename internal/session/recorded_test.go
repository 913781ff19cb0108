package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sealmark/action/internal/reply"
)

// asIs cleans nothing.
func asIs(raw json.RawMessage) (json.RawMessage, error) { return raw, nil }

// TestRecord: a snapshot survives being written and read, whatever state its
// lists are in, and is written the same way each time.
func TestRecord(t *testing.T) {
	for _, mode := range []string{"good", "lists", "bare", "no-version", "strange-version"} {
		t.Run(mode, func(t *testing.T) {
			s, _ := open(t, mode)
			snap, err := s.Snapshot(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			document, err := snap.Record("test", asIs)
			if err != nil {
				t.Fatal(err)
			}
			got, err := ReadRecording(bytes.NewReader(document))
			if err != nil {
				t.Fatalf("%v in\n%s", err, document)
			}
			if diff := cmp.Diff(snap, got, cmp.AllowUnexported(ListState{})); diff != "" {
				t.Errorf("-written +read:\n%s", diff)
			}
			again, err := got.Record("test", asIs)
			if err != nil || !bytes.Equal(again, document) {
				t.Errorf("written anew it differs (%v):\n%s", err, cmp.Diff(string(document), string(again)))
			}
		})
	}
}

// TestRecordCleans: each value that the server gave passes through clean.
func TestRecordCleans(t *testing.T) {
	snap := readInitialize(json.RawMessage(`{"protocolVersion":"secret-1","instructions":"secret-2"}`))
	state := ListState{gap: "tools/list was answered with secret-3", refusal: &reply.Answer{Error: &reply.RPCError{Message: "secret-4", Data: json.RawMessage(`"secret-5"`)}}}
	snap.add("tools", []json.RawMessage{json.RawMessage(`{"name":"secret-6"}`), json.RawMessage(`{"title":"secret-7"}`)}, state)
	hide := func(raw json.RawMessage) (json.RawMessage, error) {
		return bytes.ReplaceAll(raw, []byte("secret"), []byte("hidden")), nil
	}
	document, err := snap.Record("test", hide)
	if err != nil || bytes.Contains(document, []byte("secret")) || bytes.Count(document, []byte("hidden")) != 8 {
		t.Errorf("%v\n%s", err, document)
	}
	broken := errors.New("no")
	if _, err := snap.Record("test", func(json.RawMessage) (json.RawMessage, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

func TestReadRecording(t *testing.T) {
	const head = `{"snapshot_version":"1","initialize":{},"lists":`
	for _, tt := range []struct{ name, document, want string }{
		{"empty", "", "not valid JSON"},
		{"text", "hello", "not valid JSON"},
		{"cut short", head + `{"tools":`, "cut short"},
		{"trailing", head + `{}} {}`, "not valid JSON"},
		{"array", `[]`, "array"},
		{"a result", `{"schema_version":"1.0"}`, `no "snapshot_version"`},
		{"another version", `{"snapshot_version":"2","initialize":{},"lists":{}}`, "version \"2\""},
		{"long version", `{"snapshot_version":"` + strings.Repeat("9", 10_000) + `"}`, "reads version 1"},
		{"version number", `{"snapshot_version":1}`, `"snapshot_version" can't be of the type number`},
		{"no initialize", `{"snapshot_version":"1","lists":{}}`, `"initialize" is not an object`},
		{"initialize null", `{"snapshot_version":"1","initialize":null,"lists":{}}`, `"initialize" is not an object`},
		{"no lists", `{"snapshot_version":"1","initialize":{}}`, `no "lists"`},
		{"strange list", head + `{"toys":{"complete":true,"items":[]}}}`, "none of tools"},
		{"no state", head + `{"tools":{"items":[]}}}`, "list of tools is complete"},
		{"two states", head + `{"prompts":{"complete":true,"gap":"x","items":[]}}}`, "list of prompts is complete"},
		{"items no array", head + `{"tools":{"complete":true,"items":{}}}}`, "can't be of the type object"},
		{"too many", head + `{"tools":{"complete":true,"items":[` + strings.Repeat("0,", maxItems) + `0]}}}`, "more than 10000"},
		{"too deep", head + `{"tools":{"complete":true,"items":[` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `]}}}`, "depth"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			snap, err := ReadRecording(strings.NewReader(tt.document))
			if err == nil || !strings.Contains(err.Error(), tt.want) || len(err.Error()) > 400 {
				t.Errorf("%+v, error %.1000v", snap, err)
			}
		})
	}
	t.Run("endless", func(t *testing.T) {
		zero, err := os.Open("/dev/zero")
		if err != nil {
			t.Skip("SKIPPED: no /dev/zero here")
		}
		defer zero.Close()
		if _, err := ReadRecording(zero); err == nil || !strings.Contains(err.Error(), "over 64 MiB") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("odd items", func(t *testing.T) {
		snap, err := ReadRecording(strings.NewReader(head + `{"tools":{"complete":true,"items":[null, 7, {"name": "a", "inputSchema": 5}]}}}`))
		if err != nil || len(snap.Tools) != 1 || len(snap.Unnamed) != 2 || string(snap.Tools[0].Raw) != `{"name":"a","inputSchema":5}` {
			t.Errorf("%+v, %v", snap, err)
		}
	})
}

// FuzzReadRecording: whatever a file holds, it is refused or read into a
// snapshot that can be written and read again.
func FuzzReadRecording(f *testing.F) {
	f.Add([]byte(`{"snapshot_version":"1","sealmark":"x","protocol_version":"2025-11-25","initialize":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"n"}},"lists":{"tools":{"complete":true,"items":[{"name":"a","annotations":{"readOnlyHint":true}},{}]},"prompts":{"complete":false,"gap":"g","refusal":{"request":"{}","reply":"no","code":-32601,"message":"m","data":[1]},"items":[]}}}`))
	f.Add([]byte(`{"snapshot_version":"1","initialize":{},"lists":{"resources":{"complete":true,"items":null},"resource_templates":{"gap":"x"}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		snap, err := ReadRecording(bytes.NewReader(data))
		if err != nil {
			if len(err.Error()) > 1000 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
			return
		}
		document, err := snap.Record("x", asIs)
		if err != nil {
			t.Fatalf("%v for %q", err, data)
		}
		again, err := ReadRecording(bytes.NewReader(document))
		if err != nil {
			t.Fatalf("%v for %q, written as %q", err, data, document)
		}
		second, err := again.Record("x", asIs)
		if err != nil || !bytes.Equal(document, second) {
			t.Errorf("%v: %q is written as %q and then as %q", err, data, document, second)
		}
	})
}
