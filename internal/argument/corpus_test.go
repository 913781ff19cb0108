package argument

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestCorpus makes arguments for the tools of real servers.
func TestCorpus(t *testing.T) {
	const lists = "../../../shared/corpus/lists"
	files, _ := filepath.Glob(lists + "/*.json")
	if len(files) == 0 {
		if os.Getenv("CI") == "true" {
			t.Fatal("the corpus beside the checkout is missing")
		}
		t.Skip("no corpus beside the checkout")
	}
	tools, based := 0, 0
	sent, skipped := map[string]int{}, map[string]int{}
	var slowest time.Duration
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var list struct {
			Tools struct {
				Items []struct {
					Name        string
					InputSchema json.RawMessage
				}
			}
		}
		if err := json.Unmarshal(data, &list); err != nil {
			t.Fatal(file, err)
		}
		for _, tool := range list.Tools.Items {
			name := strings.TrimSuffix(filepath.Base(file), ".json") + " " + tool.Name
			tools++
			start := time.Now()
			schema, err := Compile(tool.InputSchema)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if base, err := schema.Base(); err != nil {
				t.Logf("%s: %v", name, err)
			} else if based++; schema.Valid(base) != nil {
				t.Errorf("%s: the base %s is refused: %v", name, base, schema.Valid(base))
			}
			variants, skips := schema.Robust()
			if len(variants)+len(skips) != 7 {
				t.Errorf("%s: %d variants and %d skips", name, len(variants), len(skips))
			}
			for _, v := range variants {
				sent[v.Probe]++
				if schema.Valid(v.Arguments) == nil {
					t.Errorf("%s: %s sends valid arguments %s", name, v.Probe, v.Arguments)
				}
			}
			for _, s := range skips {
				skipped[s.Probe+": "+s.Reason]++
			}
			slowest = max(slowest, time.Since(start))
		}
	}
	t.Logf("%d tools, a base for %d; slowest tool %s", tools, based, slowest)
	t.Logf("sent %v", sent)
	for _, reason := range sorted(skipped) {
		t.Logf("%4d not sent, %s", skipped[reason], reason)
	}
	if based*100 < tools*95 {
		t.Errorf("a base for %d of %d tools", based, tools)
	}
}
