package config

import (
	"slices"
	"testing"
)

func TestSplit(t *testing.T) {
	tests := []struct {
		in    string
		want  []string
		fault string
	}{
		{"node dist/index.js --stdio", []string{"node", "dist/index.js", "--stdio"}, ""},
		{"  a\t b\n c  ", []string{"a", "b", "c"}, ""},
		{`a 'b c' "d e"`, []string{"a", "b c", "d e"}, ""},
		{`a'b'"c"d`, []string{"abcd"}, ""},
		{`a '' ""`, []string{"a", "", ""}, ""},
		{`a\ b \"c\"`, []string{"a b", `"c"`}, ""},
		{`"a \"b\" \\ \$x \n"`, []string{`a "b" \ $x \n`}, ""},
		{`'a\b "c"'`, []string{`a\b "c"`}, ""},
		{"a \\\n  b", []string{"a", "b"}, ""},
		{"a\\\nb", []string{"ab"}, ""},
		{"a \"b\\\nc\"", []string{"a", "bc"}, ""},
		{`a\`, []string{`a\`}, ""},
		{"run --x=$HOME *.js # no comment", []string{"run", "--x=$HOME", "*.js", "#", "no", "comment"}, ""},
		{"a '|' \"&&\" \\;", []string{"a", "|", "&&", ";"}, ""},
		{"a ${B C}", []string{"a", "${B", "C}"}, ""},
		{"", nil, "it is empty"},
		{" \n", nil, "it is empty"},
		{"a 'b", nil, "a single quote is never closed"},
		{`a "b`, nil, "a double quote is never closed"},
		{`a "b\"`, nil, "a double quote is never closed"},
		{"a && b", nil, `it holds &, which needs a shell: use [sh, -c, "…"]`},
		{"a > b", nil, `it holds >, which needs a shell: use [sh, -c, "…"]`},
		{"a `b`", nil, "it holds `, which needs a shell: use [sh, -c, \"…\"]"},
		{"a $(b)", nil, `it holds $(, which needs a shell: use [sh, -c, "…"]`},
		{`a "$(b)"`, nil, `it holds $(, which needs a shell: use [sh, -c, "…"]`},
		{"a \"`b`\"", nil, "it holds `, which needs a shell: use [sh, -c, \"…\"]"},
	}
	for _, tt := range tests {
		got, err := Split(tt.in)
		switch {
		case err != nil && err.Error() != tt.fault:
			t.Errorf("Split(%q): %v, want %q", tt.in, err, tt.fault)
		case err == nil && (tt.fault != "" || !slices.Equal(got, tt.want)):
			t.Errorf("Split(%q) = %q, want %q, error %q", tt.in, got, tt.want, tt.fault)
		}
	}
}
