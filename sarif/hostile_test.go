package sarif_test

import (
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/sarif"
)

// hostile are texts that a server may use as a tool's name or in a reply.
var hostile = []string{
	"<!-- sealmark -->@everyone ![x](http://evil.example/)",
	"[click](http://evil.example/) {0} {1}",
	`back\slash \[ \] {{ }}`,
	"::error file=a,line=1::b\n##[error]c\r\nd",
	"\u202egnp.exe \u200b\u2066",
	"\x1b[31mred\x1b[0m\x00\x07",
	"%s %d %!v(MISSING) %00 %zz",
	"\xff\xfe not UTF-8 \xc3",
	strings.Repeat("long", 5000),
	strings.Repeat("😀", 3000),
	strings.Repeat(`[{\`, 3000),
	"__proto__", "null", " ", ":", "tool:", "tool:tool:x",
}

func TestHostileNames(t *testing.T) {
	r := sample()
	r.Findings = nil
	for _, name := range hostile {
		f := finding("robust.hang", "tool:"+name, rule.Error, fmt.Sprintf("Tool %q hangs: %s", name, name))
		f.ID, f.Probe = name, name
		f.Evidence = rule.Evidence{Request: name, Reply: name, Detail: name, Match: name, Stderr: name}
		r.Findings = append(r.Findings, f)
	}
	r.Findings = append(r.Findings, rule.Finding{Rule: "robust.hang", Severity: "fatal", Count: -5})
	r.Reason = &result.Reason{Rule: hostile[0], Text: strings.Join(hostile, " "), Next: hostile[1]}
	r.Completeness = result.Completeness{State: "partial", Reasons: hostile}
	r.Server.Name, r.Sealmark.Version = hostile[0], hostile[1]
	data, d := convert(t, r, sarif.Options{Category: hostile[0] + "/" + hostile[4]})
	texts := []string{}
	for _, f := range d.Runs[0].Results {
		texts = append(texts, f.Message.Text)
	}
	for _, n := range d.Runs[0].Invocations[0].ToolExecutionNotifications {
		texts = append(texts, n.Message.Text)
	}
	if len(texts) != len(hostile)+1+2 {
		t.Errorf("%d messages", len(texts))
	}
	for _, text := range texts {
		checkMessage(t, text)
	}
	for _, c := range string(data) {
		if unicode.In(c, unicode.Cf) || unicode.IsControl(c) && c != '\n' {
			t.Fatalf("the document holds %U", c)
		}
	}
}

// checkMessage finds what has a meaning in the text of a message.
func checkMessage(t *testing.T, text string) {
	t.Helper()
	if utf8.RuneCountInString(text) > 1024 || strings.TrimSpace(text) == "" || !utf8.ValidString(text) {
		t.Errorf("message of %d characters", utf8.RuneCountInString(text))
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\\':
			if i++; i == len(text) || !strings.ContainsRune(`\[]`, rune(text[i])) {
				t.Fatalf("a backslash is not escaped: %.200q", text)
			}
		case '[', ']', '\n', '\r':
			t.Fatalf("%q stands bare: %.200q", c, text)
		case '{', '}':
			if i++; i == len(text) || text[i] != c {
				t.Fatalf("a brace is not doubled: %.200q", text)
			}
		}
	}
}

// M01, M02, M03: whatever the places, each result has a relative URI.
func TestHostilePlaces(t *testing.T) {
	for _, c := range []struct {
		location, anchor, want string
	}{
		{"", "no file associated with this alert", "no%20file%20associated%20with%20this%20alert"},
		{"", "", "sealmark.yml"},
		{"", "/", "sealmark.yml"},
		{".", "..", "sealmark.yml"},
		{"../../etc/passwd", "package.json", "package.json"},
		{"/etc/passwd", "./package.json", "package.json"},
		{"src/../../x", "a//b/", "a/b"},
		{"src/x/../y.ts", "", "src/y.ts"},
		{"http://localhost:8000/mcp", "", "http%3A/localhost%3A8000/mcp"},
		{"localhost:8000", "", "localhost%3A8000"},
		{"file://Package Descriptor", "", "file%3A/Package%20Descriptor"},
		{"100%.ts", "", "100%25.ts"},
		{"a?b#c", "", "a%3Fb%23c"},
		{"[id]/page.tsx", "", "%5Bid%5D/page.tsx"},
		{`C:\repo\x.ts`, "", "C%3A%5Crepo%5Cx.ts"},
		{"日本/ü.go", "", "%E6%97%A5%E6%9C%AC/%C3%BC.go"},
		{"a\nb\u202e", "", "a%0Ab%E2%80%AE"},
		{"a\x00b", "go.mod", "go.mod"},
		{strings.Repeat("a", 5000), "go.mod", "go.mod"},
		{"...", "", "..."},
	} {
		r := sample()
		r.Server.Anchor = rule.Location{Path: c.anchor, Line: -3}
		r.Findings = []rule.Finding{finding("stdio.crlf", "server", rule.Note, "The server ends its messages in CR LF.")}
		if c.location != "" {
			r.Findings[0].Location = &rule.Location{Path: c.location, Line: 0}
		}
		_, d := convert(t, r, sarif.Options{})
		p := d.Runs[0].Results[0].Locations[0].PhysicalLocation
		if p.ArtifactLocation["uri"] != c.want || len(p.ArtifactLocation) != 1 || p.Region.StartLine != 1 {
			t.Errorf("place %q or %q: %+v, want %s", c.location, c.anchor, p, c.want)
		}
	}
}

// M05: a server with 5,000 bad tools gives a bounded document that says what
// it leaves out.
func TestManyFindings(t *testing.T) {
	r := sample()
	r.Findings = nil
	for _, id := range []string{"robust.hang", "robust.accepted-invalid", "stdio.crlf"} {
		severity := map[string]rule.Severity{"robust.hang": rule.Error, "robust.accepted-invalid": rule.Warning, "stdio.crlf": rule.Note}[id]
		for i := range 5000 {
			r.Findings = append(r.Findings, finding(id, fmt.Sprintf("tool:bad_%04d", i), severity, fmt.Sprintf("Tool \"bad_%04d\" is bad.", i)))
		}
	}
	data, d := convert(t, r, sarif.Options{})
	if n := gzipped(t, data); n > 1_000_000 {
		t.Errorf("%d bytes compressed", n)
	}
	results := d.Runs[0].Results
	if len(results) != 303 {
		t.Fatalf("%d results", len(results))
	}
	count := map[string]int{}
	for _, f := range results {
		count[f.RuleID]++
	}
	if count["robust.hang"] != 101 || count["robust.accepted-invalid"] != 101 || count["stdio.crlf"] != 101 {
		t.Errorf("results by rule: %v", count)
	}
	rest := results[302]
	if rest.RuleID != "stdio.crlf" || rest.OccurrenceCount != 4900 || !strings.HasPrefix(rest.Message.Text, "The server has 4900 more findings of the rule stdio.crlf (Messages end in CR LF). They are left out here: code scanning gets 100 of a rule at most.") {
		t.Errorf("the rest: %+v", rest)
	}
	notes := d.Runs[0].Invocations[0].ToolExecutionNotifications
	if len(notes) != 1 || !strings.HasPrefix(notes[0].Message.Text, "14700 of 15000 findings are left out: this file holds 300, of each rule 100 at most,") {
		t.Errorf("notifications: %+v", notes)
	}
}

func TestHeavyFindings(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	noise := rand.NewChaCha8([32]byte{1})
	text := func(n int) string {
		b := make([]byte, n)
		noise.Read(b)
		return base64.StdEncoding.EncodeToString(b)
	}
	r := sample()
	r.Findings = nil
	for i := range 2500 {
		id := fmt.Sprintf("extra.rule-%02d", i/100)
		if i%100 == 0 {
			r.Rules = append(r.Rules, rule.Rule{ID: id, Severity: rule.Error})
		}
		f := finding(id, fmt.Sprintf("tool:%d %s", i, text(200)), rule.Error, text(800))
		f.Evidence = rule.Evidence{Request: text(800), Reply: text(800), Match: text(800), Detail: text(800), Stderr: text(800)}
		r.Findings = append(r.Findings, f)
	}
	data, d := convert(t, r, sarif.Options{})
	if n := gzipped(t, data); n > 10_000_000 {
		t.Errorf("%d bytes compressed", n)
	}
	notes := d.Runs[0].Invocations[0].ToolExecutionNotifications
	if len(d.Runs[0].Results) != 2500 || len(notes) == 0 || !strings.Contains(notes[len(notes)-1].Message.Text, "Evidence is shortened") {
		t.Errorf("%d results, notifications %+v", len(d.Runs[0].Results), notes)
	}
}

func gzipped(t *testing.T, data []byte) int64 {
	t.Helper()
	in, out := io.Pipe()
	go func() {
		w := gzip.NewWriter(out)
		w.Write(data)
		w.Close()
		out.Close()
	}()
	n, err := io.Copy(io.Discard, in)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestManyRules(t *testing.T) {
	r := sample()
	r.Findings = nil
	for i := range 6000 {
		id := fmt.Sprintf("extra.rule-%04d", i)
		r.Rules = append(r.Rules, rule.Rule{ID: id, Severity: rule.Warning})
		r.Findings = append(r.Findings, finding(id, "server", rule.Warning, "The server breaks a rule."))
	}
	_, d := convert(t, r, sarif.Options{})
	if n := len(d.Runs[0].Results); n != 5000 {
		t.Errorf("%d results", n)
	}
}

func TestHostileRules(t *testing.T) {
	r := sample()
	long := strings.Repeat("ü", 100_000)
	r.Rules[0].Title, r.Rules[0].Description, r.Rules[0].Fix, r.Rules[0].Example = long, long, long, long
	r.Rules[0].Check, r.Rules[0].Precision, r.Rules[0].SecuritySeverity = "../x)#?", "certain", 1e300
	r.Rules[0].Tags = strings.Split(strings.Repeat("tag ", 3)+"a b c d e f g h i j k l", " ")
	r.Rules[1] = rule.Rule{ID: "launch.exited", SecuritySeverity: -1}
	data, d := convert(t, r, sarif.Options{})
	if len(data) > 100_000 {
		t.Errorf("%d bytes", len(data))
	}
	for _, known := range d.Runs[0].Tool.Driver.Rules {
		if n := len(known.Properties["tags"].([]any)); n > 10 {
			t.Errorf("%s: %d tags", known.ID, n)
		}
	}
	hang := d.Runs[0].Tool.Driver.Rules[2]
	if hang.Properties["security-severity"] != "10.0" || hang.Properties["precision"] != "medium" || !strings.Contains(fmt.Sprint(hang.Properties["tags"]), "security") {
		t.Errorf("%+v", hang.Properties)
	}
}

func FuzzConvert(f *testing.F) {
	for i, s := range hostile {
		f.Add(s, hostile[(i+3)%len(hostile)], s, "a/"+s, i-3, float64(i), "note")
	}
	f.Fuzz(func(t *testing.T, key, subject, message, path string, line int, severe float64, severity string) {
		r := sample()
		r.Server.Key, r.Server.Anchor.Path, r.Sealmark.Version = key, path, message
		r.Findings[0].Subject, r.Findings[0].Message, r.Findings[0].Location = subject, message, &rule.Location{Path: path, Line: line}
		r.Findings[1].Subject, r.Findings[1].Severity, r.Findings[1].Count = message, rule.Severity(severity), line
		r.Findings[2].Evidence = rule.Evidence{Request: subject, Reply: message, Stderr: path}
		if severe-severe == 0 {
			r.Rules[0].SecuritySeverity = severe
		}
		r.Rules[0].Title, r.Rules[1].Description, r.Rules[2].Fix, r.Rules[2].Tags = message, subject, path, []string{key, severity}
		data, d := convert(t, r, sarif.Options{Category: severity})
		if len(data) > 1<<20 {
			t.Errorf("%d bytes", len(data))
		}
		for _, f := range d.Runs[0].Results {
			checkMessage(t, f.Message.Text)
		}
	})
}
