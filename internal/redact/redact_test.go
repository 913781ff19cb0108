package redact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

const big = 1 << 20

func TestTextCleans(t *testing.T) {
	tests := []struct {
		name, in string
		most     int
		want     string
	}{
		{"empty", "", 10, ""},
		{"plain", "two lines\nand a\ttab", 100, "two lines\nand a\ttab"},
		{"ANSI colour", "\x1b[31mred\x1b[0m", 100, `\u001B[31mred\u001B[0m`},
		{"title of the terminal", "\x1b]0;owned\a", 100, `\u001B]0;owned\u0007`},
		{"C1 control", "a\u009bb", 100, `a\u009Bb`},
		{"NUL and DEL", "a\x00b\x7f", 100, `a\u0000b\u007F`},
		{"carriage return", "done\rfake", 100, `done\rfake`},
		{"bidirectional override", "user\u202etxt.exe", 100, `user\u202Etxt.exe`},
		{"bidirectional isolate", "a\u2066b\u2069", 100, `a\u2066b\u2069`},
		{"zero-width", "pass\u200bword\ufeff", 100, `pass\u200Bword\uFEFF`},
		{"line separator", "a\u2028b", 100, `a\u2028b`},
		{"tag characters", "a\U000e0041", 100, `a\U000E0041`},
		{"hidden selectors", "a\U000e0101", 100, `a\U000E0101`},
		{"filler", "a\u3164", 100, `a\u3164`},
		{"noncharacter", "a\uffff", 100, `a\uFFFF`},
		{"emoji keeps its selector", "❤️", 100, "❤️"},
		{"accents stay", "žluťoučký 語", 100, "žluťoučký 語"},
		{"invalid UTF-8", "a\xffb\xc3", 100, "a\ufffdb\ufffd"},
		{"surrogate bytes", "\xed\xa0\x80", 100, "\ufffd\ufffd\ufffd"},
		{"replacement character itself", "\ufffd", 100, "\ufffd"},
		{"exactly as long", "12345", 5, "12345"},
		{"cut", "123456", 5, "12345… (1 bytes more)"},
		{"cut on a rune's border", "ab語", 4, "ab… (3 bytes more)"},
		{"nothing wanted", "abc", 0, "… (3 bytes more)"},
		{"negative bound", "abc", -1, "… (3 bytes more)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, r := range []*Redactor{nil, {}, New(nil), New(map[string]string{"A": "never-there"})} {
				if r != nil && r.forward == nil {
					continue
				}
				if got := r.Text(tt.in, tt.most); got != tt.want {
					t.Errorf("Text(%q, %d) = %q, want %q", tt.in, tt.most, got, tt.want)
				}
			}
		})
	}
}

func TestLine(t *testing.T) {
	r := New(map[string]string{"PHRASE": "correct horse battery"})
	tests := []struct{ in, want string }{
		{" a\n\n b\t\tc ", "a b c"},
		{"a\u00a0\u3000b", "a b"},
		{"::error::x\n::warning::y", "::error::x ::warning::y"},
		{"correct horse battery", "[redacted:PHRASE]"},
		{"correct\n   horse\tbattery staple", "[redacted:PHRASE] staple"},
	}
	for _, tt := range tests {
		if got := r.Line(tt.in, 100); got != tt.want {
			t.Errorf("Line(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// secretValue holds what each encoding treats in its own way.
const secretValue = `p@ss/w "ö+<&>\%41~'!`

func TestEncodedSecrets(t *testing.T) {
	r := New(map[string]string{"S": secretValue, "OTHER": "unrelated-value"})
	quoted := func(v string) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(b[1 : len(b)-1])
	}
	lower := func(s string) string {
		b := []byte(s)
		for i := 0; i+2 < len(b); i++ {
			if b[i] == '%' {
				copy(b[i+1:], strings.ToLower(string(b[i+1:i+3])))
			}
		}
		return string(b)
	}
	var unicodeEscapes, allPercent strings.Builder
	for _, c := range secretValue {
		fmt.Fprintf(&unicodeEscapes, `\u%04x`, c)
	}
	for _, c := range []byte(secretValue) {
		fmt.Fprintf(&allPercent, "%%%02x", c)
	}
	query, path := url.QueryEscape(secretValue), url.PathEscape(secretValue)
	forms := map[string]string{
		"plain":                      secretValue,
		"JSON with HTML escapes":     quoted(secretValue),
		"JSON plainly":               strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(secretValue),
		"JSON with slashes escaped":  strings.ReplaceAll(quoted(secretValue), "/", `\/`),
		"JSON all escaped":           unicodeEscapes.String(),
		"JSON all escaped, upper":    strings.ReplaceAll(strings.ToUpper(unicodeEscapes.String()), `\U`, `\u`),
		"JSON in JSON":               quoted(quoted(secretValue)),
		"query":                      query,
		"query, lower case":          lower(query),
		"query with %20":             strings.ReplaceAll(query, "+", "%20"),
		"path":                       path,
		"path, lower case":           lower(path),
		"every byte":                 allPercent.String(),
		"like encodeURIComponent":    "p%40ss%2Fw%20%22%C3%B6%2B%3C%26%3E%5C%2541~'!",
		"like encodeURI":             "p@ss/w%20%22%C3%B6+%3C&%3E%5C%2541~'!",
		"query in JSON":              quoted("https://api.test/?key=" + query),
		"JSON in query":              url.QueryEscape(quoted(secretValue)),
		"base64":                     base64.StdEncoding.EncodeToString([]byte(secretValue)),
		"base64 for URLs":            base64.RawURLEncoding.EncodeToString([]byte(secretValue)),
		"base64 in a query":          url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(secretValue))),
		"base64 with escaped slash":  strings.ReplaceAll(base64.StdEncoding.EncodeToString([]byte(secretValue)), "/", `\/`),
		"base64 in lines":            wrapped(base64.StdEncoding.EncodeToString([]byte(secretValue)), 10),
		"base64 in lines in JSON":    quoted(wrapped(base64.StdEncoding.EncodeToString([]byte(secretValue)), 10)),
		"broken over two lines":      secretValue[:9] + "\r\n" + secretValue[9:],
		"after a byte, base64":       base64.StdEncoding.EncodeToString([]byte(":" + secretValue + ";")),
		"after two bytes, base64":    base64.StdEncoding.EncodeToString([]byte("u:" + secretValue + ";;")),
		"basic authorization header": base64.URLEncoding.EncodeToString([]byte("user:" + secretValue)),
	}
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			text := "before " + form + " after"
			got := r.Text(text, big)
			if !strings.Contains(got, "[redacted:S]") || !strings.HasPrefix(got, "before ") || !strings.HasSuffix(got, " after") {
				t.Errorf("Text(%q) = %q", text, got)
			}
			if names := r.Find([]byte(text)); !slices.Equal(names, []string{"S"}) {
				t.Errorf("Find(%q) = %v, want [S]", text, names)
			}
			if names := r.Find([]byte(got)); len(names) > 0 {
				t.Errorf("Text(%q) = %q still holds %v", text, got, names)
			}
		})
	}
}

func wrapped(s string, width int) string {
	var lines []string
	for len(s) > width {
		lines, s = append(lines, s[:width]), s[width:]
	}
	return strings.Join(append(lines, s), "\n")
}

func TestSecretsTogether(t *testing.T) {
	pem := "-----BEGIN TEST KEY-----\nMIIBVgIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END TEST KEY-----\n"
	tests := []struct {
		name    string
		secrets map[string]string
		in      string
		want    string
	}{
		{"one within another", map[string]string{"LONG": "abc-secret-xyz", "SHORT": "secret"}, "abc-secret-xyz, secret", "[redacted:LONG], [redacted:SHORT]"},
		{"overlapping", map[string]string{"A": "abcdefgh", "B": "efghijkl"}, "<abcdefghijkl>", "<[redacted:A][redacted:B]>"},
		{"overlapping itself", map[string]string{"A": "abcabcabc"}, "<abcabcabcabc>", "<[redacted:A]>"},
		{"side by side", map[string]string{"A": "aaaaaa"}, "aaaaaaaaaaaaa", "[redacted:A]"},
		{"one is the beginning of the other", map[string]string{"A": "token-1", "B": "token-1-more"}, "token-1-more token-1", "[redacted:B] [redacted:A]"},
		{"same value twice", map[string]string{"B": "samevalue", "A": "samevalue"}, "samevalue", "[redacted:A]"},
		{"too short", map[string]string{"A": "12345"}, "12345", "12345"},
		{"just long enough", map[string]string{"A": "123456"}, "x123456x", "x[redacted:A]x"},
		{"just long enough in base64", map[string]string{"A": "123456"}, base64.StdEncoding.EncodeToString([]byte("xx123456")), "eHg[redacted:A]Y="},
		{"all lines", map[string]string{"PEM": pem}, "key:\n" + pem + "end", "key:\n[redacted:PEM]end"},
		{"all lines with carriage returns", map[string]string{"PEM": pem}, strings.ReplaceAll(pem, "\n", "\r\n"), `[redacted:PEM]\r` + "\n"},
		{"one line", map[string]string{"PEM": pem}, "x MIIBVgIBADANBgkq y", "x [redacted:PEM] y"},
		{"lines as JSON", map[string]string{"PEM": pem}, strings.ReplaceAll(pem, "\n", `\n`), "[redacted:PEM]"},
		{"value with a newline at its end", map[string]string{"A": "from-a-file\n"}, "got from-a-file.", "got [redacted:A]."},
		{"escaped by our own escapes", map[string]string{"A": "ab\x1bcdef"}, "ab\x1bcdef and ab\\u001Bcdef", "[redacted:A] and [redacted:A]"},
		{"joined by the removal of another", map[string]string{"A": "abcdef", "B": "xxyyzz"}, "xxyabcdefyzz", "xxy[redacted:A]yzz"},
		{"name that forges", map[string]string{"A]\n\x1b[0m": "abcdef"}, "abcdef", `[redacted:A] \u001B[0m]`},
		{"invalid UTF-8", map[string]string{"A": "ab\xff\xfecd"}, "1ab\xff\xfecd2", "1[redacted:A]2"},
		{"a value like a mark", map[string]string{"A": "redacted", "B": "second-value"}, "second-value redacted", "[redacted:B] [redacted:A]"},
		{"beginning cut off", map[string]string{"A": "a-long-token-value"}, "token-value\nnext", "[redacted:A]\nnext"},
		{"end cut off", map[string]string{"A": "a-long-token-value"}, "using a-long-token", "using [redacted:A]"},
		{"little left of it", map[string]string{"A": "a-long-token-value"}, "value a-long", "value a-long"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := New(tt.secrets).Text(tt.in, 1000); got != tt.want {
				t.Errorf("Text(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// A secret that lies across our own cut must not survive in part.
func TestCutAfterRedaction(t *testing.T) {
	const secret = "abcdefghijklmnopqrstuvwxyz"
	r := New(map[string]string{"S": secret})
	for _, padding := range []int{0, 10, 1 << 16} {
		for most := range 60 {
			in := strings.Repeat(".", 30) + secret + strings.Repeat(" tail", padding)
			got := r.Text(in, most)
			if strings.Contains(got, "abc") || strings.Contains(got, "xyz") {
				t.Fatalf("Text(…, %d) with %d bytes after the secret = %q", most, padding, got)
			}
		}
	}
	// The bound of what is looked at must not split one either.
	for shift := range 60 {
		in := strings.Repeat("\n", 4096+4*10-30+shift) + secret + strings.Repeat("\n", 5000)
		if got := r.Line(in, 10); strings.Contains(got, "abc") || strings.Contains(got, "xyz") {
			t.Fatalf("shift %d: %q", shift, got)
		}
	}
}

func TestFindAndNames(t *testing.T) {
	r := New(map[string]string{"B": "samevalue", "A": "samevalue", "C": "another-one", "D": "other-", "SHORT": "abc"})
	if got, want := r.Names(), []string{"A", "B", "C", "D"}; !slices.Equal(got, want) {
		t.Errorf("Names() = %v, want %v", got, want)
	}
	tests := []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"nothing", nil},
		{"samevalue", []string{"A", "B"}},
		{"another-one", []string{"C", "D"}},
		{"abc", nil},
		{strings.Repeat("x", big-4) + "samevalue" + strings.Repeat("y", big), []string{"A", "B"}},
	}
	for _, tt := range tests {
		if got := r.Find([]byte(tt.in)); !slices.Equal(got, tt.want) {
			t.Errorf("Find(%.30q) = %v, want %v", tt.in, got, tt.want)
		}
	}
	var none *Redactor
	if none.Find([]byte("x")) != nil || none.Names() != nil {
		t.Error("a nil Redactor finds something")
	}
}

// Text and secrets that repeat themselves must not make the search slow.
func TestTimeIsLinear(t *testing.T) {
	secrets := map[string]string{}
	for i := range 20 {
		secrets[fmt.Sprint("S", i)] = strings.Repeat("a", 1000*(i+1)) + "b"
	}
	r := New(secrets)
	start := time.Now()
	r.Text(strings.Repeat("a", 2<<20), 1<<19)
	r.Find([]byte(strings.Repeat(`\u0061%61`, 1<<18)))
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestStable(t *testing.T) {
	tests := []struct{ in, want string }{
		{"2026-03-01T10:11:12.345Z start", "<time> start"},
		{"2026-03-01 10:11:12,345 ERROR", "<time> ERROR"},
		{"2026-03-01T10:11:12+02:00", "<time>"},
		{"2026/03/01 10:11:12 listening", "<time> listening"},
		{"_logs/2026-03-01T10_11_12_345Z-debug-0.log", "_logs/<time>-debug-0.log"},
		{`{"level":30,"time":1767225600123,"pid":4321}`, `{"level":30,"time":<time>,"pid":<id>}`},
		{"[10:11:12] ready", "[<time>] ready"},
		{"panic at 0xc000123456", "panic at 0x<address>"},
		{"goroutine 17 [running]", "goroutine <id> [running]"},
		{"(node:12345) Warning: x", "(node:<id>) Warning: x"},
		{"server[812]: failed", "server[<id>]: failed"},
		{"pid=812 process 812 Thread 7", "pid=<id> process <id> Thread <id>"},
		{"==812==ERROR: AddressSanitizer", "==<id>==ERROR: AddressSanitizer"},
		{"sh: line 1:  812 Segmentation fault", "sh: line 1:  <id> Segmentation fault"},
		{"# hs_err_pid812.log", "# hs_err_pid<id>.log"},
		{"open /tmp/sealmark-123/x.json", "open /tmp/<name>/x.json"},
		{"open /tmp/tmpabc_defg/x.json", "open /tmp/<name>/x.json"},
		{`C:\Temp\x9.txt`, `C:\Temp\<name>`},
		{"http://127.0.0.1:43121/ and [::1]:43121", "http://127.0.0.1:<port>/ and [::1]:<port>"},
		{"id 3f2504e0-4f89-11d3-9a0c-0305e82c3301", "id <uuid>"},
		{"server.js:12:34 exited with status 1", "server.js:12:34 exited with status 1"},
		{"at f (/srv/app/x.js:10:2)", "at f (/srv/app/x.js:10:2)"},
		{"/tmp/app/server.py, line 12", "/tmp/app/server.py, line 12"},
		{"arr[0]= 5", "arr[0]= 5"},
	}
	for _, tt := range tests {
		got := Stable(tt.in)
		if got != tt.want {
			t.Errorf("Stable(%q) = %q, want %q", tt.in, got, tt.want)
		}
		if again := Stable(got); again != got {
			t.Errorf("Stable twice of %q: %q, then %q", tt.in, got, again)
		}
	}
}

func FuzzRedact(f *testing.F) {
	values := []string{"s3cret-value", "value/with+ö and blank", "line one of it\nline two of it", "aaaaaa"}
	r := New(map[string]string{"A": values[0], "B": values[1], "C": values[2], "D": values[3]})
	f.Add("plain "+values[0], 20)
	f.Add(url.QueryEscape(values[1])+strings.Repeat("aa", 20), 50)
	f.Add(`line one of it\nline two of it \u0073\u0033cret-value`, 100)
	f.Add("\xff\x1b[0m\u202e s3cret-\nvalue", 5)
	f.Add(`\\u0061\u0061aaa%61`, -3)
	f.Add(base64.StdEncoding.EncodeToString([]byte(values[0])), 12)
	f.Fuzz(func(t *testing.T, in string, most int) {
		most %= 1 << 14
		for _, got := range []string{r.Text(in, most), r.Line(in, most)} {
			if !utf8.ValidString(got) {
				t.Errorf("invalid UTF-8: %q", got)
			}
			if note := len("… (99999999999 bytes more)"); len(got) > max(most, 0)+note {
				t.Errorf("%d bytes for a bound of %d", len(got), most)
			}
			for _, v := range values {
				if strings.Contains(got, v) {
					t.Errorf("%q holds %q", got, v)
				}
			}
			if names := r.Find([]byte(got)); len(names) > 0 {
				t.Errorf("%q holds %v", got, names)
			}
			if strings.ContainsFunc(got, hidden) {
				t.Errorf("%q holds what can't be seen", got)
			}
		}
		if line := r.Line(in, most); strings.ContainsAny(line, "\n\t") || strings.Contains(line, "  ") {
			t.Errorf("%q is no line", line)
		}
		Stable(in)
	})
}
