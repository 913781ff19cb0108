package core

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/check/probe"
	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/wire"
)

//go:embed stdio_clean.md
var stdioCleanProse string

// StdioClean reads off all sessions what stood on stdout besides messages.
type StdioClean struct{}

// Info describes the check.
func (StdioClean) Info() rule.Check { return stdioCleanInfo }

var stdioCleanInfo = check.MustProse(rule.Check{
	ID: "stdio-clean", Pack: "core", Weight: rule.Cap, CapsAt: "D", Scope: "server", DecidedBy: "stdout of the server", Since: check.FirstMethodology,
	Probes: []rule.Probe{
		{ID: "all-sessions", Core: true, Text: "stdout is watched at boot, during the calls of all other checks, and at the end"},
		{ID: "dotenv", Core: true, Text: "one more start in a folder that mirrors the working directory and holds a `.env` file"},
	},
	Verdicts: []rule.VerdictRow{
		{Verdict: rule.Fail, When: "anything but protocol messages came on stdout, or a message was framed or encoded wrongly"},
		{Verdict: rule.Pass, When: "stdout held nothing but messages, one per line"},
		{Verdict: rule.NotApplicable, When: "the server is not reached over stdio"},
	},
	Rules: []rule.Rule{
		{ID: "stdio.stdout-noise", Severity: rule.Error, Precision: "very-high", Tags: []string{"mcp", "stdio"}},
		{ID: "stdio.split-frame", Severity: rule.Error, Precision: "very-high", Tags: []string{"mcp", "stdio"}},
		{ID: "stdio.framing-header", Severity: rule.Error, Precision: "very-high", Tags: []string{"mcp", "stdio"}},
		{ID: "stdio.bom", Severity: rule.Error, Precision: "very-high", Tags: []string{"mcp", "stdio", "encoding"}},
		{ID: "stdio.invalid-utf8", Severity: rule.Error, Precision: "very-high", Tags: []string{"mcp", "stdio", "encoding"}},
		{ID: "stdio.crlf", Severity: rule.Note, Precision: "very-high", Tags: []string{"mcp", "stdio"}},
	},
}, stdioCleanProse, []rule.Reference{
	{Title: "Model Context Protocol", Revision: "2025-11-25", Section: "Base protocol, Transports, stdio", URL: "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio"},
	{Title: "Model Context Protocol", Revision: "2024-11-05", Section: "Base protocol, Transports, stdio", URL: "https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#stdio"},
})

// noiseRules gives the rule of each kind of noise and what to say of it.
var noiseRules = map[wire.NoiseKind]struct{ rule, what string }{
	wire.NoiseText:      {"stdio.stdout-noise", "stdout holds text that is no protocol message"},
	wire.NoiseOversize:  {"stdio.stdout-noise", "stdout holds a line that is too long to be a message"},
	wire.NoiseSplit:     {"stdio.split-frame", "a message on stdout has a newline inside"},
	wire.NoiseHeader:    {"stdio.framing-header", "messages on stdout have Content-Length headers"},
	wire.NoiseBOM:       {"stdio.bom", "stdout starts with a byte order mark"},
	wire.NoiseBadUTF8:   {"stdio.invalid-utf8", "a message on stdout is not valid UTF-8"},
	wire.NoiseLineBreak: {"stdio.crlf", "messages on stdout end in CR LF"},
}

// Run reads the tape. It must come after all checks that talk to the server.
func (StdioClean) Run(_ context.Context, env *check.Env) check.Report {
	if env.Server.HTTP() {
		return check.Report{Verdict: rule.NotApplicable, Reason: "The server is not reached over stdio."}
	}
	type group struct {
		phases []string
		first  check.Seen
	}
	groups := map[string]*group{}
	what := map[string]string{}
	env.Tape.Noise(func(at check.NoiseAt, seen check.Seen) {
		n, ok := noiseRules[at.Kind]
		if !ok {
			return
		}
		g := groups[n.rule]
		if g == nil {
			g = &group{first: seen}
			groups[n.rule] = g
			what[n.rule] = n.what
		}
		if phase := env.Redact.Line(at.Phase, 100); len(g.phases) == 0 || g.phases[len(g.phases)-1] != phase {
			g.phases = append(g.phases, phase)
		}
	})
	found := check.NewFindings(stdioCleanInfo)
	for id, g := range groups {
		found.Add(rule.Finding{Rule: id, Subject: "server", Count: len(g.phases), Probe: "all-sessions",
			Message: fmt.Sprintf("The server breaks the stdio transport: %s (%s).", what[id], phases(g.phases)),
			Evidence: rule.Evidence{
				Request: env.Redact.Text(string(g.first.Request), probe.MaxEvidence),
				Match:   redact.Stable(env.Redact.Line(string(g.first.Text), 200)),
				Detail:  "seen in: " + strings.Join(g.phases[:min(len(g.phases), 20)], "; "),
			}})
	}
	findings := found.List()
	report := check.Report{Verdict: check.Judge(stdioCleanInfo, findings), Findings: findings, Reason: "stdout held nothing but messages, one per line."}
	switch {
	case report.Verdict == rule.Fail:
		report.Reason = "stdout held more than messages, or messages in a wrong form."
	case env.Tape.Frames() == 0:
		report.Verdict, report.Reason = rule.Unverified, "The server wrote no message."
	}
	return report
}

func phases(all []string) string {
	const shown = 3
	if len(all) <= shown {
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%s and %d more phases", strings.Join(all[:shown], ", "), len(all)-shown)
}

// DotEnv starts the server once in a folder that mirrors the working directory
// and holds a .env file: loaders of such files are known to print a banner on
// stdout. A server that does not start there raises nothing.
func DotEnv(ctx context.Context, env *check.Env) []rule.Finding {
	if env.Server.HTTP() {
		return nil
	}
	dir, err := mirror(env.Server.Command.Dir)
	if err != nil {
		return nil
	}
	defer os.RemoveAll(dir)
	instance, err := env.Lanes.Open(ctx, check.How{Dir: dir, Phase: "with a .env file"})
	if err != nil {
		return nil
	}
	instance.Alive(ctx, "tools/list", env.Config.TimeoutProbe)
	instance.Close(ctx)
	return nil
}

// mirror makes a temporary folder of links to all entries of dir, with a .env
// file in it unless dir has one.
func mirror(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	const most = 10_000
	if len(entries) > most {
		return "", fmt.Errorf("%s has more than %d entries", dir, most)
	}
	copied, err := os.MkdirTemp("", "sealmark-dotenv-")
	if err != nil {
		return "", err
	}
	// The server may run as another user.
	if err := os.Chmod(copied, 0o755); err != nil {
		os.RemoveAll(copied)
		return "", err
	}
	for _, e := range entries {
		if err := os.Symlink(filepath.Join(dir, e.Name()), filepath.Join(copied, e.Name())); err != nil {
			os.RemoveAll(copied)
			return "", err
		}
	}
	file, err := os.OpenFile(filepath.Join(copied, ".env"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if os.IsExist(err) {
		return copied, nil
	}
	if err == nil {
		_, err = file.WriteString("SEALMARK_DOTENV=1\n")
		file.Close()
	}
	if err != nil {
		os.RemoveAll(copied)
		return "", err
	}
	return copied, nil
}
