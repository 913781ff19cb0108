package reply

import "testing"

func TestDenial(t *testing.T) {
	tests := []struct {
		answer Answer
		want   bool
	}{
		{plain("Access denied."), true},
		{plain("❌ Access denied: the order belongs to another tenant"), true},
		{plain("Error: permission denied"), true},
		{plain("not_authorized"), true},
		{plain("You are not allowed to read this order."), true},
		{plain("You do not have access to this project."), true},
		{plain("Unauthorized"), true},
		{plain("403 Forbidden"), true},
		{plain("Insufficient permissions to read the order"), true},
		{plain("Order 17 not found."), true},
		{plain("The item 'filter-red' does not exist"), true},
		{plain("No such order"), true},
		{plain(`{"status":"forbidden"}`), true},
		{plain(`{"error":"NOT_AUTHORIZED","id":5}`), true},
		{plain(`{"message":"Order not found"}`), true},
		{result(`{"content":[],"structuredContent":{"code":"ACCESS_DENIED"}}`), true},

		{plain("Order 17: 2 filters, paid"), false},
		{plain("1. Access denied: a novel\n2. Not found: a film"), false},
		{plain("The log says: access denied for user x at 10:00, then it worked, and so on, which is a long story that ends well"), false},
		{plain(`{"status":"ok","note":"forbidden fruit"}`), false},
		{plain(`{"orders":[{"status":"denied"}]}`), false},
		{plain(""), false},
		{flagged("Access denied"), false},
		{rpc("-32001", "Access denied"), false},
		{Answer{Kind: Hung}, false},
	}
	for _, tt := range tests {
		if got := Denial(tt.answer); (got != "") != tt.want {
			t.Errorf("%s: %q", tt.answer.Result, got)
		}
	}
}

// TestReasonCodes: the stock-hold server of the requirement answers with reason
// codes.
func TestReasonCodes(t *testing.T) {
	q := Question{Parameters: []string{"sku", "quantity"}}
	for _, tt := range []struct {
		answer Answer
		want   Class
		plain  bool
		names  string
	}{
		{flagged("invalid_quantity: quantity must be an integer from 1 to 4"), Rejected, false, "quantity"},
		{flagged("invalid_sku: sku must be a text of 1 to 40 characters"), Rejected, false, "sku"},
		{flagged("not_authorized"), Rejected, false, ""},
		{flagged("hold_limit"), Rejected, false, ""},
		{plain(`{"status":"error","reason":"invalid_quantity"}`), Rejected, true, ""},
		{plain("mock_intent_recorded"), Accepted, false, ""},
		{plain(`{"held":1,"forwarded":{"warehouse":"north","sku":"filter-blue","quantity":true}}`), Accepted, false, ""},
	} {
		r := Read(tt.answer, q)
		if r.Decision != tt.want || r.PlainText != tt.plain || r.Names != tt.names {
			t.Errorf("%s: %+v", tt.answer.Result, r)
		}
	}
}
