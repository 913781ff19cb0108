package protocol

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/golden"
	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
	"github.com/sealmark/action/internal/shared"
)

// server is a real server as it was recorded by a program that shares nothing
// with this one.
type server struct {
	name string
	snap *session.Snapshot
	// probes are the answers to what it was asked, by the recorder's names.
	probes map[string]record
}

// record is an answer as recorded.
type record struct {
	Sent, Class, Raw, Message, StderrTail string
	Survived                              bool
}

// id names a server without its name.
func (s server) id() string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s.name)))[:8] }

func servers(t *testing.T) []server {
	t.Helper()
	file, err := os.Open(shared.Need(t, "corpus/servers.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var list []server
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var about struct {
			Name         string
			Negotiated   map[string]string
			ServerInfo   json.RawMessage
			Capabilities json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &about); err != nil {
			t.Fatal(err)
		}
		file := strings.NewReplacer("(", "_", ")", "_").Replace(about.Name)
		var truth struct{ Protocol map[string]record }
		read(t, shared.Need(t, "corpus/groundtruth/"+file+".json"), &truth)
		initialize, _ := json.Marshal(map[string]any{"protocolVersion": about.Negotiated[session.Offered], "serverInfo": about.ServerInfo, "capabilities": about.Capabilities})
		list = append(list, server{about.Name, snapshot(t, file, initialize), truth.Protocol})
	}
	if len(list) < 15 {
		t.Fatalf("%d servers", len(list))
	}
	return list
}

func read(t *testing.T, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// snapshot makes a snapshot of the recorded lists.
func snapshot(t *testing.T, name string, initialize json.RawMessage) *session.Snapshot {
	t.Helper()
	var lists map[string]struct{ Items []json.RawMessage }
	read(t, shared.Need(t, "corpus/lists/"+name+".json"), &lists)
	complete := map[string]any{}
	for recorded, key := range map[string]string{"tools": "tools", "resources": "resources", "templates": "resource_templates", "prompts": "prompts"} {
		if l, ok := lists[recorded]; ok {
			complete[key] = map[string]any{"complete": true, "items": l.Items}
		}
	}
	document, _ := json.Marshal(map[string]any{"snapshot_version": session.RecordingVersion, "initialize": initialize, "lists": complete})
	snap, err := session.ReadRecording(bytes.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

func passively(snap *session.Snapshot) []rule.Finding {
	clean := redact.New(nil)
	return Protocol{}.Run(context.Background(), &check.Env{Snapshot: snap, Redact: clean, Tape: check.NewTape(clean)}).Findings
}

// TestBenign: what the passive rules find on real servers. Each warning and
// error in the table has been read by hand; see protocol.md.
func TestBenign(t *testing.T) {
	hits, at := map[string]int{}, map[string]map[string]bool{}
	for _, s := range servers(t) {
		for _, f := range passively(s.snap) {
			key := string(f.Severity) + " " + f.Rule
			hits[key]++
			if at[key] == nil {
				at[key] = map[string]bool{}
			}
			at[key][s.id()] = true
			if f.Severity != rule.Note {
				t.Logf("%s: %s", s.id(), f.Message)
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "severity rule: findings on servers of %d\n", len(servers(t)))
	for _, key := range slices.Sorted(maps.Keys(hits)) {
		fmt.Fprintf(&b, "%s: %d on %d\n", key, hits[key], len(at[key]))
	}
	golden.Check(t, "testdata/benign.txt", b.String())
}

// probed names our probes for the recorder's.
var probed = map[string]string{
	"unknown_method": unknownMethod, "call_name_number": "tool-name-type", "call_undeclared_tool": "undeclared-tool",
	"resources/read_control_chars": "resource-uri-control", "resources/read_no_scheme": "resource-uri-invalid",
	"resources/list": "unadvertised-resources", "prompts/list": "unadvertised-prompts",
}

// TestGroundTruth holds what we make of recorded answers against what became
// of the servers.
func TestGroundTruth(t *testing.T) {
	judged := 0
	for _, s := range servers(t) {
		for recorded, id := range probed {
			r, ok := s.probes[recorded]
			pr := catalogue[slices.IndexFunc(catalogue, func(p probe) bool { return p.id == id })]
			if !ok || pr.fits != nil && !pr.fits(s.snap) {
				continue
			}
			judged++
			var got []string
			o := outcome{answer: r.answer(t)}
			if !r.Survived {
				o.died = "died"
			}
			if fault := o.fault(pr); fault != "" {
				got = append(got, fault)
			}
			for _, j := range judge(pr, s.snap, o.answer) {
				got = append(got, j.rule)
			}
			if want := r.want(pr); !slices.Equal(got, want) {
				t.Errorf("%s, %s: %q, want %q\n%s", s.id(), id, got, want, r.Raw)
			}
		}
	}
	if judged < 100 {
		t.Errorf("only %d answers were judged", judged)
	}
}

func (r record) answer(t *testing.T) reply.Answer {
	t.Helper()
	a := reply.Answer{Kind: reply.Answered, Request: []byte(r.Sent), Raw: []byte(r.Raw)}
	switch r.Class {
	case "death":
		a.Kind = reply.Closed
		return a
	case "hang", "silence":
		a.Kind = reply.Hung
		return a
	}
	var envelope struct {
		Result json.RawMessage
		Error  *reply.RPCError
	}
	if err := json.Unmarshal([]byte(r.Raw), &envelope); err != nil {
		// The record was cut; it was a success with a long list.
		envelope.Result = json.RawMessage(`{"resources":[{}],"prompts":[{}]}`)
	}
	a.Result, a.Error = envelope.Result, envelope.Error
	return a
}

// want is what the record says that the probe must raise.
func (r record) want(pr probe) []string {
	switch {
	case !r.Survived:
		return []string{"protocol.probe-connection-died"}
	case r.Class == "hang":
		return []string{"protocol.probe-accepted-unanswered"}
	case r.Class == "success" && pr.list != "":
		return []string{"protocol.capability-mismatch"}
	case r.Class == "success":
		return []string{"protocol.probe-unexpected-answer"}
	}
	return nil
}
