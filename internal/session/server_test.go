package session

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

// helper names the server that a test process is in place of running tests.
const helper = "SEALMARK_SESSION_HELPER"

const initialized = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{},"prompts":{}},"serverInfo":{"name":"raw","version":"1.2"},"instructions":"be kind"}`

func TestMain(m *testing.M) {
	mode := os.Getenv(helper)
	if mode == "" {
		os.Exit(m.Run())
	}
	serve(mode)
	os.Exit(0)
}

// incoming is a message to the server.
type incoming struct {
	line   []byte
	ID     json.RawMessage
	Method string
	Params struct {
		Name, Cursor    string
		ProtocolVersion string
		Arguments       json.RawMessage
	}
}

func say(format string, args ...any) { fmt.Printf(format+"\n", args...) }

func result(id json.RawMessage, result string) {
	say(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
}

// serve is a raw server. mode says what is wrong with it.
func serve(mode string) {
	start(mode)
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			break
		}
		m := incoming{line: bytes.TrimSpace(line)}
		json.Unmarshal(line, &m)
		if !odd(mode, m) {
			usual(m)
		}
	}
	if mode == "ignores-eof" {
		time.Sleep(time.Hour)
	}
}

// start does what a mode does before anything is read.
func start(mode string) {
	switch mode {
	case "exit":
		fmt.Fprintln(os.Stderr, "Error: no such module\n    at main (x.js:1:1)")
		os.Exit(3)
	case "flood":
		for {
			os.Stdout.Write(bytes.Repeat([]byte("y\n"), 1<<15))
		}
	case "prompt":
		fmt.Print("Enter your key: ")
		time.Sleep(time.Hour)
	case "stderr-flood":
		os.Stderr.WriteString(strings.Repeat("log line\n", 1<<20/9))
	case "banner":
		say("Demo server 1.0")
	case "asks-first":
		say(`{"jsonrpc":"2.0","id":1001,"method":"ping"}`)
		say(`{"jsonrpc":"2.0","id":"s","method":"sampling/createMessage","params":{}}`)
		say(`{"jsonrpc":"2.0","id":null,"method":"ping"}`)
		say(`{"jsonrpc":"2.0","method":"notifications/message","params":{}}`)
	case "asks-endlessly":
		for range 5000 {
			say(`{"jsonrpc":"2.0","id":"again","method":"ping"}`)
		}
	case "ignores-eof":
		signal.Ignore(syscall.SIGTERM)
	case "fork":
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), helper+"=ignores-eof")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		child.Start()
		fmt.Fprintf(os.Stderr, "child %d\n", child.Process.Pid)
	}
}

// odd does what a mode does in place of the usual reply. It reports false if
// the usual one is to be sent.
func odd(mode string, m incoming) bool {
	switch mode {
	case "echo":
		os.Stdout.Write(append(m.line, '\n'))
	case "silent":
	case "zero-ids":
		result(json.RawMessage("0"), initialized)
	case "refuses":
		say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"wrong version"}}`, m.ID)
	case "result-array":
		result(m.ID, "[]")
	case "no-version":
		if m.Method != "initialize" {
			return false
		}
		result(m.ID, `{"capabilities":{}}`)
	case "no-members":
		result(m.ID, `{"hello":"world"}`)
	case "version-number":
		result(m.ID, `{"protocolVersion":20251125}`)
	case "strange-version":
		if m.Method != "initialize" {
			return false
		}
		result(m.ID, `{"protocolVersion":"2031-01-01","capabilities":{}}`)
	case "null-capabilities":
		switch m.Method {
		case "initialize":
			result(m.ID, `{"protocolVersion":"2025-11-25","capabilities":{"tools":null,"resources":null,"prompts":null,"completions":null},"serverInfo":{"name":"n","version":"1"}}`)
		case "resources/list":
			say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown method"}}`, m.ID)
		default:
			return false
		}
	case "bare":
		if m.Method != "initialize" {
			return false
		}
		result(m.ID, `{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{}}`)
	case "asks-first", "asks-endlessly":
		if m.Method == "tools/call" {
			result(m.ID, `{"content":[]}`)
			return true
		}
		if m.Method == "" {
			fmt.Fprintf(os.Stderr, "%s\n", m.line)
			return true
		}
		return false
	case "lists":
		return lists(m)
	default:
		return false
	}
	return true
}

// usual answers as a good server, and to the calls of some tools otherwise.
func usual(m incoming) {
	switch m.Method {
	case "initialize":
		result(m.ID, initialized)
	case "ping":
		result(m.ID, "{}")
	case "tools/list":
		result(m.ID, `{"tools":[{"name":"a","title":"T","description":"D","inputSchema":{"type":"object"},"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"destructiveHint":"no"}},{"description":"no name"},7]}`)
	case "resources/list":
		result(m.ID, `{"resources":[{"uri":"file:///a"}]}`)
	case "resources/templates/list":
		say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown method"}}`, m.ID)
	case "prompts/list":
		result(m.ID, `{"prompts":{}}`)
	case "tools/call":
		call(m)
	}
}

// call answers a call as the name of the tool says.
func call(m incoming) {
	switch m.Params.Name {
	case "ok":
		result(m.ID, `{"content":[{"type":"text","text":"fine"}]}`)
	case "arguments":
		result(m.ID, fmt.Sprintf(`{"got":%t}`, m.Params.Arguments != nil))
	case "die":
		fmt.Fprintln(os.Stderr, "fatal: out of luck")
		os.Exit(7)
	case "die-after":
		result(m.ID, "{}")
		os.Exit(7)
	case "hang":
	case "close-stdin":
		os.Stdin.Close()
		time.Sleep(time.Hour)
	case "type-changed":
		say(`{"jsonrpc":"2.0","id":"%s","result":{}}`, m.ID)
	case "null-id":
		say(`{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"boom"}}`)
	case "wrong-case":
		say(`{"jsonrpc":"2.0","ID":%s,"RESULT":{}}`, m.ID)
	case "no-jsonrpc":
		say(`{"id":%s,"result":{}}`, m.ID)
	case "noise":
		say("called noise")
		result(m.ID, "{}")
	case "split":
		say("{\n \"jsonrpc\": \"2.0\",\n \"id\": %s,\n \"result\": {}\n}", m.ID)
	case "batch":
		say(`[{"jsonrpc":"2.0","id":%s,"result":{},"error":null}]`, m.ID)
	case "twice":
		result(m.ID, `{"n":1}`)
		result(m.ID, `{"n":2}`)
	case "error-text":
		say(`{"jsonrpc":"2.0","id":%s,"error":"boom"}`, m.ID)
	case "error-null":
		say(`{"jsonrpc":"2.0","id":%s,"error":null}`, m.ID)
	case "error-odd":
		say(`{"jsonrpc":"2.0","id":%s,"error":{"code":"E1","message":{"a":1},"data":[1]}}`, m.ID)
	case "error":
		say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"bad"}}`, m.ID)
	case "neither":
		say(`{"jsonrpc":"2.0","id":%s}`, m.ID)
	case "big":
		result(m.ID, `{"text":"`+strings.Repeat("x", 20<<20)+`"}`)
	}
}

// lists answers with lists that need care.
func lists(m incoming) bool {
	switch m.Method {
	case "tools/list": // two pages
		if m.Params.Cursor == "" {
			result(m.ID, `{"tools":[{"name":"a"}],"nextCursor":"p2"}`)
		} else {
			result(m.ID, `{"tools":[{"name":"b"}],"nextCursor":""}`)
		}
	case "resources/list": // a loop
		result(m.ID, `{"resources":[{"uri":"x:1"}],"nextCursor":"again"}`)
	case "resources/templates/list": // no end
		result(m.ID, fmt.Sprintf(`{"resourceTemplates":[],"nextCursor":"n%s"}`, bytes.Trim(m.ID, `"`)))
	case "prompts/list": // a cursor of a wrong type
		result(m.ID, `{"prompts":[{"name":"p"}],"nextCursor":2}`)
	default:
		return false
	}
	return true
}
