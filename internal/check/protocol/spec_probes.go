package protocol

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/rawjson"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/rule"
)

// maxItems is how many listed prompts, arguments or resources a probe goes
// through.
const maxItems = 5

// sender sends a request that is due to be answered with an empty result.
type sender func(context.Context, *check.Instance) reply.Answer

// ping asks for a sign of life in the one way that every revision with a
// handshake demands.
func (p *specProber) ping(ctx context.Context) {
	a, ok := p.due(ctx, "ping", "spec.ping", "The server leaves ping unanswered, while it answers other requests.", func(ctx context.Context, i *check.Instance) reply.Answer {
		return i.Request(ctx, "ping", nil, p.limit)
	})
	switch {
	case !ok:
	case a.Error != nil:
		p.add("spec.ping", "", "server", "ping", "The server answers ping with an error; an empty result is due.", a)
	case members(a.Result) > 0:
		p.add("spec.ping", rule.Note, "server", "ping", "The server answers ping with a result that is not empty.", a)
	}
}

// batch sends a ping within a batch, which only one revision has.
func (p *specProber) batch(ctx context.Context) {
	if p.env.Snapshot.ProtocolVersion != "2025-03-26" {
		return
	}
	a, ok := p.due(ctx, "batch", "spec.batch", "The server does not answer a ping within a batch, while it answers other requests.", func(ctx context.Context, i *check.Instance) reply.Answer {
		return i.Raw(ctx, "a batch", func(id string) []byte {
			return fmt.Appendf(nil, `[{"jsonrpc":"2.0","id":%s,"method":"ping"}]`, id)
		}, p.limit)
	})
	if ok && a.Error != nil {
		p.add("spec.batch", "", "server", "batch", "The server answers a batch with an error.", a)
	}
}

// due sends a request whose missing answer is a fault of its own if the server
// answers something else afterwards. ok is false if no answer came.
func (p *specProber) due(ctx context.Context, probe, id, message string, send sender) (a reply.Answer, ok bool) {
	if !p.ready(ctx) {
		return a, false
	}
	p.probes[probe]++
	a = send(ctx, p.instance)
	switch {
	case a.Kind == reply.Hung && p.answers(ctx, p.instance):
		p.silent(ctx, probe, id, message, a, send)
	case a.Kind == reply.Closed && probe == "batch" && !p.env.Server.HTTP():
		// No other check sends a batch, so none would report the death.
		p.silent(ctx, probe, id, "The server "+p.env.Redact.Line(a.Detail, 200)+" instead of answering a ping within a batch.", a, send)
	case a.Kind != reply.Answered:
		p.lose(ctx, probe)
	}
	return a, a.Kind == reply.Answered
}

// answers reports whether the server answers other requests, among them one of
// a method that it does not know: one that answers its lists alone is silent,
// which is no fault of a single method.
func (p *specProber) answers(ctx context.Context, instance *check.Instance) bool {
	return instance.Alive(ctx, "tools/list", p.limit) && instance.Alive(ctx, noSuchMethod, p.limit)
}

// silent confirms an unanswered request on a fresh server while no other is
// left.
func (p *specProber) silent(ctx context.Context, probe, id, message string, seen reply.Answer, send sender) {
	p.end()
	confirmed := false
	err := p.env.Lanes.Alone(ctx, func(open func(context.Context) (*check.Instance, error)) {
		instance, err := open(ctx)
		if err != nil {
			return
		}
		defer instance.Kill()
		again := send(ctx, instance).Kind
		confirmed = again == seen.Kind && (again == reply.Closed || p.answers(ctx, instance))
	})
	if err != nil || ctx.Err() != nil {
		p.stop(ctx, "the server could not be started again")
		return
	}
	evidence := p.evidence(seen)
	evidence.Detail = p.env.Redact.Line(seen.Detail, 200)
	if !confirmed {
		message += " It did not happen again on a fresh server."
	}
	finding := rule.Finding{Rule: id, Subject: "server", Probe: probe, Flaky: !confirmed, Message: message, Evidence: evidence}
	if seen.Kind == reply.Closed {
		finding.Severity = rule.Error
	}
	p.findings.Add(finding)
}

// members is how many members an object has besides _meta.
func members(raw json.RawMessage) int {
	all := rawjson.Object(raw)
	delete(all, "_meta")
	return len(all)
}

// unknownMethod asks for a method that no revision has. A success or silence
// is for another check.
func (p *specProber) unknownMethod(ctx context.Context) {
	if a, ok := p.ask(ctx, "unknown-method", noSuchMethod, map[string]any{}); ok {
		p.wantCode(rule.Warning, "unknown-method", "an unknown method", codeMethodNotFound, a)
	}
}

// prompt is a listed prompt.
type prompt struct {
	name string
	// all and required are the names of its arguments.
	all, required []string
}

// listedPrompts reads the prompts of the snapshot, of wrong ones what can be
// read.
func (p *specProber) listedPrompts() []prompt {
	var list []prompt
	for _, raw := range p.env.Snapshot.Prompts {
		one := prompt{name: memberOf(raw, "name")}
		for _, argument := range rawjson.Array(rawjson.Object(raw)["arguments"]) {
			name := memberOf(argument, "name")
			if name == "" {
				continue
			}
			one.all = append(one.all, name)
			if string(rawjson.Object(argument)["required"]) == "true" {
				one.required = append(one.required, name)
			}
		}
		if one.name != "" {
			list = append(list, one)
		}
	}
	return list
}

// noSuchMethod is a method that no revision has, noSuchName the name of no
// prompt.
const (
	noSuchMethod = "sealmark/no-such-method"
	noSuchName   = "sealmark-no-such-name"
)

func (p *specProber) prompts(ctx context.Context) {
	if !p.serves("prompts") {
		return
	}
	if a, ok := p.ask(ctx, "unknown-prompt", "prompts/get", map[string]any{"name": noSuchName}); ok {
		p.wantCode(rule.Note, "unknown-prompt", "prompts/get for an unknown prompt", codeInvalidParams, a)
	}
	tried := 0
	var given []prompt
	var first reply.Answer
	for _, one := range p.listedPrompts() {
		if len(one.required) == 0 || tried == maxItems {
			continue
		}
		tried++
		a, ok := p.ask(ctx, "missing-argument", "prompts/get", map[string]any{"name": one.name})
		if !ok {
			continue
		}
		if a.Error == nil {
			if given = append(given, one); len(given) == 1 {
				first = a
			}
		}
		if tried == 1 {
			p.wantCode(rule.Note, "missing-argument", "prompts/get without a required argument", codeInvalidParams, a)
		}
	}
	p.givenAnyway(given, first)
}

// givenAnyway adds a finding for the prompts that were given without a required
// argument: one for all, since it is mostly a framework that does not look.
func (p *specProber) givenAnyway(given []prompt, first reply.Answer) {
	if len(given) == 0 {
		return
	}
	clean := func(text string) string { return p.env.Redact.Line(text, 80) }
	subject := "prompt:" + p.env.Redact.Line(given[0].name, 200)
	message := fmt.Sprintf("Prompt \"%s\" is given without its required argument \"%s\".", clean(given[0].name), clean(given[0].required[0]))
	evidence := p.evidence(first)
	if len(given) > 1 {
		subject = "server"
		message += fmt.Sprintf(" So are %d other prompts.", len(given)-1)
		var names []string
		for _, one := range given {
			names = append(names, clean(one.name))
		}
		evidence.Detail = "prompts: " + strings.Join(names, ", ")
	}
	p.findings.Add(rule.Finding{Rule: "spec.prompt-required-argument", Subject: subject, Probe: "missing-argument", Count: len(given), Message: message, Evidence: evidence})
}

// completions asks for completions of listed arguments. There is no such
// capability before 2025-03-26.
func (p *specProber) completions(ctx context.Context) {
	if !p.declares("completions") || !p.since("2025-03-26") {
		return
	}
	for _, one := range p.completable() {
		a, ok := p.ask(ctx, "complete", "completion/complete", map[string]any{"ref": one.ref, "argument": map[string]any{"name": one.argument, "value": ""}})
		if !ok {
			continue
		}
		if code(a) == codeMethodNotFound {
			p.unserved("completions", "completion/complete", "complete", a)
			return
		}
		p.completionLimit(one.subject, a)
	}
	a, ok := p.ask(ctx, "complete", "completion/complete", map[string]any{
		"ref": map[string]any{"type": "ref/prompt", "name": noSuchName}, "argument": map[string]any{"name": noSuchName, "value": ""}})
	switch {
	case !ok:
	case code(a) == codeMethodNotFound:
		p.unserved("completions", "completion/complete", "complete", a)
	default:
		p.wantCode(rule.Note, "complete", "completion/complete for an unknown prompt", codeInvalidParams, a)
	}
}

// completable is an argument that may have completions.
type completable struct {
	subject, argument string
	ref               map[string]any
}

func (p *specProber) completable() []completable {
	var list []completable
	for _, one := range p.listedPrompts() {
		for _, argument := range one.all {
			list = append(list, completable{"prompt:" + p.env.Redact.Line(one.name, 200), argument, map[string]any{"type": "ref/prompt", "name": one.name}})
		}
	}
	for _, raw := range p.env.Snapshot.Templates {
		template := memberOf(raw, "uriTemplate")
		_, rest, ok := strings.Cut(template, "{")
		variable, _, closed := strings.Cut(strings.TrimLeft(rest, "+#./;?&"), "}")
		variable, _, _ = strings.Cut(variable, ",")
		if ok && closed && variable != "" {
			list = append(list, completable{"resource:" + p.env.Redact.Line(template, 200), strings.TrimRight(variable, "*"), map[string]any{"type": "ref/resource", "uri": template}})
		}
	}
	return list[:min(len(list), maxItems)]
}

// completionLimit: a reply holds at most 100 values.
func (p *specProber) completionLimit(subject string, a reply.Answer) {
	const most = 100
	var result struct {
		Completion struct{ Values []json.RawMessage }
	}
	json.Unmarshal(a.Result, &result)
	if n := len(result.Completion.Values); n > most {
		p.add("spec.completion-limit", "", subject, "complete", fmt.Sprintf("A completion has %d values; at most %d are allowed.", n, most), a)
	}
}

// unserved: a method of a declared capability is unknown to the server.
func (p *specProber) unserved(capability, method, probe string, a reply.Answer) {
	p.add("spec.capability-unserved", "", "server", probe, fmt.Sprintf("The server declares %s, but does not know %s.", capability, method), a)
}

// logging tries a level that is none before one that is, so that the session
// ends with a usual level.
func (p *specProber) logging(ctx context.Context) {
	if !p.declares("logging") {
		return
	}
	wrong, ok := p.ask(ctx, "set-level", "logging/setLevel", map[string]any{"level": "sealmark-no-such-level"})
	if ok && wrong.Error == nil {
		p.add("spec.logging-level", "", "server", "set-level", "The server accepts a logging level that does not exist.", wrong)
	}
	right, ok := p.ask(ctx, "set-level", "logging/setLevel", map[string]any{"level": "info"})
	switch {
	case !ok || right.Error == nil:
		if ok && wrong.Error != nil && code(wrong) != codeMethodNotFound {
			p.wantCode(rule.Note, "set-level", "logging/setLevel with an unknown level", codeInvalidParams, wrong)
		}
	case code(right) == codeMethodNotFound:
		p.unserved("logging", "logging/setLevel", "set-level", right)
	default:
		p.add("spec.logging-level", "", "server", "set-level", "The server refuses the logging level info.", right)
	}
}
