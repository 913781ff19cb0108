package protocol

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/rule"
)

// firstToken numbers the progress tokens, which are strings of digits: a server
// that makes numbers of them can be told from one that makes tokens up.
const firstToken = 7000

// noSuchResource is the URI of a resource that no server has.
const noSuchResource = "sealmark://no-such-resource/1"

// resources reads a resource that does not exist, and listed ones.
func (p *specProber) resources(ctx context.Context) {
	if !p.serves("resources") {
		return
	}
	if !p.templateMatches(noSuchResource) {
		if a, ok := p.ask(ctx, "unknown-resource", "resources/read", map[string]any{"uri": noSuchResource}); ok {
			p.notFound(a)
		}
	}
	read := 0
	for _, raw := range p.env.Snapshot.Resources {
		uri := memberOf(raw, "uri")
		if uri == "" || read == maxItems {
			continue
		}
		read++
		a, ok := p.ask(ctx, "listed-resource", "resources/read", map[string]any{
			"uri": uri, "_meta": map[string]any{"progressToken": strconv.Itoa(firstToken + read)}})
		if ok && a.Error == nil {
			p.contents(uri, a)
		}
	}
}

// templateMatches reports whether a listed template could stand for the URI.
func (p *specProber) templateMatches(uri string) bool {
	for _, raw := range p.env.Snapshot.Templates {
		prefix, _, variable := strings.Cut(memberOf(raw, "uriTemplate"), "{")
		if variable && strings.HasPrefix(uri, prefix) {
			return true
		}
	}
	return false
}

// notFound judges the answer for a resource that does not exist. -32602 is
// what many SDKs and a later revision use, and tolerated.
func (p *specProber) notFound(a reply.Answer) {
	got := code(a)
	switch {
	case a.Error == nil:
		p.add("spec.resource-not-found", "", "server", "unknown-resource", "The server answers with success when a resource that does not exist is read.", a)
	case got == "" || got == codeResourceNotFound || got == codeInvalidParams:
	default:
		p.add("spec.resource-not-found", rule.Note, "server", "unknown-resource",
			fmt.Sprintf("The server answers with %s when a resource that does not exist is read; %s is due.", p.env.Redact.Line(got, 40), codeResourceNotFound), a)
	}
}

// contents judges the contents of a listed resource: there should be some, and
// one of them, or all as parts of it, should bear its URI.
func (p *specProber) contents(uri string, a reply.Answer) {
	var result struct{ Contents []json.RawMessage }
	if json.Unmarshal(a.Result, &result) != nil || result.Contents == nil {
		return // the shape is wrong
	}
	name := p.env.Redact.Line(uri, 200)
	if len(result.Contents) == 0 {
		p.add("spec.resource-read-mismatch", "", "resource:"+name, "listed-resource", fmt.Sprintf("The listed resource %s has no contents.", name), a)
		return
	}
	var others []string
	for _, raw := range result.Contents {
		got := memberOf(raw, "uri")
		if sameResource(uri, got) {
			return
		}
		others = append(others, got)
	}
	p.add("spec.resource-read-mismatch", "", "resource:"+name, "listed-resource",
		fmt.Sprintf("The contents of the listed resource %s bear another URI: %s.", name, p.env.Redact.Line(others[0], 200)), a)
}

// sameResource reports whether contents with the URI got belong to the
// resource: it is the same but for its spelling, or lies
// below it.
func sameResource(want, got string) bool {
	want, got = unescaped(want), unescaped(got)
	base := strings.TrimSuffix(want, "/")
	return strings.EqualFold(base, strings.TrimSuffix(got, "/")) || strings.HasPrefix(got, base+"/") || got == ""
}

// unescaped is a URI without percent-encoding, so that two spellings of it are
// the same.
func unescaped(uri string) string {
	if plain, err := url.PathUnescape(uri); err == nil {
		return plain
	}
	return uri
}

// subscriptions subscribes to a listed resource and takes that back.
func (p *specProber) subscriptions(ctx context.Context) {
	if !p.declares("resources.subscribe") {
		return
	}
	for _, raw := range p.env.Snapshot.Resources {
		uri := memberOf(raw, "uri")
		if uri == "" {
			continue
		}
		for _, method := range []string{"resources/subscribe", "resources/unsubscribe"} {
			a, ok := p.ask(ctx, "subscribe", method, map[string]any{"uri": uri})
			if ok && code(a) == codeMethodNotFound {
				p.unserved("resources.subscribe", method, "subscribe", a)
				return
			}
		}
		return
	}
}
