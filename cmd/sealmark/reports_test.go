package main

import (
	"testing"
)

// TestSuffixes: no two servers share the name of a file.
func TestSuffixes(t *testing.T) {
	var all []tested
	for _, key := range []string{"a-b-3", "a/b", "a b", "a\tb", "", ""} {
		all = append(all, tested{job: job{Key: key}})
	}
	seen := map[string]bool{}
	for _, name := range suffixes(all) {
		if seen[name] {
			t.Errorf("%s stands twice", name)
		}
		seen[name] = true
	}
}
