package config

import (
	"slices"
	"testing"
)

func TestContract(t *testing.T) {
	in(t, "contract: {reach: read-only, allow_tools: [get_one, 'list_*'], observe_tools: '*_beta'}")
	c, err := Build(Sources{Command: []string{"x"}}, catalog())
	if err != nil {
		t.Fatal(err)
	}
	for tool, want := range map[string][2]bool{
		"get_one": {true, false}, "get_one_more": {false, false}, "list_": {true, false}, "list_all_beta": {true, true}, "beta": {false, false},
	} {
		if got := [2]bool{c.Contract.MayWrite(tool), c.Contract.Observed(tool)}; got != want {
			t.Errorf("%s: may write and observed %v, want %v", tool, got, want)
		}
	}
	if got := c.Deviations(); !slices.Equal(got, []string{"contract.observe_tools"}) {
		t.Errorf("deviations %q", got)
	}
	c, err = Build(Sources{Command: []string{"x"}, Flags: map[string]string{"contract-reach": "all", "contract-allow-tools": "a, b*,,"}}, catalog())
	if err != nil {
		t.Fatal(err)
	}
	if !c.Contract.MayWrite("anything") || !slices.Equal(c.Contract.AllowTools, []string{"a", "b*"}) || c.Origin("contract.reach").String() != "--contract-reach" {
		t.Errorf("%+v", c.Contract)
	}
}

func TestMatches(t *testing.T) {
	tests := []struct {
		pattern, name string
		want          bool
	}{
		{"get", "get", true}, {"get", "get_x", false}, {"get*", "get", true}, {"*", "", true}, {"*", "a/b.c", true},
		{"*_x", "get_x", true}, {"*_x", "get_xy", false}, {"a*b*c", "a-b-b-c", true}, {"a*b*c", "acb", false}, {"a*a", "a", false},
		{"", "", true}, {"", "a", false}, {"[a]", "a", false}, {"a**b", "ab", true}, {"*b*", "abc", true},
	}
	for _, tt := range tests {
		if got := Matches(tt.pattern, tt.name); got != tt.want {
			t.Errorf("%q fits %q: %v", tt.name, tt.pattern, got)
		}
	}
}
