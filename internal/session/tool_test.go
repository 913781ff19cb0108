package session

import "testing"

// TestReadOnly: a name counts as read-only if all tools of that name are.
func TestReadOnly(t *testing.T) {
	tool := func(name string, hint *bool) Tool {
		return Tool{Name: name, Annotations: Annotations{ReadOnlyHint: hint}}
	}
	s := &Snapshot{Tools: []Tool{
		tool("reads", new(true)), tool("writes", new(false)), tool("silent", nil),
		tool("both", new(true)), tool("both", new(false)), tool("half", nil), tool("half", new(true)), tool("twice", new(true)), tool("twice", new(true)),
	}}
	for name, want := range map[string]bool{"reads": true, "writes": false, "silent": false, "both": false, "half": false, "twice": true, "absent": false} {
		if got := s.ReadOnly(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
