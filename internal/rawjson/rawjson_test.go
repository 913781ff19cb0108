package rawjson

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestValues(t *testing.T) {
	tests := []struct {
		raw                string
		text               string
		isText, isObj, arr bool
	}{
		{`"a"`, "a", true, false, false}, {`""`, "", true, false, false}, {`{"a":1}`, "", false, true, false}, {`[1]`, "", false, false, true},
		{`null`, "", false, false, false}, {`7`, "", false, false, false}, {``, "", false, false, false}, {`{`, "", false, false, false},
	}
	for _, tt := range tests {
		raw := json.RawMessage(tt.raw)
		text, ok := Text(raw)
		if text != tt.text || ok != tt.isText || (Object(raw) != nil) != tt.isObj || (Array(raw) != nil) != tt.arr {
			t.Errorf("%s: text %q %v, object %v, array %v", tt.raw, text, ok, Object(raw), Array(raw))
		}
	}
}

func TestEncode(t *testing.T) {
	if got := string(Encode(map[string]any{"b": "<&>", "a": json.Number("1.0")})); got != `{"a":1.0,"b":"<&>"}` {
		t.Error(got)
	}
}

func TestPointers(t *testing.T) {
	for pointer, tokens := range map[string][]string{"": nil, "/": {""}, "/a/0": {"a", "0"}, "/a~1b/m~0n": {"a/b", "m~n"}, "/~01": {"~1"}} {
		if got := Tokens(pointer); !slices.Equal(got, tokens) {
			t.Errorf("%q: %q, want %q", pointer, got, tokens)
		}
		if got := Pointer(tokens); got != pointer {
			t.Errorf("%q: %q, want %q", tokens, got, pointer)
		}
	}
}
