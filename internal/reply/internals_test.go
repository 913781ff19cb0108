package reply

import (
	"encoding/json"
	"testing"
)

func TestInternals(t *testing.T) {
	tests := []struct{ kind, text string }{
		{"python-traceback", "Traceback (most recent call last):\n  File \"a.py\", line 1"},
		{"javascript-frame", "Error: x\n    at greet (/srv/app/index.js:10:5)"},
		{"goroutine-dump", "panic!\n\ngoroutine 18 [running]:\nmain.main()"},
		{"goroutine-dump", "goroutine 1 [chan receive, 3 minutes]:"},
		{"panic-text", "panic: assignment to entry in nil map"},
		{"panic-text", "handler: panic: runtime error: index out of range [3] with length 2"},
		{"panic-text", "thread 'main' panicked at src/main.rs:4:5:"},
		{"panic-text", "thread 'tokio-runtime-worker' (4711) panicked at src/main.rs:4:5:"},
		{"java-frame", "java.lang.NullPointerException\n\tat com.example.Tool.run(Tool.java:10)"},
		{"dotnet-frame", `   at Parcels.Desk.Find(String id) in D:\work\Desk.cs:line 12`},
		{"ruby-frame", "app/tools.rb:12:in `call'"},
		{"php-frame", "#0 /srv/www/index.php(12): run()"},
		{"address", "<Tool object at 0x7f3a2c1b>"},
		{"address", "unexpected 0xc000012345 in handler"},
		{"address", "com.example.Request@1b2c3d4f cannot be used"},
		{"absolute-path", "ENOENT: no such file or directory, open '/home/alex/notes.txt'"},
		{"absolute-path", "cannot open /var/lib/parcels/db.sqlite"},
		{"absolute-path", "module not found: /app/dist/tools.js"},
		{"absolute-path", `cannot open D:\work\parcels\desk.ini`},
		{"absolute-path", "see file:///opt/parcels/log"},

		{"", "Method not found"},
		{"", "Unknown method: resources/read"},
		{"", "POST /mcp failed: use /api/v1/items"},
		{"", "type/subtype or text/plain expected"},
		{"", "the pointer /params/uri is wrong"},
		{"", "https://example.com/home/alex/app"},
		{"", "error 0x80004005"},
		{"", "panic button pressed"},
		{"", "goroutine leak suspected"},
		{"", "look at the main.go of your project"},
		{"", "data/app/x.js is relative"},
		{"", "C:drive"},
		{"", "write to support@deadbeef.example"},
	}
	seen := map[string]bool{}
	for _, tt := range tests {
		match, kind := Internals(Answer{Kind: Answered, Error: &RPCError{Code: "-32603", Message: tt.text}}, nil)
		if kind.ID != tt.kind || (match == "") != (tt.kind == "") {
			t.Errorf("%q: kind %q (%q), want %q", tt.text, kind.ID, match, tt.kind)
		}
		seen[tt.kind] = true
	}
	for _, p := range InternalsPatterns {
		if !seen[p.ID] || p.Text == "" {
			t.Errorf("pattern %s is not tested or has no text", p.ID)
		}
	}
}

// TestInternalsOfOurs: what the request contained is no internals.
func TestInternalsOfOurs(t *testing.T) {
	a := Answer{Kind: Answered, Error: &RPCError{Message: "no such resource: /etc/hosts/x"}}
	if match, _ := Internals(a, json.RawMessage(`{"params":{"uri":"/etc/hosts/x"}}`)); match != "" {
		t.Errorf("our own text %q counts", match)
	}
	if match, _ := Internals(a, json.RawMessage(`{"params":{"uri":"x"}}`)); match == "" {
		t.Error("a path that we did not send does not count")
	}
	a = Answer{Kind: Answered, Result: json.RawMessage(`{"content":[{"type":"text","text":"open /var/lib/x: no"}],"isError":true}`)}
	if match, _ := Internals(a, nil); match == "" {
		t.Error("the text of a failed call does not count")
	}
}
