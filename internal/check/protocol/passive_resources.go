package protocol

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/yosida95/uritemplate/v3"

	"github.com/sealmark/action/internal/rawjson"
	"github.com/sealmark/action/internal/rule"
)

func (p *passive) resources() {
	p.uris()
	for _, raw := range p.snap.Resources {
		uri, _ := rawjson.Text(rawjson.Object(raw)["uri"])
		at := hit{subject: p.subject("resource", uri), raw: raw}
		p.mime(at, "resource \""+p.line(uri, 80)+"\"")
		p.icons(at, "resource \""+p.line(uri, 80)+"\"")
	}
	for _, raw := range p.snap.Templates {
		template, ok := rawjson.Text(rawjson.Object(raw)["uriTemplate"])
		if !ok {
			continue
		}
		at := hit{subject: p.subject("resource", template), raw: raw}
		if _, err := uritemplate.New(template); err != nil {
			at.match = p.line(err.Error(), 200)
			p.add(at.with("protocol.resource-template-invalid", fmt.Sprintf("\"%s\" is no URI template.", p.line(template, 80))))
		}
		p.mime(at, "resource template \""+p.line(template, 80)+"\"")
		p.icons(at, "resource template \""+p.line(template, 80)+"\"")
	}
}

// uris judges the URIs of all resources: one finding per scheme, since a
// scheme is chosen once.
func (p *passive) uris() {
	count := map[string]int{}
	schemes := map[string][]string{}
	first := map[string]json.RawMessage{}
	for _, raw := range p.snap.Resources {
		uri, ok := rawjson.Text(rawjson.Object(raw)["uri"])
		if !ok {
			continue
		}
		if count[uri]++; count[uri] == 2 && p.snap.Lists["resources"].Complete() {
			p.add(hit{rule: "protocol.resource-uri-duplicate", subject: p.subject("resource", uri), raw: raw,
				message: fmt.Sprintf("More than one resource has the URI \"%s\".", p.line(uri, 80))})
		}
		scheme := schemeOf(uri)
		if scheme == "http" || scheme == "https" {
			continue
		}
		if count[uri] == 1 {
			schemes[scheme] = append(schemes[scheme], uri)
		}
		if first[scheme] == nil {
			first[scheme] = raw
		}
	}
	for _, scheme := range sorted(schemes) {
		h := hit{rule: "protocol.resource-uri-unsafe", subject: p.subject("resource", schemes[scheme][0]), raw: first[scheme], match: p.line(some(schemes[scheme]), 300)}
		switch scheme {
		case "":
			h.message = "Resources are named without a scheme, so by no URI: " + h.match + "."
		case "file":
			h.severity = rule.Warning
			h.message = "Resources point to files of the server's machine: " + h.match + "."
		default:
			h.message = fmt.Sprintf("Resources have a scheme that only this server understands (%s): %s.", p.line(scheme, 40), h.match)
		}
		p.add(h)
	}
}

// schemeOf is the scheme of a URI in lower case, "" for none.
func schemeOf(uri string) string {
	parsed, err := url.Parse(uri)
	if err == nil {
		return strings.ToLower(parsed.Scheme)
	}
	scheme, _, _ := strings.Cut(uri, ":")
	if goodScheme.MatchString(scheme) && scheme != uri {
		return strings.ToLower(scheme)
	}
	return ""
}

var goodScheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*$`)

// mediaType matches type/subtype with parameters (RFC 6838, 4.2).
var mediaType = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}/[A-Za-z0-9*][A-Za-z0-9!#$&^_.+*-]{0,126}\s*(?:;.*)?$`)

// mimeOK reports whether a mimeType member is absent or a media type.
func mimeOK(raw json.RawMessage) bool {
	if raw == nil {
		return true
	}
	value, ok := rawjson.Text(raw)
	return ok && mediaType.MatchString(value)
}

func (p *passive) mime(at hit, item string) {
	raw := rawjson.Object(at.raw)["mimeType"]
	if mimeOK(raw) {
		return
	}
	at.match = p.line(string(raw), 100)
	p.add(at.with("protocol.mime-invalid", fmt.Sprintf("The mimeType of %s is no media type.", item)))
}

func (p *passive) prompts() {
	for _, raw := range p.snap.Prompts {
		members := rawjson.Object(raw)
		name, _ := rawjson.Text(members["name"])
		at := hit{subject: p.subject("prompt", name), raw: raw}
		if fault := argumentFault(members["arguments"]); fault != "" {
			p.add(at.with("protocol.prompt-argument-invalid", fmt.Sprintf("The arguments of prompt \"%s\" can't be used: %s.", p.line(name, 80), fault)))
		}
		p.icons(at, "prompt \""+p.line(name, 80)+"\"")
	}
}

// argumentFault says what is wrong with the arguments of a prompt, "" for
// nothing.
func argumentFault(raw json.RawMessage) string {
	if raw == nil {
		return ""
	}
	items := rawjson.Array(raw)
	if items == nil {
		return "arguments is no array"
	}
	seen := map[string]bool{}
	for _, item := range items {
		members := rawjson.Object(item)
		name, ok := rawjson.Text(members["name"])
		required, given := members["required"]
		switch {
		case !ok || name == "":
			return "one has no name"
		case seen[name]:
			return "two have the same name"
		case given && string(required) != "true" && string(required) != "false":
			return "required is neither true nor false"
		}
		seen[name] = true
	}
	return ""
}
