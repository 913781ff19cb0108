package session

import (
	"strings"
	"testing"
	"time"

	"github.com/sealmark/action/internal/reply"
)

// TestCallAndCancel: the notification names the request by its raw id, and is
// left out if the answer comes first.
func TestCallAndCancel(t *testing.T) {
	s, l := open(t, "good")
	if a, late := s.CallAndCancel(t.Context(), "ok", nil, enough, enough); late != 0 || a.Kind != reply.Answered {
		t.Errorf("late %v, answer %+v", late, a)
	}
	if l.find(Out, "notifications/cancelled") != nil {
		t.Error("an answered call is cancelled")
	}
	a, late := s.CallAndCancel(t.Context(), "silent", []byte(`{"a":"<b>"}`), time.Millisecond, 300*time.Millisecond)
	if late == 0 || a.Kind != reply.Hung {
		t.Errorf("late %v, answer %+v", late, a)
	}
	request, notice := l.find(Out, `"silent"`), l.find(Out, "notifications/cancelled")
	if request == nil || notice == nil {
		t.Fatal("the call or its cancellation was not sent")
	}
	id, _, _ := strings.Cut(string(request.Raw[strings.Index(string(request.Raw), `"id":`):]), ",")
	if !strings.Contains(string(notice.Raw), strings.Replace(id, `"id":`, `"requestId":`, 1)) {
		t.Errorf("request %s, cancellation %s", request.Raw, notice.Raw)
	}
	if !strings.Contains(string(request.Raw), `{"a":"<b>"}`) {
		t.Errorf("request %s", request.Raw)
	}
}
