package rule

import "testing"

func TestCounted(t *testing.T) {
	for n, want := range map[int]string{0: "0 calls", 1: "1 call", 2: "2 calls"} {
		if got := Counted(n, "call"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
