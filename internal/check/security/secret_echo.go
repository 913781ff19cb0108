// Package security holds the checks of pack security.
package security

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/rule"
)

//go:embed secret_echo.md
var secretEchoProse string

// SecretEcho looks for planted environment values in everything that the
// server says.
type SecretEcho struct{}

// Info describes the check.
func (SecretEcho) Info() rule.Check { return secretEchoInfo }

var secretEchoInfo = check.MustProse(rule.Check{
	ID: "secret-echo", Pack: "security", Weight: rule.Cap, CapsAt: "D", Scope: "server", DecidedBy: "all output of the server", Since: check.FirstMethodology,
	Probes: []rule.Probe{
		{ID: "planted-values", Core: true, Text: "canary values in the environment of the server, looked for in every reply, listing, error and stray line"},
	},
	Verdicts: []rule.VerdictRow{
		{Verdict: rule.Fail, When: "a planted value came back, plain or encoded"},
		{Verdict: rule.Pass, When: "none came back in anything that the server wrote to its client"},
		{Verdict: rule.NotApplicable, When: "the server was not started by Sealmark, so nothing could be planted"},
	},
	Rules: []rule.Rule{
		{ID: "secret.canary-echoed", Severity: rule.Error, SecuritySeverity: 8.2, Precision: "very-high", Tags: []string{"mcp", "security", "information-disclosure"}},
	},
}, secretEchoProse, []rule.Reference{
	{Title: "Model Context Protocol", Revision: "2025-11-25", Section: "Server features, Tools, Security considerations", URL: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#security-considerations"},
	{Title: "CWE-526: Cleartext Storage of Sensitive Information in an Environment Variable", URL: "https://cwe.mitre.org/data/definitions/526.html"},
})

// Run reads the tape. It must come after all checks that talk to the server.
func (SecretEcho) Run(_ context.Context, env *check.Env) check.Report {
	if len(env.Canaries) == 0 {
		return check.Report{Verdict: rule.NotApplicable, Reason: "Sealmark did not start the server, so nothing could be planted in its environment."}
	}
	found := check.NewFindings(secretEchoInfo)
	env.Tape.Echoes(func(at check.EchoAt, seen check.Seen) {
		if _, planted := env.Canaries[at.Secret]; !planted {
			return
		}
		phase := env.Redact.Line(at.Phase, 100)
		subject := "server"
		if tool, ok := strings.CutPrefix(at.Phase, "tools/call "); ok {
			subject = "tool:" + env.Redact.Line(tool, 256)
		}
		found.Add(rule.Finding{Rule: "secret.canary-echoed", Subject: subject, Probe: "planted-values",
			Message: fmt.Sprintf("The server gives the value of an environment variable to its client (%s). The value was planted by Sealmark; a real credential would have got out the same way.", phase),
			Evidence: rule.Evidence{
				Request: env.Redact.Text(string(seen.Request), 2000),
				Match:   around(env.Redact.Line(string(seen.Text), 1<<20), at.Secret),
				Detail:  "value of the planted variable " + at.Secret,
			}})
	})
	findings := found.List()
	report := check.Report{Verdict: check.Judge(secretEchoInfo, findings), Findings: findings, Reason: "No planted value came back."}
	switch {
	case report.Verdict == rule.Fail:
		report.Reason = "A planted environment value came back."
	case env.Tape.Frames() == 0:
		report.Verdict, report.Reason = rule.Unverified, "The server wrote no message."
	}
	return report
}

// around cuts a text to what stands next to the mark of a redacted secret. It
// shows little, since other variables may stand beside it.
func around(text, name string) string {
	mark := "[redacted:" + name + "]"
	i := strings.Index(text, mark)
	if i < 0 {
		return mark
	}
	const beside = 40
	from := max(0, i-beside)
	return "…" + strings.ToValidUTF8(text[from:i], "") + mark + "…"
}
