package main

import (
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/session"
	"github.com/sealmark/action/internal/wire"
)

// corpusCall is a call and its answer as recorded. Class is success, isError
// or rpc_error.
type corpusCall struct {
	Tool, Case, Class, Raw string
	Args                   json.RawMessage
	SchemaInvalid          bool
}

// agreeOnCalls sends the recorded schema-invalid calls and holds our reading of
// the live answers against the recorded class: what was marked as an error is
// read as rejected, crashed or failed downstream, what was a success as
// accepted; and of the calls with one wrong value as many are read as rejected,
// executed and crashed as a table says that was made without Sealmark. It
// returns how many agree, and how many do not but stand in the list of
// differences.
func (s corpusServer) agreeOnCalls(t *testing.T, apart []string) (a agreement, known int) {
	t.Helper()
	data := s.data(t)
	var live *session.Session
	defer func() {
		if live != nil {
			live.Close(t.Context())
		}
	}()
	differences, counts := knownDifferences(t), map[string]int{}
	for _, call := range s.calls {
		if !call.SchemaInvalid || call.Raw == "" {
			continue
		}
		if live == nil || live.Ended() {
			live = s.open(t, apart, data)
		}
		var args json.RawMessage
		if call.Args != nil {
			args = json.RawMessage(s.placed(data).Replace(string(call.Args)))
		}
		a.total++
		answer := live.Call(t.Context(), call.Tool, args, 30*time.Second)
		r := reply.Read(answer, reply.Question{Arguments: args, Parameters: s.parameters[call.Tool]})
		as, allowed := differences[s.id+" "+call.Tool+" "+call.Case]
		if !allowed {
			as, allowed = differences[s.id+" * "+call.Case]
		}
		if kind, _, _ := strings.Cut(call.Case, ":"); slices.Contains([]string{"wrong", "missing", "null", "badenum"}, kind) {
			counts[cmp.Or(as, outcomeOf(r.Decision))]++
		}
		marked := r.Decision != reply.Accepted && !r.PlainText && answer.Kind == reply.Answered
		switch {
		case answer.Kind == reply.Answered && marked == (call.Class != "success") && (marked || r.Decision == reply.Accepted):
			a.agreed++
		case allowed:
			known++
		default:
			t.Errorf("%s %s: recorded as %s, read as %s (%q)\n%s\n%.600s %s\nrecorded: %.600s", call.Tool, call.Case, call.Class, r.Decision, r.Match, args, answer.Raw, answer.Detail, call.Raw)
		}
	}
	if want := s.outcomes(t); !maps.Equal(counts, want) {
		t.Errorf("the calls with one wrong value: %v, the table says %v", counts, want)
	}
	return a, known
}

func outcomeOf(c reply.Class) string {
	switch c {
	case reply.Rejected:
		return "rejected"
	case reply.InternalError:
		return "crashed"
	case reply.Crash, reply.Hang:
		return string(c)
	}
	return "ran"
}

// outcomes reads how many of the calls with one wrong value were rejected, ran
// and crashed; no entry for none.
func (s corpusServer) outcomes(t *testing.T) map[string]int {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(corpusFolder, "table-calls.md"))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(line, "|")
		if len(cells) < 7 || strings.TrimSpace(cells[1]) != s.Name {
			continue
		}
		for i, kind := range []string{"rejected", "ran", "crashed"} {
			n, err := strconv.Atoi(strings.TrimSpace(cells[4+i]))
			if err != nil {
				t.Fatal(line)
			}
			if n > 0 {
				counts[kind] = n
			}
		}
	}
	return counts
}

// open starts the server for the calls.
func (s corpusServer) open(t *testing.T, apart []string, data string) *session.Session {
	t.Helper()
	command, env := s.launch(apart, data)
	env = append(env, "PATH="+os.Getenv("PATH"), "TMPDIR="+data)
	live, err := session.Open(t.Context(), session.Options{
		Dial: func(h wire.Handler) (wire.Conn, error) {
			return wire.StartStdio(wire.Command{Args: command, Dir: data, Env: env}, wire.Limits{}, h)
		},
		StartLimit: time.Minute, ProbeLimit: 10 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	return live
}

// knownDifferences reads the calls that we read otherwise than the record has
// them, and as what the table counts them, "" where it does not; the test of the
// recorded answers keeps the list.
func knownDifferences(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "internal", "reply", "testdata", "differences.txt"))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]string{}
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(line, "|")
		if len(cells) != 3 {
			t.Fatalf("a line of the list of differences has not three cells: %s", line)
		}
		known[strings.TrimSpace(cells[0])] = strings.TrimSpace(cells[1])
	}
	return known
}
