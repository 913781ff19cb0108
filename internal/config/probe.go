package config

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/sealmark/action/internal/rule"
)

// Expectation is what a probe's call must be answered with.
type Expectation string

// The expectations (methodology, "Configuration").
const (
	// ExpectOK: a success that matches the tool's output schema, if it has one.
	ExpectOK Expectation = "ok"
	// ExpectInvalid: a rejection by a validation decision.
	ExpectInvalid Expectation = "invalid"
	// ExpectDenied: a rejection, although the arguments have a valid shape. It
	// counts only if the allowed call succeeds.
	ExpectDenied Expectation = "denied"
	// ExpectError: an error of any kind.
	ExpectError Expectation = "error"
)

var expectations = []string{string(ExpectOK), string(ExpectInvalid), string(ExpectDenied), string(ExpectError)}

// Probe is a call whose outcome the maintainers of the server know.
type Probe struct {
	// Name is the name that was given, else "probes[2]".
	Name   string
	Tool   string
	Args   json.RawMessage
	Expect Expectation
	// Allowed are the arguments of the permitted case beside a denied one, nil
	// for the other expectations.
	Allowed json.RawMessage
	// Result holds values of the structured result by JSON pointer (RFC 6901),
	// nil if nothing is compared.
	Result map[string]json.RawMessage
	// Timeout is 0 for timeout_probe_sec.
	Timeout time.Duration
	// Secrets names the variables whose values the arguments hold, sorted.
	Secrets []string
}

// ProbeKeys are the keys of an entry of probes.
var ProbeKeys = []rule.Key{
	{Name: "probes[].tool", Type: rule.String, Default: "", Meaning: "The tool that is called. Required."},
	{Name: "probes[].args", Type: rule.String, Default: nil, Meaning: "The arguments, as a map; none if it is left out. ${NAME} in a text reads the environment of Sealmark; the value is masked in logs and redacted in results."},
	{Name: "probes[].expect", Type: rule.Enum, Enum: expectations, Meaning: "How the call must end: ok is a success that fits the output schema, invalid a rejection by a validation decision, denied a rejection although the shape is valid, error an error of any kind. Required."},
	{Name: "probes[].allowed", Type: rule.String, Default: nil, Meaning: "For denied: the arguments of the permitted case. The denial counts only if this call succeeds, so a server that refuses everything does not pass. Required there."},
	{Name: "probes[].result", Type: rule.String, Default: nil, Meaning: "For ok: values that the structured result must hold, by JSON pointer, such as /quantity."},
	{Name: "probes[].timeout", Type: rule.Duration, Default: nil, Min: new(0.001), Max: new(float64(day)), Meaning: "How long the call may take, in seconds or as a duration such as 30s. Left out it is timeout_probe_sec."},
	{Name: "probes[].name", Type: rule.String, Default: "", Meaning: "A name for reports. Left out it is the place in the list, such as probes[0]."},
}

func probeKey(name string) rule.Key {
	i := slices.IndexFunc(ProbeKeys, func(k rule.Key) bool { return k.Name == "probes[]."+name })
	return ProbeKeys[i]
}

// probe is an entry of probes as it stands in the file.
type probe struct {
	name, tool    string
	expect        Expectation
	args, allowed *literal
	result        map[string]*literal
	timeout       time.Duration
}

func (r *reader) probes(n ast.Node) {
	switch n := n.(type) {
	case *ast.NullNode:
	case *ast.SequenceNode:
		names := map[string]bool{}
		for i, item := range n.Values {
			p := r.probe(item, fmt.Sprintf("probes[%d]", i))
			if names[p.name] {
				r.fail(item, p.name, "two probes are named %s", quoted(p.name))
			}
			names[p.name] = true
			r.file.probes = append(r.file.probes, p)
		}
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode:
		r.fail(n, "probes", noAnchors)
	default:
		r.fail(n, "probes", "probes must be a list")
	}
}

// probe reads an entry. place is its dotted name, "probes[2]".
func (r *reader) probe(n ast.Node, place string) probe {
	p := probe{name: place}
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
	default:
		r.fail(n, place, "%s must be a map", place)
		return p
	}
	known := names(ProbeKeys, "probes[].")
	at := map[string]ast.Node{}
	for _, entry := range r.entries(n, place) {
		key := textOf(entry)
		at[key] = entry.Key
		switch v := entry.Value; key {
		case "tool":
			p.tool, _ = r.word(v, place+"."+key)
		case "name":
			if name, ok := r.word(v, place+"."+key); ok {
				p.name = name
			}
		case "expect":
			if word, ok := r.setting(v, place, key); ok {
				p.expect = Expectation(word.(string))
			}
		case "timeout":
			if seconds, ok := r.setting(v, place, key); ok {
				p.timeout = duration(seconds)
			}
		case "args":
			if _, none := v.(*ast.NullNode); !none {
				p.args = r.object(v, place+"."+key)
			}
		case "allowed":
			p.allowed = r.object(v, place+"."+key)
		case "result":
			p.result = r.expected(v, place+"."+key)
		default:
			r.fail(entry.Key, place+"."+key, "unknown key %s of %s%s", quoted(key), place, suggestion(key, known))
		}
	}
	r.whole(n, place, p, at)
	return p
}

// whole checks that an entry has the keys that it needs, and no others.
func (r *reader) whole(n ast.Node, place string, p probe, at map[string]ast.Node) {
	for _, key := range []string{"tool", "expect"} {
		if at[key] == nil {
			r.fail(n, place, "%s needs %s", place, quoted(key))
		}
	}
	if at["expect"] == nil || p.expect == "" {
		return
	}
	allowed, result := at["allowed"], at["result"]
	switch {
	case p.expect == ExpectDenied && allowed == nil:
		r.fail(n, place, "%s expects denied, so it needs \"allowed\": the arguments of a call that is permitted", place)
	case p.expect != ExpectDenied && allowed != nil:
		r.fail(allowed, place+".allowed", "%s.allowed belongs to expect: denied", place)
	case p.expect != ExpectOK && result != nil:
		r.fail(result, place+".result", "%s.result belongs to expect: ok", place)
	}
}

// word reads a text that is not empty.
func (r *reader) word(n ast.Node, key string) (string, bool) {
	text, ok := r.text(n, key)
	if ok && strings.TrimSpace(text) == "" {
		r.fail(n, key, "%s is empty", key)
		return "", false
	}
	return text, ok
}

// setting reads a value by the key's declaration.
func (r *reader) setting(n ast.Node, place, key string) (any, bool) {
	v, ok := r.scalar(n, place+"."+key)
	if !ok {
		return nil, false
	}
	converted, err := convert(probeKey(key), v)
	if err != nil {
		r.fail(n, place+"."+key, "%s.%s %v", place, key, err)
		return nil, false
	}
	return converted, true
}

// object reads a map as a JSON object.
func (r *reader) object(n ast.Node, key string) *literal {
	v := r.literal(n, key, 0)
	if v != nil && v.kind != objectLiteral {
		r.fail(n, key, "%s must be a map", key)
		return nil
	}
	return v
}

// expected reads the values of a result by their pointers.
func (r *reader) expected(n ast.Node, key string) map[string]*literal {
	values := map[string]*literal{}
	for _, entry := range r.entries(n, key) {
		pointer := textOf(entry)
		if pointer != "" && pointer[0] != '/' {
			r.fail(entry.Key, key, "%s: %s is no JSON pointer, which begins with /", key, quoted(pointer))
			continue
		}
		if v := r.literal(entry.Value, key+"."+pointer, 0); v != nil {
			values[pointer] = v
		}
	}
	return values
}

// probes expands the variables in the probes.
func (b *builder) probes() {
	for i, p := range b.file.probes {
		place := fmt.Sprintf("probes[%d]", i)
		found := map[string]bool{}
		write := func(v *literal, key string) json.RawMessage {
			if v == nil {
				return nil
			}
			data, _ := v.json(func(text string, at Origin) (string, bool) {
				expanded, ok := b.expand(text, place+"."+key, at)
				for _, name := range variables(text) {
					found[name] = true
				}
				return expanded, ok
			})
			return data
		}
		probe := Probe{Name: p.name, Tool: p.tool, Expect: p.expect, Timeout: p.timeout,
			Args: json.RawMessage(`{}`), Allowed: write(p.allowed, "allowed")}
		if args := write(p.args, "args"); args != nil {
			probe.Args = args
		}
		for pointer, v := range p.result {
			if probe.Result == nil {
				probe.Result = map[string]json.RawMessage{}
			}
			probe.Result[pointer] = write(v, "result")
		}
		for name := range found {
			probe.Secrets = append(probe.Secrets, name)
		}
		slices.Sort(probe.Secrets)
		b.c.Probes = append(b.c.Probes, probe)
	}
}

// variables lists the names in ${NAME}.
func variables(text string) []string {
	var names []string
	for _, part := range strings.Split(strings.ReplaceAll(text, "$${", ""), "${")[1:] {
		if name, _, closed := strings.Cut(part, "}"); closed {
			names = append(names, name)
		}
	}
	return names
}
