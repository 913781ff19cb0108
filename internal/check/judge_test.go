package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/session"
	"github.com/sealmark/action/internal/spec"
)

// script is what goes over the wire in a session: lines that start with > are
// ours.
func script(t *Tape, lines ...string) {
	observe := t.Observer("")
	for _, line := range lines {
		out, ours := strings.CutPrefix(line, ">")
		e := session.Event{Direction: session.In, Raw: []byte(out)}
		if ours {
			e.Direction = session.Out
		}
		observe(e)
	}
}

const (
	hello   = `>{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`
	welcome = `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"n","version":"1"}}}`
	list    = `>{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
)

func breaches(t *Tape) []string {
	found := []string{}
	t.Breaches(func(at BreachAt, b Breach) {
		if at.Kind != Sent {
			found = append(found, fmt.Sprintf("%s|%s|%s|%s|%s|%s|%s", at.Kind, at.Method, at.Place, at.Keyword, b.Pointer, b.Value, strings.Join(b.Items, ",")))
		}
	})
	return found
}

func newTape() *Tape { return NewTape(redact.New(nil)) }

func TestJudgeMessages(t *testing.T) {
	tests := []struct {
		name  string
		lines []string
		want  []string
	}{
		{"clean", []string{hello, welcome, list, `{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}`}, nil},
		{"items of one kind are one breach", []string{hello, welcome, list, `{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"b","inputSchema":{"type":"object"},"title":7},{"name":"a","inputSchema":{"type":"object"},"title":8}]}}`},
			[]string{"shape|tools/list|/result/tools/*/title|type|/result/tools/0/title|7|tool:a,tool:b"}},
		{"names that the server chose are no place of their own", []string{hello, welcome, list, `{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"x":true,"yy":true}}}]}}`},
			[]string{"shape|tools/list|/result/tools/*/inputSchema/properties/*|type|/result/tools/0/inputSchema/properties/x|true|tool:a"}},
		{"a call's tool", []string{hello, welcome, `>{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"t"}}`, `{"jsonrpc":"2.0","id":"c","result":{"content":[],"isError":"no"}}`},
			[]string{`shape|tools/call|/result/isError|type|/result/isError|"no"|tool:t`}},
		{"a reply that nobody asked for is judged by its envelope", []string{hello, welcome, `{"jsonrpc":"2.0","id":9,"result":{"tools":7}}`, `{"id":9,"result":{}}`},
			[]string{`shape|||required||{"id":9,"result":{}}|`}},
		{"a second reply is judged by its envelope", []string{hello, welcome, list, `{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}`, `{"jsonrpc":"2.0","id":2,"result":{}}`}, nil},
		{"a request of the server with the id of ours", []string{hello, welcome, list, `{"jsonrpc":"2.0","id":2,"method":"ping"}`, `{"jsonrpc":"2.0","id":2,"result":{"tools":7}}`},
			[]string{"shape|tools/list|/result/tools|type|/result/tools|7|"}},
		{"an odd id sent back", []string{hello, welcome, `>{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, `{"jsonrpc":"2.0","id":1.5,"result":{}}`}, nil},
		{"an odd id made up", []string{hello, welcome, `>{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, `{"jsonrpc":"2.0","id":2.5,"result":{}}`},
			[]string{"shape||/id|type|/id|2.5|"}},
		{"another JSON-RPC sent back", []string{hello, welcome, `>{"jsonrpc":"1.0","id":5,"method":"ping"}`, `{"jsonrpc":"1.0","id":5,"result":{}}`}, nil},
		{"an unknown revision", []string{hello, strings.Replace(welcome, "2025-06-18", "2031-01-01", 1), list, `{"id":2}`}, nil},
		{"no reply to initialize", []string{hello, `{"jsonrpc":"2.0","method":"roots/list"}`, `{}`}, nil},
		{"a refusal", []string{hello, `{"jsonrpc":"2.0","id":1,"error":{"code":"x","message":"no"}}`}, nil},
		{"early", []string{hello, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}`, `{"jsonrpc":"2.0","id":1,"method":"roots/list"}`, welcome},
			[]string{`early|roots/list||||{"jsonrpc":"2.0","id":1,"method":"roots/list"}|`}},
		{"early and wrong", []string{hello, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warn","data":1}}`, welcome},
			[]string{`shape|notifications/message|/params/level|enum|/params/level|"warn"|`}},
		{"ids", []string{hello, welcome, `{"jsonrpc":"2.0","id":"a","method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":"1","method":"ping"}`, `{"jsonrpc":"2.0","id":"a","method":"ping"}`},
			[]string{`reused id|||||{"jsonrpc":"2.0","id":"a","method":"ping"}|`}},
		{"progress", []string{hello, welcome, asks(2, `"7"`), progressed(`"7"`, 1), progressed(`"7"`, 2), `{"jsonrpc":"2.0","id":2,"result":{"contents":[]}}`}, nil},
		{"progress of a number", []string{hello, welcome, asks(2, `7`), progressed(`7`, 1)}, nil},
		{"progress of nobody", []string{hello, welcome, progressed(`7`, 1)}, []string{"progress: unknown token|||||" + progressed(`7`, 1) + "|"}},
		{"progress retyped", []string{hello, welcome, asks(2, `"7"`), progressed(`7`, 1)}, []string{"progress: token of another type|||||" + progressed(`7`, 1) + "|"}},
		{"progress retyped to text", []string{hello, welcome, asks(2, `7`), progressed(`"7"`, 1)}, []string{"progress: token of another type|||||" + progressed(`"7"`, 1) + "|"}},
		{"progress stands still", []string{hello, welcome, asks(2, `7`), progressed(`7`, 1), progressed(`7`, 1)}, []string{"progress: no increase|||||" + progressed(`7`, 1) + "|"}},
		{"progress late", []string{hello, welcome, asks(2, `7`), `{"jsonrpc":"2.0","id":2,"result":{"contents":[]}}`, progressed(`7`, 1)}, []string{"progress: after the reply|||||" + progressed(`7`, 1) + "|"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tape := newTape()
			script(tape, tt.lines...)
			want := tt.want
			if want == nil {
				want = []string{}
			}
			if got := breaches(tape); !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func asks(id int, token string) string {
	return fmt.Sprintf(`>{"jsonrpc":"2.0","id":%d,"method":"resources/read","params":{"uri":"a:b","_meta":{"progressToken":%s}}}`, id, token)
}

func progressed(token string, value int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d}}`, token, value)
}

// TestJudgeOrder: the tape does not depend on the order of the sessions.
func TestJudgeOrder(t *testing.T) {
	sessions := [][]string{
		{hello, welcome, list, `{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"b","inputSchema":{"type":"object"},"title":7}]}}`},
		{hello, welcome, list, `{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"},"title":6}]}}`},
		{hello, welcome, progressed(`7`, 1)},
		{hello, welcome, progressed(`6`, 1)},
	}
	var first []string
	for range 2 {
		tape := newTape()
		for _, lines := range sessions {
			script(tape, lines...)
		}
		if got := breaches(tape); first == nil {
			first = got
		} else if !slices.Equal(first, got) {
			t.Errorf("%q and %q", first, got)
		}
		slices.Reverse(sessions)
	}
}

// TestJudgeBounds: a server that breaks shapes without end costs bounded
// memory and time, and what was not judged is counted.
func TestJudgeBounds(t *testing.T) {
	tape := newTape()
	lines := []string{hello, welcome}
	for i := range 2 * maxJudged {
		lines = append(lines, fmt.Sprintf(`{"jsonrpc":"2.0","id":"%d","method":"m%d","params":{"x%d":1,"_meta":{"progressToken":[%d]}}}`, i, i, i, i))
	}
	lines = append(lines, `{"jsonrpc":"2.0","method":"`+strings.Repeat("x", maxJudgedFrame)+`"}`)
	begin := time.Now()
	script(tape, lines...)
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("took %s", took)
	}
	if n := len(breaches(tape)); n == 0 || n > 5 {
		t.Errorf("%d breaches", n)
	}
	if n := tape.Unjudged(); n != maxJudged+2 {
		t.Errorf("%d messages were not judged", n)
	}
}

// TestJudgeKeepsShortValues: neither a value nor a request that is long is
// kept, and none is cut, so that nothing of a secret stays behind.
func TestJudgeKeepsShortValues(t *testing.T) {
	tape := newTape()
	long := strings.Repeat("x", maxKeptValue)
	script(tape, hello, welcome, `>{"jsonrpc":"2.0","id":2,"method":"resources/list","params":{"cursor":"`+long+`"}}`,
		`{"jsonrpc":"2.0","id":2,"result":{"resources":[{"uri":"a:b","name":["`+long+`"]}]}}`)
	tape.Breaches(func(at BreachAt, b Breach) {
		if at.Kind == BreachShape && (b.Value != nil || b.Request != nil || b.Pointer != "/result/resources/0/name") {
			t.Errorf("%+v %+v", at, b)
		}
	})
	if len(breaches(tape)) != 1 {
		t.Errorf("%q", breaches(tape))
	}
}

// longList is a list of tools of 45 KB.
func longList(id int, more string) string {
	var tools []string
	for i := range 100 {
		tools = append(tools, fmt.Sprintf(`{"name":"tool_%d","description":"%s","inputSchema":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["a"]}}`, i, strings.Repeat("word ", 60)))
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"tools":[%s]%s}}`, id, strings.Join(tools, ","), more)
}

// TestJudgeRepeats: a long reply that was clean before is not judged again,
// while one that differs is.
func TestJudgeRepeats(t *testing.T) {
	tape := newTape()
	lines := []string{hello, welcome}
	for id := range 3 {
		lines = append(lines, fmt.Sprintf(`>{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, id+2), longList(id+2, ""))
	}
	script(tape, lines...)
	if len(tape.clean) != 1 || len(breaches(tape)) != 0 {
		t.Errorf("%d fingerprints, %q", len(tape.clean), breaches(tape))
	}
	script(tape, append(lines[:4], list, longList(2, `,"nextCursor":null`))...)
	if got := breaches(tape); len(got) != 1 {
		t.Errorf("%q", got)
	}
}

func BenchmarkJudge(b *testing.B) {
	reply := []byte(longList(2, ""))
	s, _ := spec.For("2025-06-18")
	b.SetBytes(int64(len(reply)))
	for b.Loop() {
		if s.Message(reply, "tools/list") != nil {
			b.Fatal("violations")
		}
	}
}

func BenchmarkJudgeRepeats(b *testing.B) {
	tape := newTape()
	observe := tape.Observer("")
	for _, line := range []string{hello, welcome} {
		out, ours := strings.CutPrefix(line, ">")
		observe(session.Event{Direction: map[bool]session.Direction{true: session.Out, false: session.In}[ours], Raw: []byte(out)})
	}
	request, reply := []byte(list[1:]), []byte(longList(2, ""))
	b.SetBytes(int64(len(reply)))
	for b.Loop() {
		observe(session.Event{Direction: session.Out, Raw: request})
		observe(session.Event{Direction: session.In, Raw: reply})
	}
}

func BenchmarkJudgeNotification(b *testing.B) {
	tape := newTape()
	observe := tape.Observer("")
	observe(session.Event{Direction: session.Out, Raw: []byte(hello[1:])})
	observe(session.Event{Direction: session.In, Raw: []byte(welcome)})
	raw := []byte(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}`)
	for i := 0; b.Loop(); i++ {
		if i%10_000 == 0 {
			observe = tape.Observer("")
			observe(session.Event{Direction: session.Out, Raw: []byte(hello[1:])})
			observe(session.Event{Direction: session.In, Raw: []byte(welcome)})
		}
		observe(session.Event{Direction: session.In, Raw: raw})
	}
}
