package wire

import (
	"fmt"
	"strings"
	"testing"
)

func TestMembers(t *testing.T) {
	tests := []struct{ in, want string }{
		{`{"jsonrpc":"2.0","id": 1 ,"result":{"a":[1]},"other":2}`, `map[id:1 jsonrpc:"2.0" result:{"a":[1]}]`},
		{`{"id":1,"id":2}`, `map[id:2]`},
		{`{"ID":1,"Result":2}`, `map[]`},
		{` {} `, `map[]`},
		{`{"id":1}x`, `none`},
		{`{"id":1}{}`, `none`},
		{`{"id":1`, `none`},
		{`{"id":1,}`, `none`},
		{`[1]`, `none`},
		{`null`, `none`},
		{``, `none`},
		{`{` + strings.Repeat(`"x":1,`, 100_000) + `"id":1}`, `map[id:1]`},
	}
	for _, tt := range tests {
		got := "none"
		if members := Members([]byte(tt.in)); members != nil {
			texts := map[string]string{}
			for name, raw := range members {
				texts[name] = string(raw)
			}
			got = fmt.Sprint(texts)
		}
		if got != tt.want {
			t.Errorf("%.60s: got %s, want %s", tt.in, got, tt.want)
		}
	}
}
