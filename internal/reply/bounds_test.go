package reply

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// patience is far over what a read takes, and far under what it would take if
// it grew faster than the text. The race detector and a busy machine fit in.
const patience = 30 * time.Second

// TestReadBounds reads answers that are made to be slow or large.
func TestReadBounds(t *testing.T) {
	many := make([]string, 3000)
	for i := range many {
		many[i] = fmt.Sprintf("name%d", i)
	}
	arguments, _ := json.Marshal(many)
	fill := func(unit string) string { return strings.Repeat(unit, (1<<17)/len(unit)) }
	deep := strings.Repeat(`{"a":`, 100_000) + `"x"` + strings.Repeat(`}`, 100_000)
	answers := map[string]Answer{
		"at":           flagged(fill("at ")),
		"at (":         flagged(fill("at x (/")),
		"file":         flagged(fill(`File "`)),
		"home":         flagged(fill("/home/")),
		"node_modules": flagged(fill("node_modules/")),
		"windows":      flagged(fill(`C:\`)),
		"names":        flagged(fill("name7 ")),
		"required":     flagged(fill("required for name7 of ")),
		"path":         flagged(fill(`"path": ["name7`)),
		"ours":         flagged(fill("name77")),
		"timeout":      plain(fill("timeou")),
		"lines":        plain(fill("\n")),
		"quotes":       plain("{" + fill(`"a":"b",`)),
		"keys":         result("{" + fill(`"a":1,`) + `"b":2}`),
		"blocks":       result(`{"content":[` + fill(`{},`) + `{}]}`),
		"structured":   result(`{"structuredContent":[` + fill(`"a",`) + `"b"]}`),
		"deep":         result(`{"structuredContent":` + deep + `}`),
		"deep text":    plain(deep),
		"deep data":    rpcData("x", deep),
		"broken":       result(`{"content":[{"type":"text","text":"` + "\xff\xfe"),
		"utf-16":       result(`{"content":[{"type":"text","text":"\ud800"}]}`),
	}
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			r := Read(answer, Question{Arguments: arguments, Parameters: many})
			if took := time.Since(start); took > patience {
				t.Errorf("took %s", took)
			}
			if len(r.Text) > maxText+1 || len(r.Match) > 1000 || len(r.Leak) > 1000 {
				t.Errorf("text %d, match %d, leak %d bytes", len(r.Text), len(r.Match), len(r.Leak))
			}
		})
	}
}

// TestReadLongText: what stands in the first 256 KiB is seen, even in a text
// that is longer.
func TestReadLongText(t *testing.T) {
	long := strings.Repeat("x ", 200_000)
	for name, answer := range map[string]Answer{
		"text":       plain("Traceback (most recent call last): " + long),
		"data":       rpcData("x", `["Traceback (most recent call last):","`+long+`"]`),
		"structured": result(`{"structuredContent":{"t":"Traceback (most recent call last): ` + long + `"}}`),
	} {
		if r := Read(answer, Question{}); r.Leak == "" {
			t.Errorf("%s: no leak seen", name)
		}
	}
	if r := Read(plain(long+"Traceback (most recent call last)"), Question{}); r.Leak != "" {
		t.Error("looked beyond the bound")
	}
}

func TestWithoutOurs(t *testing.T) {
	tests := []struct{ arguments, text, want string }{
		{`{"a":"KeyError"}`, "Echo: KeyError", "Echo:  "},
		{`{"a":"KeyError"}`, "onKeyError KeyErrors", "onKeyError KeyErrors"},
		{`{"a":["one\ntwo"]}`, `"one\ntwo" one` + "\ntwo", `" "  `},
		{`{"a":"abc"}`, "abc", "abc"},
		{`{"a":"long text","b":"long"}`, "a long text, long", "a  ,  "},
		{`[1`, "x", "x"},
		{``, "x", "x"},
	}
	for _, test := range tests {
		if got := oursIn(json.RawMessage(test.arguments)).without(test.text); got != test.want {
			t.Errorf("%s, %q: %q, want %q", test.arguments, test.text, got, test.want)
		}
	}
}

// TestWords holds the lists to themselves: each word is found on its own.
func TestWords(t *testing.T) {
	for _, w := range RuntimeErrorWords {
		if runtimeError("x "+w+" y", nil, false) != w {
			t.Errorf("runtime error %q is not found", w)
		}
	}
	for _, w := range RuntimeErrorExtension {
		if runtimeError("x "+w+" y", nil, false) == "" {
			t.Errorf("runtime error %q is not found", w)
		}
	}
	for _, w := range append(FailedFetchWords[:len(FailedFetchWords):len(FailedFetchWords)], ResolverExtension...) {
		if failedFetch("x "+w+" y") == "" || failedFetch("x"+strings.ToUpper(w)+"y") != "" {
			t.Errorf("failed fetch %q is not found, or within a word", w)
		}
	}
	for _, w := range RefusalWords {
		if refusedText(w+" of something", nil) == "" {
			t.Errorf("refusal %q is not found", w)
		}
	}
	for _, w := range RefusalPhrases {
		if refusedText("x "+w+" y", nil) == "" {
			t.Errorf("phrase %q is not found", w)
		}
	}
}
