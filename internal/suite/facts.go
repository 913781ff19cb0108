package suite

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/confine"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/score"
	"github.com/sealmark/action/internal/session"
)

// validator names the JSON Schema validator in the result.
const validator = "santhosh-tekuri/jsonschema v6.0.3"

// plant returns the canary variables of a run, with values that nobody can
// guess.
func plant() map[string]string {
	return map[string]string{
		"SEALMARK_CANARY_TOKEN":    "smk_" + rand.Text(),
		"SEALMARK_CANARY_PASSWORD": "smk-" + rand.Text(),
	}
}

// inherited are the variables that the server gets from Sealmark's own
// environment: what a program needs to run at all, and nothing that carries a
// credential.
var inherited = []string{"PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR"}

// inheritedWindows adds what programs on Windows can't start without.
var inheritedWindows = []string{"SystemRoot", "SystemDrive", "ComSpec", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "ProgramFiles"}

// childEnv is the whole environment of the server: a few inherited variables,
// those of a box that holds a copy, the canaries, what its manifest gives, and
// what the user gave, which wins.
func childEnv(box *confine.Box, defaults, given, canaries map[string]string) []string {
	vars := map[string]string{}
	names := inherited
	if runtime.GOOS == "windows" {
		names = append(slices.Clone(inherited), inheritedWindows...)
	}
	for _, name := range names {
		if value, ok := os.LookupEnv(name); ok {
			vars[name] = value
		}
	}
	if box != nil && box.Isolation().Copy {
		for _, pair := range box.Env() {
			name, value, _ := strings.Cut(pair, "=")
			vars[name] = value
		}
	}
	for _, layer := range []map[string]string{canaries, defaults, given} {
		maps.Copy(vars, layer)
	}
	env := make([]string, 0, len(vars))
	for name, value := range vars {
		env = append(env, name+"="+value)
	}
	slices.Sort(env)
	return env
}

// coverage counts what the checks did with the tools.
func (r *runner) coverage() result.Coverage {
	c := result.Coverage{Uncovered: []result.Uncovered{}}
	if snap := r.env.Snapshot; snap != nil {
		c.ToolsListed = len(snap.Tools)
		seen := map[string]bool{}
		for _, t := range snap.Tools {
			if seen[t.Name] {
				continue
			}
			seen[t.Name] = true
			r.cover(&c, t.Name)
		}
	}
	c.Level = score.Level(c)
	return c
}

// cover adds what all checks did with a tool.
func (r *runner) cover(c *result.Coverage, tool string) {
	var probed, valid bool
	reason := ""
	for _, e := range r.catalog {
		t := r.reports[e.check.Info().ID].Tools[tool]
		probed, valid = probed || t.Probed, valid || t.Valid
		if reason == "" {
			reason = t.Uncovered
		}
	}
	if probed {
		c.ToolsProbed++
	} else {
		c.Unprobed = append(c.Unprobed, r.env.Redact.Line(tool, 256))
	}
	if valid {
		c.ToolsValid++
	}
	if reason != "" && !valid {
		c.Uncovered = append(c.Uncovered, result.Uncovered{Tool: r.env.Redact.Line(tool, 256), Reason: reason})
	}
}

// rates adds up the rates of all checks, nil if there are none.
func (r *runner) rates() *result.RateTable {
	snap := r.env.Snapshot
	if snap == nil {
		return nil
	}
	table := &result.RateTable{Tools: []result.ToolRates{}}
	seen := map[string]bool{}
	for _, t := range snap.Tools {
		if seen[t.Name] {
			continue
		}
		seen[t.Name] = true
		var rates result.Rates
		for _, e := range r.catalog {
			rates.Add(r.reports[e.check.Info().ID].Rates[t.Name])
		}
		if rates == (result.Rates{}) {
			continue
		}
		table.Total.Add(rates)
		table.Tools = append(table.Tools, result.ToolRates{Tool: r.env.Redact.Line(t.Name, 256), Rates: rates})
	}
	if len(table.Tools) == 0 {
		return nil
	}
	return table
}

// completeness says whether all that the server offers was seen.
func (r *runner) completeness(ctx context.Context) result.Completeness {
	c := result.Completeness{State: "complete"}
	if ctx.Err() != nil {
		c.Interrupted = true
		c.Reasons = append(c.Reasons, "the run was cut short")
		if ctx.Err() == context.DeadlineExceeded {
			c.Reasons[0] = fmt.Sprintf("the run was cut short by its time limit of %s", r.Config.Timeout)
		}
	}
	c.Capabilities = r.capabilities()
	for _, list := range c.Capabilities {
		if list.State != "complete" {
			c.Reasons = append(c.Reasons, list.Name+" ("+list.State+"): "+list.Reason)
		}
	}
	for _, e := range r.catalog {
		if id := e.check.Info().ID; r.reports[id].Lost != "" {
			c.Reasons = append(c.Reasons, id+": "+r.reports[id].Lost)
		}
	}
	if len(c.Reasons) > 0 {
		c.State = "partial"
	}
	return c
}

// capabilities says for each advertised list how much of it was seen.
func (r *runner) capabilities() []result.Capability {
	var seen []result.Capability
	if r.env.Snapshot == nil {
		return nil
	}
	for _, name := range []string{"tools", "resources", "resource templates", "prompts"} {
		state, advertised := r.env.Snapshot.Lists[name]
		refusal := state.Refusal()
		switch {
		case !advertised:
		case state.Complete(), name == "resource templates" && refusal != nil && refusal.Error.Code == methodNotFound:
			// No capability stands for templates alone: a server without them
			// may not know the method.
			seen = append(seen, result.Capability{Name: name, State: "complete"})
		case refusal != nil:
			seen = append(seen, result.Capability{Name: name, State: "skipped", Reason: r.env.Redact.Line(state.Gap(), 200)})
		default:
			seen = append(seen, result.Capability{Name: name, State: "gap", Reason: r.env.Redact.Line(state.Gap(), 200)})
		}
	}
	return seen
}

// methodNotFound is the code of an error for an unknown method (JSON-RPC 2.0,
// 5.1).
const methodNotFound = "-32601"

// snapshot is the part of the snapshot that the result keeps, redacted.
func (r *runner) snapshot() *result.Snapshot {
	snap := r.env.Snapshot
	if snap == nil {
		return nil
	}
	clean := func(text string) string { return r.env.Redact.Line(text, 256) }
	s := &result.Snapshot{
		ProtocolVersion: clean(snap.ProtocolVersion),
		Capabilities:    []string{},
		Instructions:    r.env.Redact.Text(snap.Instructions, 2000),
		Tools:           []string{}, Resources: []string{}, Templates: []string{}, Prompts: []string{},
		Surface: r.surface(snap),
	}
	var capabilities map[string]json.RawMessage
	json.Unmarshal(snap.Capabilities, &capabilities)
	for name := range capabilities {
		s.Capabilities = append(s.Capabilities, clean(name))
	}
	slices.Sort(s.Capabilities)
	for _, t := range snap.Tools {
		s.Tools = append(s.Tools, clean(t.Name))
	}
	for list, items := range map[*[]string][]json.RawMessage{&s.Resources: snap.Resources, &s.Templates: snap.Templates, &s.Prompts: snap.Prompts} {
		for _, item := range items {
			*list = append(*list, clean(session.Label(item)))
		}
	}
	return s
}
