package reply

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/shared"
)

// recorded is a call of the corpus.
type recorded struct {
	Tool, Case, Class, Raw, Text string
	Args                         json.RawMessage
	SchemaInvalid                bool
}

// answer makes the answer that the recorded bytes are. Long ones were cut when
// they were recorded; of those the text is left.
func (r recorded) answer(t *testing.T) Answer {
	t.Helper()
	var envelope map[string]json.RawMessage
	if err := json.Unmarshal([]byte(r.Raw), &envelope); err != nil {
		if r.Class != "success" {
			t.Fatalf("%s %s: %v", r.Tool, r.Case, err)
		}
		content, _ := json.Marshal(map[string]any{"content": []map[string]string{{"type": "text", "text": r.Text}}})
		return Answer{Kind: Answered, Result: content}
	}
	a := Answer{Kind: Answered, Raw: []byte(r.Raw), Result: envelope["result"]}
	if raw := envelope["error"]; raw != nil {
		a.Error = &RPCError{}
		if err := json.Unmarshal(raw, a.Error); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// difference is a call that we read otherwise than the record has it.
type difference struct {
	// as is the recorded outcome, "" where the table does not count the call.
	as, because string
}

// differences reads testdata/differences.txt: by server (the start of its
// name's SHA-256), tool ("*" for all) and case; then the recorded outcome and
// the reason. The test of the live servers reads it too.
func differences(t *testing.T) map[string]difference {
	t.Helper()
	data, err := os.ReadFile("testdata/differences.txt")
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]difference{}
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 3 {
			t.Fatal(line)
		}
		list[strings.TrimSpace(cells[0])] = difference{strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2])}
	}
	return list
}

func known(differences map[string]difference, server, tool, kind string) (string, difference, bool) {
	for _, t := range []string{tool, "*"} {
		key := fmt.Sprintf("%x %s %s", sha256.Sum256([]byte(server)), t, kind)
		key = key[:8] + key[64:]
		if d, ok := differences[key]; ok {
			return key, d, true
		}
	}
	return "", difference{}, false
}

// TestGroundTruth holds our reading against answers of real servers. The
// counts of rejected, executed and crashed calls stand in a table of their own
// that was made without this package.
func TestGroundTruth(t *testing.T) {
	corpus := shared.Need(t, "corpus")
	expected, differences := table(t), differences(t)
	files, err := filepath.Glob(corpus + "/groundtruth/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	used := map[string]bool{}
	for _, file := range files {
		server := strings.TrimSuffix(filepath.Base(file), ".json")
		calls, parameters := load(t, server)
		got, read, agreed := map[string]int{}, 0, 0
		classes := map[Class]int{}
		for _, call := range calls {
			if !call.SchemaInvalid || call.Raw == "" {
				continue
			}
			r := Read(call.answer(t), Question{Arguments: call.Args, Parameters: parameters[call.Tool]})
			read++
			classes[r.Class]++
			key, d, allowed := known(differences, server, call.Tool, call.Case)
			used[key] = true
			marked := r.Decision != Accepted && !r.PlainText
			switch {
			case marked == (call.Class != "success") && (marked || r.Decision == Accepted):
				agreed++
			case !allowed:
				t.Errorf("%s %s %s: recorded as %s, read as %s (%q)\n%.400s", server, call.Tool, call.Case, call.Class, r.Decision, r.Match, call.Raw)
			}
			if kind, _, _ := strings.Cut(call.Case, ":"); kind == "wrong" || kind == "missing" || kind == "null" || kind == "badenum" {
				as := outcome(r.Decision)
				if allowed && d.as != "" {
					as = d.as
				}
				got[as]++
			}
		}
		t.Logf("%-28s %4d read, %4d agree; of the invalid values: %v; classes %v", server, read, agreed, got, classes)
		if want := expected[server]; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, the table says %v", server, got, want)
		}
	}
	for key := range differences {
		if !used[key] {
			t.Errorf("%s is no difference any more", key)
		}
	}
}

func outcome(c Class) string {
	switch c {
	case Rejected:
		return "rejected"
	case InternalError:
		return "crashed"
	}
	return "ran"
}

// load reads a server's calls and the property names of its tools.
func load(t *testing.T, server string) ([]recorded, map[string][]string) {
	t.Helper()
	var truth struct{ Calls []recorded }
	var lists struct {
		Tools struct {
			Items []struct {
				Name        string
				InputSchema struct{ Properties map[string]any }
			}
		}
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
	parameters := map[string][]string{}
	for _, tool := range lists.Tools.Items {
		for name := range tool.InputSchema.Properties {
			parameters[tool.Name] = append(parameters[tool.Name], name)
		}
	}
	return truth.Calls, parameters
}

var notWord = regexp.MustCompile(`[^\w.-]`)

// table reads the recorded counts per server.
func table(t *testing.T) map[string]map[string]int {
	t.Helper()
	data, err := os.ReadFile(shared.Need(t, "corpus/table-calls.md"))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]map[string]int{}
	for _, line := range strings.Split(string(data), "\n")[2:] {
		cells := strings.Split(line, "|")
		if len(cells) < 7 {
			continue
		}
		c := map[string]int{}
		for i, kind := range map[int]string{4: "rejected", 5: "ran", 6: "crashed"} {
			n, err := strconv.Atoi(strings.TrimSpace(cells[i]))
			if err != nil {
				t.Fatal(line)
			}
			if n > 0 {
				c[kind] = n
			}
		}
		counts[notWord.ReplaceAllString(strings.TrimSpace(cells[1]), "_")] = c
	}
	return counts
}
