package contract

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/argument"
	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/session"
	"github.com/sealmark/action/internal/shared"
)

// corpusFindings counts the findings that the checks which read answers raise
// on the recorded answers of real servers. Each was looked at: the unflagged
// refusals are such, and of the warnings there is no other.
var corpusFindings = map[string]int{"error.internal-code": 2, "error.not-flagged": 7, "error.unnamed-argument": 3}

// TestCorpus reads the recorded answers to the malformed calls of real servers.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(shared.Need(t, "corpus/groundtruth"), "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no recorded answers: ", err)
	}
	got := map[string]int{}
	for _, file := range files {
		env := recordedCalls(t, strings.TrimSuffix(filepath.Base(file), ".json"))
		for _, c := range []check.Check{OutputContract{}, ErrorContract{}} {
			report := c.Run(t.Context(), env)
			for _, f := range report.Findings {
				got[f.Rule]++
				t.Logf("%s %s %s\n%.600s", filepath.Base(file), f.Rule, f.Message, f.Evidence.Reply)
			}
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(corpusFindings) {
		t.Errorf("%v, want %v", got, corpusFindings)
	}
}

// recordedCalls is an environment with the recorded calls of a server.
func recordedCalls(t *testing.T, server string) *check.Env {
	t.Helper()
	var truth struct {
		Calls []struct {
			Tool, Case, Raw string
			Args            json.RawMessage
			SchemaInvalid   bool
		}
	}
	var lists struct {
		Tools struct{ Items []json.RawMessage }
	}
	for name, into := range map[string]any{"groundtruth": &truth, "lists": &lists} {
		data, err := os.ReadFile(filepath.Join(shared.Need(t, "corpus"), name, server+".json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, into); err != nil {
			t.Fatal(server, err)
		}
	}
	env := &check.Env{Config: &config.Config{}, Calls: &check.Calls{}, Snapshot: &session.Snapshot{ProtocolVersion: "2025-06-18"}}
	parameters := map[string][]string{}
	for _, raw := range lists.Tools.Items {
		var tool struct {
			Name                      string
			InputSchema, OutputSchema json.RawMessage
		}
		if err := json.Unmarshal(raw, &tool); err != nil {
			t.Fatal(server, err)
		}
		parameters[tool.Name] = argument.Properties(tool.InputSchema)
		env.Snapshot.Tools = append(env.Snapshot.Tools, session.Tool{Name: tool.Name, InputSchema: tool.InputSchema, OutputSchema: tool.OutputSchema})
	}
	for _, c := range truth.Calls {
		var envelope map[string]json.RawMessage
		if !c.SchemaInvalid || json.Unmarshal([]byte(c.Raw), &envelope) != nil {
			continue
		}
		answer := reply.Answer{Kind: reply.Answered, Raw: []byte(c.Raw), Result: envelope["result"]}
		if raw := envelope["error"]; raw != nil {
			answer.Error = &reply.RPCError{}
			if err := json.Unmarshal(raw, answer.Error); err != nil {
				t.Fatal(err)
			}
		}
		env.Calls.Add(check.Call{Check: "argument-contract", Probe: c.Case, Tool: c.Tool, Arguments: c.Args, Parameters: parameters[c.Tool], Expect: check.Invalid,
			Answer: answer, Reading: reply.Read(answer, reply.Question{Arguments: c.Args, Parameters: parameters[c.Tool]})})
	}
	if len(env.Calls.List()) == 0 {
		t.Logf("%s: no calls", server)
	}
	return env
}
