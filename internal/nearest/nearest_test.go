package nearest

import (
	"strings"
	"testing"
)

func TestName(t *testing.T) {
	known := []string{"timeout_sec", "timeout_probe_sec", "lanes", "robust-input"}
	for wrong, want := range map[string]string{
		"lanes": "lanes", "lane": "lanes", "Lanes": "lanes", "robust-inptu": "robust-input", "robust": "robust-input",
		"timeout": "timeout_sec", "timeout_prob_sec": "timeout_probe_sec",
		"": "", "zzz": "", "something-else": "", strings.Repeat("lanes", 30): "",
	} {
		if got := Name(wrong, known); got != want {
			t.Errorf("%q: got %q, want %q", wrong, got, want)
		}
	}
	if got := Name("x", nil); got != "" {
		t.Errorf("got %q", got)
	}
}
