package protocol

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
)

// TestLongLists: long lists, faulty in each item, give few
// findings in little time, and the gravest is not lost among them.
func TestLongLists(t *testing.T) {
	const many = 2_000
	long := strings.Repeat("p", 1000)
	snap := &session.Snapshot{ProtocolVersion: "2025-11-25"}
	for i := range many {
		snap.Resources = append(snap.Resources, fmt.Appendf(nil, `{"uri":"a%05d:%s","name":"n","mimeType":"no","icons":7}`, i, long),
			fmt.Appendf(nil, `{"uri":"b:%s%05d","name":"n"}`, long, i))
		snap.Prompts = append(snap.Prompts, fmt.Appendf(nil, `{"name":"p%d","arguments":7}`, i))
	}
	snap.Resources = append(snap.Resources, json.RawMessage(`{"uri":"file:///x","name":"n"}`))
	begin := time.Now()
	found := passively(snap)
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("took %s", took)
	}
	count, total, file := map[string]int{}, map[string]int{}, false
	for _, f := range found {
		count[f.Rule]++
		total[f.Rule] += f.Count
		file = file || f.Rule == "protocol.resource-uri-unsafe" && f.Severity == rule.Warning
	}
	for _, id := range []string{"protocol.mime-invalid", "protocol.icon-invalid", "protocol.prompt-argument-invalid"} {
		if count[id] != maxEach+1 || total[id] != many {
			t.Errorf("%s: %d findings that count %d", id, count[id], total[id])
		}
	}
	if count["protocol.resource-uri-unsafe"] != maxEach+2 || !file {
		t.Errorf("%d findings on URIs, of a file: %v", count["protocol.resource-uri-unsafe"], file)
	}
}

// TestManyRequired: a required list of 100,000 names is read in linear time.
func TestManyRequired(t *testing.T) {
	names := make([]string, 100_000)
	for i := range names {
		names[i] = fmt.Sprintf("name%d", i)
	}
	required, err := json.Marshal(names)
	if err != nil {
		t.Fatal(err)
	}
	snap := &session.Snapshot{ProtocolVersion: "2025-11-25", ServerInfo: json.RawMessage(`{"name":"n","version":"1"}`), Tools: []session.Tool{{Name: "t", Description: "d",
		InputSchema: fmt.Appendf(nil, `{"type":"object","required":%s}`, required)}}}
	begin := time.Now()
	found := passively(snap)
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("took %s", took)
	}
	if len(found) != 1 || found[0].Rule != "protocol.schema-required-mismatch" || len(found[0].Message) > 1000 {
		t.Errorf("%d findings: %.500v", len(found), found)
	}
}
