package check

import (
	"fmt"

	"github.com/sealmark/action/internal/rule"
)

// Redirected returns the finding of a redirect to another origin, if the tape
// holds one. checkID is the check that reports it: the one that owns the rule,
// or launch for a server that can't be assessed for it.
func Redirected(env *Env, checkID string) []rule.Finding {
	const id = "protocol.cross-origin-redirect"
	var found []rule.Finding
	env.Tape.Redirects(func(to string, seen Seen) {
		if len(found) > 0 {
			found[0].Count++
			return
		}
		to = env.Redact.Line(to, 300)
		found = append(found, rule.Finding{ID: rule.FindingID(id, "server"), Rule: id, Check: checkID, Subject: "server", Severity: rule.Error, Count: 1,
			Message:  fmt.Sprintf("The server redirects a request to another origin, %s. The redirect was not followed.", to),
			Evidence: rule.Evidence{Request: env.Redact.Text(string(seen.Request), 2000), Match: to}})
	})
	return found
}
