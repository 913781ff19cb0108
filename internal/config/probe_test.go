package config

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestProbes(t *testing.T) {
	in(t, `
server: {command: [x]}
probes:
  - { tool: search, args: { query: weather, page: 2.0, tags: [a, 3, true, null], deep: { z: 1, a: "x<y" } }, expect: ok, result: { /total: 2, /token: "${DEMO_TOKEN}" }, timeout: 30s }
  - tool: order
    name: other tenant
    args: { id: "${HOST}/$${HOST}/${PORT}", 7: seven }
    expect: denied
    allowed: { id: own, key: "${DEMO_TOKEN}" }
  - { tool: ping, expect: error, args: }
  - { tool: ping, expect: invalid, args: { n: 1.50, hex: 0x10, day: 2027-03-31 }, timeout: 2 }
`)
	c, err := Build(Sources{Environ: environ}, catalog())
	if err != nil {
		t.Fatal(err)
	}
	want := []Probe{
		{Name: "probes[0]", Tool: "search", Args: json.RawMessage(`{"query":"weather","page":2.0,"tags":["a",3,true,null],"deep":{"z":1,"a":"x<y"}}`), Expect: ExpectOK,
			Result: map[string]json.RawMessage{"/total": json.RawMessage(`2`), "/token": json.RawMessage(`"demo-token-value"`)}, Timeout: 30 * time.Second, Secrets: []string{"DEMO_TOKEN"}},
		{Name: "other tenant", Tool: "order", Args: json.RawMessage(`{"id":"api.example.test/${HOST}/8080","7":"seven"}`), Expect: ExpectDenied,
			Allowed: json.RawMessage(`{"id":"own","key":"demo-token-value"}`), Secrets: []string{"DEMO_TOKEN", "HOST", "PORT"}},
		{Name: "probes[2]", Tool: "ping", Args: json.RawMessage(`{}`), Expect: ExpectError},
		{Name: "probes[3]", Tool: "ping", Args: json.RawMessage(`{"n":1.50,"hex":16,"day":"2027-03-31"}`), Expect: ExpectInvalid, Timeout: 2 * time.Second},
	}
	if len(c.Probes) != len(want) {
		t.Fatalf("%d probes", len(c.Probes))
	}
	for i, w := range want {
		g := c.Probes[i]
		same := g.Name == w.Name && g.Tool == w.Tool && string(g.Args) == string(w.Args) && g.Expect == w.Expect && string(g.Allowed) == string(w.Allowed) &&
			g.Timeout == w.Timeout && slices.Equal(g.Secrets, w.Secrets) &&
			maps.EqualFunc(g.Result, w.Result, func(a, b json.RawMessage) bool { return string(a) == string(b) })
		if !same {
			t.Errorf("got  %s %+v\nwant %s %+v", g.Args, g, w.Args, w)
		}
	}
	if c.Secrets["DEMO_TOKEN"] != "demo-token-value" {
		t.Errorf("secrets %v", c.Secrets)
	}
}

func TestProbesRefused(t *testing.T) {
	const where = "f.yml:"
	deep := strings.Repeat("[", 120) + strings.Repeat("]", 120)
	tests := []struct{ name, in, want string }{
		{"no list", "probes: {tool: x}", where + "1:9: probes must be a list"},
		{"an entry is a text", "probes: [x]", where + "1:10: probes[0] must be a map"},
		{"unknown key", "probes:\n  - {tool: x, expect: ok, arg: {}}", where + `2:27: unknown key "arg" of probes[0]: did you mean "args"?`},
		{"no tool", "probes:\n  - expect: ok", where + `2:11: probes[0] needs "tool"`},
		{"no expectation", "probes:\n  - {tool: x}", where + `2:5: probes[0] needs "expect"`},
		{"empty tool", "probes: [{tool: ' ', expect: ok}]", where + "1:17: probes[0].tool is empty"},
		{"tool is a list", "probes: [{tool: [x], expect: ok}]", where + "1:17: probes[0].tool must be a text, not a list"},
		{"unknown expectation", "probes: [{tool: x, expect: fine}]", where + `1:28: probes[0].expect must be ok, invalid, denied or error, not "fine"`},
		{"args are a list", "probes: [{tool: x, expect: ok, args: [1]}]", where + "1:38: probes[0].args must be a map"},
		{"args with an alias", "probes: [{tool: x, expect: ok, args: {a: *b}}]", where + "1:42: " + noAnchors},
		{"args twice", "probes: [{tool: x, expect: ok, args: {a: 1, a: 2}}]", where + `1:45: duplicate key "a": it is set in line 1 already`},
		{"args with infinity", "probes: [{tool: x, expect: ok, args: {a: .inf}}]", where + "1:42: probes[0].args.a must be a finite number, not +Inf"},
		{"args with an odd number", "probes: [{tool: x, expect: ok, args: {a: 007}}]", where + "1:42: probes[0].args.a: a number can't begin with 0"},
		{"deep args", "probes: [{tool: x, expect: ok, args: {a: " + deep + "}}]", where + "1:142: probes[0].args.a is nested deeper than 100 levels"},
		{"denied alone", "probes: [{tool: x, expect: denied}]", where + `1:10: probes[0] expects denied, so it needs "allowed": the arguments of a call that is permitted`},
		{"allowed for ok", "probes: [{tool: x, expect: ok, allowed: {}}]", where + "1:32: probes[0].allowed belongs to expect: denied"},
		{"result for an error", "probes: [{tool: x, expect: error, result: {/a: 1}}]", where + "1:35: probes[0].result belongs to expect: ok"},
		{"no pointer", "probes: [{tool: x, expect: ok, result: {a: 1}}]", where + `1:41: probes[0].result: "a" is no JSON pointer, which begins with /`},
		{"timeout", "probes: [{tool: x, expect: ok, timeout: soon}]", where + `1:41: probes[0].timeout must be a duration such as 2.5 (seconds) or 500ms, not "soon"`},
		{"no time", "probes: [{tool: x, expect: ok, timeout: 0}]", where + "1:41: probes[0].timeout must be more than zero, not 0"},
		{"two of a name", "probes: [{tool: x, expect: ok, name: a}, {tool: x, expect: ok, name: a}]", where + `1:42: two probes are named "a"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("f.yml", []byte(tt.in), catalog())
			if err == nil || err.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestProbesNeedTheirVariables(t *testing.T) {
	in(t, "server: {command: [x]}\nprobes:\n  - {tool: x, expect: ok, args: {a: {b: '${UNSET_HERE}'}}}\n")
	_, err := Build(Sources{Environ: environ}, catalog())
	if err == nil || err.Error() != "sealmark.yml:3:41: probes[0].args: the variable UNSET_HERE is not set" {
		t.Errorf("%v", err)
	}
}
