package reply

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// TestClamped: a success that shows the limit in place of what was sent, and
// the many that only happen to hold the same number.
func TestClamped(t *testing.T) {
	tests := []struct {
		name, argument, value, limit string
		answer                       Answer
		want                         Class
	}{
		{"name and value", "copies", "21", "20", plain("Printed for x, copies: 20"), Clamped},
		{"value and name", "copies", "21", "20", plain("Printed 20 copies of x."), Clamped},
		{"is", "limit", "1000", "100", plain("limit is 100"), Clamped},
		{"equals", "limit", "1000", "100", plain("GET /items?limit=100 done"), Clamped},
		{"json text", "quantity", "5", "4", plain(`{"held":true,"quantity":4}`), Clamped},
		{"json text, escaped", "quantity", "5", "4", plain(`"{\"quantity\": 4}"`), Clamped},
		{"structured", "quantity", "5", "4", result(`{"content":[{"type":"text","text":"held"}],"structuredContent":{"quantity":4}}`), Clamped},
		{"structured, as float", "quantity", "5", "4", result(`{"content":[],"structuredContent":{"quantity":4.0}}`), Clamped},
		{"markdown", "count", "99", "50", plain("- **count**: 50"), Clamped},
		{"separators", "rows", "2000000", "1000000", plain("rows: 1,000,000"), Clamped},
		{"below", "page", "0", "1", plain(`{"page": 1}`), Clamped},
		{"negative", "offset", "-11", "-10", plain("offset: -10"), Clamped},
		{"words", "size", "500", "100", plain("Size 500 was clamped to 100."), Clamped},
		{"words, maximum", "size", "500", "100", plain("Asked for 500, capped at the maximum of 100 entries."), Clamped},
		{"words, using", "size", "500", "100", plain("500 is too many, using the maximum 100"), Clamped},
		{"words, reduced", "size", "500", "100", plain("Note: reduced to 100"), Clamped},

		{"nothing shown", "copies", "21", "20", plain("Printed."), Accepted},
		{"value shown", "copies", "21", "20", plain("Printed 21 copies."), Accepted},
		{"both shown", "copies", "21", "20", plain("copies: 21 of at most 20"), Accepted},
		{"another name", "copies", "21", "20", plain("Printed on page 20"), Accepted},
		{"part of a name", "copies", "21", "20", plain("copies_left: 20"), Accepted},
		{"another's limit", "page", "0", "1", plain(`{"results":1,"page_count":1}`), Accepted},
		{"1 result", "limit", "0", "1", plain("1 result found"), Accepted},
		{"part of a number", "copies", "21", "20", plain("copies: 2000"), Accepted},
		{"part of a decimal", "copies", "21", "20", plain("copies: 1.20"), Accepted},
		{"part of a word", "copies", "21", "20", plain("copies: a20"), Accepted},
		{"a date", "copies", "21", "20", plain("Printed copies on 2026-11-20."), Accepted},
		{"at the exclusive limit", "weight", "0", "0", plain("weight: 0"), Accepted},
		{"no name", "", "21", "20", plain(": 20"), Accepted},
		{"no number", "copies", `"x"`, "20", plain("copies: 20"), Accepted},
		{"limited, without a change", "size", "500", "100", plain("This tool is limited. 100 entries."), Accepted},
		{"refused", "copies", "21", "20", flagged("copies: 20 at most"), Rejected},
		{"refused in text", "copies", "21", "20", plain("Invalid copies: 20 is the maximum"), Rejected},
		{"not found", "copies", "21", "20", rpc("-32602", "copies must be <= 20"), Rejected},
	}
	for _, tt := range tests {
		r := Read(tt.answer, Question{Parameters: []string{"copies", "size"}, Range: &Range{tt.argument, json.RawMessage(tt.value), json.RawMessage(tt.limit)}})
		if r.Class != tt.want || r.Decision == Clamped {
			t.Errorf("%s: %s (%q), want %s", tt.name, r.Class, r.Match, tt.want)
		}
	}
	if r := Read(plain("copies: 20"), Question{}); r.Class != Accepted {
		t.Errorf("without a range: %s", r.Class)
	}
}

// TestClampedBounds: a text of numbers is read in bounded time.
func TestClampedBounds(t *testing.T) {
	for _, unit := range []string{"copies: 20x ", "clamped a b c d e ", "20 ", "-", "9", "copies ", "limited to the maximum maximum "} {
		start := time.Now()
		Read(plain(strings.Repeat(unit, (1<<18)/len(unit))), Question{Range: &Range{"copies", json.RawMessage("21"), json.RawMessage("20")}})
		if took := time.Since(start); took > patience {
			t.Errorf("%q took %s", unit, took)
		}
	}
}

func TestEmpty(t *testing.T) {
	for raw, want := range map[string]Class{
		`{}`:                               Empty,
		`{"content":[]}`:                   Empty,
		`{"content":null,"_meta":{"a":1}}`: Empty,
		`{"content":[{"type":"text","text":" \n"}],"isError":false}`: Empty,
		`{"content":[],"structuredContent":{}}`:                      Empty,
		`{"content":[{"type":"image","data":"AA=="}]}`:               Accepted,
		`{"content":[{"type":"text","text":"0"}]}`:                   Accepted,
		`{"content":[],"structuredContent":{"n":0}}`:                 Accepted,
		`{"content":[{"type":"text","text":""},{"type":"audio"}]}`:   Accepted,
		`{"toolResult":5}`: Accepted,
		`{"content":[{"type":"resource_link","uri":"note://x"}]}`:        Accepted,
		`{"content":[],"isError":true}`:                                  Rejected,
		`{"content":[{"type":"text","text":""}],"isError":true}`:         Rejected,
		`{"content":"","structuredContent":null}`:                        Empty,
		`{"content":[],"structuredContent":{"error":"query is needed"}}`: Rejected,
	} {
		if r := Read(result(raw), Question{}); r.Class != want {
			t.Errorf("%s: %s, want %s", raw, r.Class, want)
		}
	}
}

// TestPartial: output beside a refusal, and structured refusals that are none.
func TestPartial(t *testing.T) {
	outputs := Outputs(json.RawMessage(`{"type":"object","properties":{"held":{"type":"integer"},"error":{"type":"string"},"success":{"type":"boolean"},"items":{"type":"array"},"request_id":{"type":"string"}}}`))
	beside := rpc("-32602", "quantity must be an integer")
	beside.Result = json.RawMessage(`{"content":[{"type":"text","text":"held 1"}]}`)
	hollow := beside
	hollow.Result = json.RawMessage(`{"content":[]}`)
	refusal := func(structured string) Answer {
		return result(`{"content":[{"type":"text","text":"quantity must be an integer"}],"isError":true,"structuredContent":` + structured + `}`)
	}
	tests := []struct {
		name   string
		answer Answer
		want   bool
	}{
		{"output", refusal(`{"held":1}`), true},
		{"output beside an error", refusal(`{"error":"no","items":[1]}`), true},
		{"result beside an error", beside, true},
		{"hollow result beside an error", hollow, false},
		{"an error only", refusal(`{"success":false,"error":"no","request_id":"abc"}`), false},
		{"empty output", refusal(`{"held":0,"items":[],"error":"no"}`), false},
		{"null output", refusal(`{"held":null}`), false},
		{"undeclared", refusal(`{"stock":3}`), false},
		{"no structure", flagged("quantity must be an integer"), false},
		{"accepted", result(`{"content":[],"structuredContent":{"held":1}}`), false},
		{"runtime error", result(`{"content":[{"type":"text","text":"TypeError: x is undefined"}],"isError":true,"structuredContent":{"held":1}}`), false},
	}
	for _, tt := range tests {
		if r := Read(tt.answer, Question{Outputs: outputs}); (r.Partial != "") != tt.want {
			t.Errorf("%s: partial output %q, class %s", tt.name, r.Partial, r.Class)
		}
	}
	if got := Outputs(json.RawMessage(`[]`)); got != nil {
		t.Errorf("outputs of no schema: %q", got)
	}
}
