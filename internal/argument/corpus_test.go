package argument

import (
	"testing"
	"time"
)

// TestCorpus makes arguments for the tools of real servers.
func TestCorpus(t *testing.T) {
	tools := corpusTools(t)
	based := 0
	sent, skipped := map[string]int{}, map[string]int{}
	var slowest time.Duration
	for _, name := range sorted(tools) {
		start := time.Now()
		schema, err := Compile(tools[name])
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
	t.Logf("%d tools, a base for %d; slowest tool %s", len(tools), based, slowest)
	t.Logf("sent %v", sent)
	for _, reason := range sorted(skipped) {
		t.Logf("%4d not sent, %s", skipped[reason], reason)
	}
	if based*100 < len(tools)*95 {
		t.Errorf("a base for %d of %d tools", based, len(tools))
	}
}
