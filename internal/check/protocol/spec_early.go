package protocol

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
	schemas "github.com/sealmark/action/internal/spec"
	"github.com/sealmark/action/internal/wire"
)

// holdTime is how long the server waits for notifications/initialized.
const holdTime = 500 * time.Millisecond

// earlyWatch notes what the server sends of its own accord before it hears
// that the session is initialised.
type earlyWatch struct {
	mu      sync.Mutex
	over    bool
	methods []string
}

func (w *earlyWatch) observe(e session.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	const longest = 1 << 20
	if w.over || len(e.Raw) > longest {
		return
	}
	members := wire.Members(e.Raw)
	var method string
	json.Unmarshal(members["method"], &method)
	switch {
	case e.Direction == session.Out && method == "notifications/initialized":
		w.over = true
	case e.Direction == session.In && schemas.Known(method) && !check.MayComeEarly(method) && !slices.Contains(w.methods, method):
		w.methods = append(w.methods, method)
	}
}

// early adds a finding for what came too early.
func (p *specProber) early(w *earlyWatch) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.methods) == 0 {
		return
	}
	slices.Sort(w.methods)
	p.findings.Add(rule.Finding{Rule: "spec.early-message", Subject: "server", Probe: "before-initialized",
		Message:  fmt.Sprintf("The server sends %s before notifications/initialized.", strings.Join(w.methods, ", ")),
		Evidence: rule.Evidence{Match: strings.Join(w.methods, ", "), Detail: fmt.Sprintf("notifications/initialized was held back for %s", holdTime)}})
}
