package target

import (
	"fmt"
	"strings"
	"testing"
)

// outline writes a value on one line, each with its line number.
func outline(n *node) string {
	if n == nil {
		return "none"
	}
	switch n.kind {
	case table:
		var parts []string
		for _, key := range n.keys {
			parts = append(parts, key+"="+outline(n.fields[key]))
		}
		return fmt.Sprintf("%d{%s}", n.line, strings.Join(parts, " "))
	case list:
		var parts []string
		for _, item := range n.items {
			parts = append(parts, outline(item))
		}
		return fmt.Sprintf("%d[%s]", n.line, strings.Join(parts, " "))
	case text:
		return fmt.Sprintf("%d%q", n.line, n.text)
	case scalar:
		return fmt.Sprintf("%d%s", n.line, n.text)
	}
	return fmt.Sprintf("%dnull", n.line)
}

func TestParsers(t *testing.T) {
	for _, c := range []struct {
		name  string
		parse func([]byte) (*node, error)
		in    string
		want  string
	}{
		{"JSON", parseJSON, "{\n \"a\": {\"b\": [1,\n \"x\", true, null]}\n}", `1{a=2{b=2[21 3"x" 3true 3null]}}`},
		{"JSON with comments", parseJSON, "\xef\xbb\xbf// c\n{\"a\": 1, /* x */\n\"b\":\n\"y\",}", `2{a=21 b=3"y"}`},
		{"YAML", parseYAML, "# c\na:\n  b: [1, x]\n  c: |-\n    one\n    two\nd: true\ne: ~\n", `2{a=2{b=3[31 3"x"] c=4"one\ntwo"} d=7true e=8null}`},
		{"YAML anchors", parseYAML, "a: &x [1]\nb: *x\n", `1{a=1[11] b=2null}`},
		{"TOML", parseTOML, "a = 1\n[b.c]\nd = \"x\" # c\ne = { f = true }\n[[g]]\nh = [\"y\",\n 'z']\n[[g]]\nh = 2\n[g.i]\nj.k = 3\n", `1{a=11 b=2{c=2{d=3"x" e=4{f=4true}}} g=5[5{h=6[6"y" 7"z"]} 8{h=92 i=10{j=11{k=113}}}]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, err := c.parse([]byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			if got := outline(n); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestParsersRefuse(t *testing.T) {
	for _, c := range []struct {
		name  string
		parse func([]byte) (*node, error)
		in    string
	}{
		{"JSON cut short", parseJSON, `{"a":`},
		{"JSON depth", parseJSON, strings.Repeat("[", 1<<20)},
		{"YAML depth", parseYAML, strings.Repeat("[", 1<<20)},
		{"YAML empty", parseYAML, ""},
		{"TOML depth", parseTOML, "a = " + strings.Repeat("[", 1<<20)},
		{"TOML twice", parseTOML, "a = 1\na = 2\n"},
		{"TOML key", parseTOML, strings.Repeat("a.", 1<<18) + "a = 1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if n, err := c.parse([]byte(c.in)); err == nil {
				t.Errorf("no error, but %.200s", outline(n))
			}
		})
	}
}
