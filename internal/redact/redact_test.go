package redact

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const secret = `tok+en/with "quotes" & ümlaut=`

func TestText(t *testing.T) {
	r := New(map[string]string{"TOKEN": secret, "SHORT": "abc", "INNER": "with \"quotes\"", "LINES": "first line\nsecond line"})
	tests := []struct{ name, in, want string }{
		{"plain", "x " + secret + " y", "x [redacted:TOKEN] y"},
		{"json", `"tok+en/with \"quotes\" ` + `\u0026 ümlaut="`, `"[redacted:TOKEN]"`},
		{"query", "k=" + url.QueryEscape(secret), "k=[redacted:TOKEN]"},
		{"query in lower case", "k=" + strings.ReplaceAll(strings.ToLower(url.QueryEscape(secret)), "%c3%bc", "%c3%bc"), "k=[redacted:TOKEN]"},
		{"within another", `with "quotes"`, "[redacted:INNER]"},
		{"too short to be a secret", "abc", "abc"},
		{"one of its lines", "the second line of it", "the [redacted:LINES] of it"},
		{"terminal", "a\x1b[31mred\x07", `a\u001B[31mred\u0007`},
		{"direction and zero width", "a\u202eb\u200bc\ufeff", `a\u202Eb\u200Bc\uFEFF`},
		{"tag characters", "a\U000e0041", `a\U000E0041`},
		{"carriage return", "a\r\nb", "a\\r\nb"},
		{"not utf-8", "a\xffb", "a\ufffdb"},
		{"newline and tab stay", "a\n\tb", "a\n\tb"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := r.Text(tt.in, 1000); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestLine(t *testing.T) {
	r := New(nil)
	if got := r.Line(" a\n\n b\t\tc ", 100); got != "a b c" {
		t.Errorf("got %q", got)
	}
	if got := r.Line("äöü", 3); got != "ä… (4 bytes more)" {
		t.Errorf("got %q", got)
	}
	if got := (*Redactor)(nil).Line("a\x00", 100); got != `a\u0000` {
		t.Errorf("a nil redactor: %q", got)
	}
}

// TestCut: a secret on the border of the cut is gone before the cut is made.
func TestCut(t *testing.T) {
	r := New(map[string]string{"TOKEN": "secret-value"})
	for n := range 30 {
		if got := r.Text("0123456789secret-value", n); strings.Contains(got, "secr") {
			t.Errorf("cut at %d: %q", n, got)
		}
	}
}

func TestBase64(t *testing.T) {
	r := New(map[string]string{"TOKEN": "secret-value-1"})
	for _, before := range []string{"", "u", "us", "use", "user:"} {
		for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
			coded := enc.EncodeToString([]byte(before + "secret-value-1" + before))
			if !slices.Equal(r.Find([]byte(coded)), []string{"TOKEN"}) {
				t.Errorf("%q is not found in %s", before, coded)
			}
		}
	}
	if names := r.Find([]byte("nothing here")); len(names) != 0 {
		t.Errorf("found %q", names)
	}
}

func TestStable(t *testing.T) {
	tests := []struct{ in, want string }{
		{"2026-01-02T03:04:05.678Z [123] panic", "<time> [123] panic"},
		{"2026/01/02 03:04:05 fatal", "<time> fatal"},
		{"at 0xc000012345 in goroutine 17", "at 0x<address> in goroutine <id>"},
		{"pid=4711 process 12", "pid=<id> process <id>"},
		{"/tmp/go-build123/x", "/tmp/<name>/x"},
		{"connect 127.0.0.1:54321", "connect 127.0.0.1:<port>"},
		{"ECONNREFUSED 127.0.0.1:9", "ECONNREFUSED 127.0.0.1:9"},
		{"exit 1", "exit 1"},
	}
	for _, tt := range tests {
		if got := Stable(tt.in); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.in, got, tt.want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("a secret-value b", 5)
	f.Add("\xff\u202e\x1b", 2)
	f.Fuzz(func(t *testing.T, s string, max int) {
		max = int(uint(max) % 4096)
		r := New(map[string]string{"TOKEN": "secret-value"})
		got := r.Text(s, max)
		if !utf8.ValidString(got) || len(got) > max+40 || strings.Contains(got, "secret-value") || strings.ContainsAny(got, "\x00\x1b\r") {
			t.Errorf("%q cut at %d gives %q", s, max, got)
		}
	})
}
