package contract

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/sealmark/action/internal/argument"
	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/check/probe"
	"github.com/sealmark/action/internal/rawjson"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// forwarding is a run of the check.
type forwarding struct {
	env      *check.Env
	findings *check.Findings
	probes   map[string]int
	rates    map[string]result.Rates
	// open says why a call was not answered, "" if all were.
	open string

	// instance is the running server, nil when the next call needs a new one.
	instance *check.Instance
}

// fields makes a valid call with added fields.
func (f *forwarding) fields(ctx context.Context, b base) {
	arguments, ok := decode(b.Arguments).(map[string]any)
	if !ok {
		return
	}
	overridden := false
	if !argument.Open(b.tool.InputSchema) {
		overridden = f.authority(ctx, b, arguments, "authority-fields", undeclared(b, authorityFields()), false)
		overridden = f.authority(ctx, b, arguments, "result-fields", undeclared(b, resultFields(b.result)), overridden) || overridden
		f.extra(ctx, b, "extra-field", with(arguments, argument.Extra, extraValue), overridden)
	}
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		switch v := arguments[name].(type) {
		case map[string]any:
			if !argument.Open(b.tool.InputSchema, name) {
				f.extra(ctx, b, "nested-field", with(arguments, name, with(v, argument.Extra, extraValue)), overridden)
				return
			}
		case []any:
			if item, ok := first(v); ok && !argument.Open(b.tool.InputSchema, name, argument.Item) {
				items := slices.Clone(v)
				items[0] = with(item, argument.Extra, extraValue)
				f.extra(ctx, b, "nested-field", with(arguments, name, items), overridden)
				return
			}
		}
	}
}

func first(list []any) (map[string]any, bool) {
	if len(list) == 0 {
		return nil, false
	}
	item, ok := list[0].(map[string]any)
	return item, ok
}

// undeclared leaves out the fields that the tool declares as arguments.
func undeclared(b base, fields map[string]any) map[string]any {
	for _, name := range argument.Declared(b.tool.InputSchema) {
		delete(fields, name)
	}
	return fields
}

// extra makes a call with an unknown field and reads whether it comes back.
// overridden: an added field of authority took effect, which is the graver
// side of the same fault.
func (f *forwarding) extra(ctx context.Context, b base, kind string, arguments map[string]any, overridden bool) {
	made, ok := f.call(ctx, b, kind, rawjson.Encode(arguments))
	if !ok || made.Reading.Decision != reply.Accepted {
		return
	}
	at := came(decode(check.Structured(made.Answer.Result)), argument.Extra, extraValue)
	if at == "" {
		return
	}
	f.add(b, made, "contract.extra-field-forwarded", at, f.owner(b, overridden),
		fmt.Sprintf("Tool %s passes a field on that it does not declare (%s): the added value comes back in the result at %s.", f.name(b), kind, f.env.Redact.Line(at, 100)))
}

// authority makes a call with fields that the server has to set by itself, and
// reports whether one of them took effect. overridden: another did before.
func (f *forwarding) authority(ctx context.Context, b base, arguments map[string]any, kind string, fields map[string]any, overridden bool) bool {
	if len(fields) == 0 {
		return false
	}
	all := maps.Clone(arguments)
	maps.Copy(all, fields)
	made, ok := f.call(ctx, b, kind, rawjson.Encode(all))
	if !ok || made.Reading.Decision != reply.Accepted {
		return false
	}
	result := decode(check.Structured(made.Answer.Result))
	chosen, at := "", ""
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		place, own := overrides(b.result, result, name, fields[name])
		if place != "" && (at == "" || own) {
			chosen, at = name, place
		}
		if place != "" && own {
			break
		}
	}
	if at == "" {
		return false
	}
	if _, own := overrides(b.result, result, chosen, fields[chosen]); !own && kind == "result-fields" {
		f.add(b, made, "contract.extra-field-forwarded", at, f.owner(b, overridden), fmt.Sprintf(
			"Tool %s passes a field on that it does not declare (%s): the added value comes back in the result at %s.", f.name(b), kind, f.env.Redact.Line(at, 100)))
		return false
	}
	f.add(b, made, "contract.authority-override", at, "", fmt.Sprintf(
		"Tool %s lets its caller set %q, which is for the server to decide: the added value comes back in the result at %s.", f.name(b), f.env.Redact.Line(chosen, 80), f.env.Redact.Line(at, 100)))
	return true
}

// owner is the finding of a field of authority that explains one of any other
// field, "" if there is none.
func (f *forwarding) owner(b base, overridden bool) string {
	if !overridden {
		return ""
	}
	return rule.FindingID("contract.authority-override", probe.Subject(f.env, b.tool))
}

// boundaries makes valid calls at the edge of what the schema allows.
func (f *forwarding) boundaries(ctx context.Context, b base) {
	for _, edge := range argument.Boundaries(b.tool.InputSchema, b.Arguments) {
		made, ok := f.call(ctx, b, "boundary", edge.Arguments)
		if !ok {
			return
		}
		rates := f.rates[b.Tool]
		rates.ValidRejected.Of++
		if made.Reading.Decision == reply.Rejected {
			rates.ValidRejected.Count++
		}
		f.rates[b.Tool] = rates
		invalid := made.Answer.Error != nil && made.Answer.Error.Code == "-32602"
		if made.Reading.Decision != reply.Rejected || made.Reading.Names != edge.Name && !invalid {
			continue
		}
		f.addAt(b, made, rawjson.Pointer([]string{edge.Name}), "contract.valid-rejected", made.Reading.Match, "", fmt.Sprintf(
			"Tool %s rejects a value that its own schema allows: %q at its %s.", f.name(b), f.env.Redact.Line(edge.Name, 80), edge.Kind))
	}
}

// call makes a call that is derived from a valid one, once. ok is false if no
// answer came.
func (f *forwarding) call(ctx context.Context, b base, kind string, arguments json.RawMessage) (made check.Call, ok bool) {
	if ctx.Err() != nil || f.open != "" {
		return made, false
	}
	if f.instance == nil {
		if f.instance, f.open = f.env.Restart(ctx); f.open != "" {
			return made, false
		}
	}
	f.probes[kind]++
	begin := time.Now()
	answer := f.instance.Call(ctx, b.Tool, arguments, b.Limit)
	made = check.Call{Check: forwardingInfo.ID, Probe: kind, Tool: b.Tool, Arguments: arguments, Parameters: b.Parameters, Expect: check.Either,
		Answer: answer, Reading: reply.Read(answer, reply.Question{Arguments: arguments, Parameters: b.Parameters}), Limit: b.Limit, Took: time.Since(begin), Secrets: b.Secrets}
	if ctx.Err() != nil {
		return made, false
	}
	if schema, err := argument.Compile(b.tool.InputSchema); err == nil && check.Refused(schema, arguments) != "" {
		made.Expect = check.Invalid
	} else if kind == "boundary" {
		made.Expect = check.Valid
	}
	f.env.Calls.Add(made)
	if answer.Kind != reply.Answered {
		f.open = fmt.Sprintf("a call to %s (%s): %s", f.name(b), kind, f.env.Redact.Line(answer.Detail, 200))
		f.instance.Kill()
		f.instance = nil
		return made, false
	}
	return made, true
}

func (f *forwarding) end() {
	if f.instance != nil {
		f.instance.Close(context.Background())
		f.instance = nil
	}
}

func (f *forwarding) add(b base, made check.Call, ruleID, match, owner, message string) {
	f.addAt(b, made, "", ruleID, match, owner, message)
}

func (f *forwarding) addAt(b base, made check.Call, argument, ruleID, match, owner, message string) {
	evidence := made.Evidence(f.env.Redact)
	evidence.Match = f.env.Redact.Line(match, 300)
	f.findings.Add(rule.Finding{Rule: ruleID, Subject: probe.Subject(f.env, b.tool), Argument: probe.Argument(f.env, argument), Message: message, Probe: made.Probe, ExplainedBy: owner, Evidence: evidence})
}

func (f *forwarding) name(b base) string { return `"` + f.env.Redact.Line(b.Tool, 80) + `"` }

// with returns an object with one member set.
func with(object map[string]any, name string, value any) map[string]any {
	changed := maps.Clone(object)
	changed[name] = value
	return changed
}

// decode reads JSON with its numbers as they stand, nil if it is none.
func decode(raw json.RawMessage) any {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var value any
	if dec.Decode(&value) != nil {
		return nil
	}
	return value
}
