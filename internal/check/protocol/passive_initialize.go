package protocol

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sealmark/action/internal/rawjson"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/rule"
)

var dateShaped = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

// maxInstructions is the length of instructions, in characters, up to which
// they are not large.
const maxInstructions = 8000

func (p *passive) initialize() {
	switch version := p.snap.ProtocolVersion; {
	case version == "":
		p.add(hit{rule: "protocol.version-missing", subject: "server",
			message: "The result of initialize names no protocolVersion, so nobody knows which revision the server speaks."})
	case slices.Contains(revisions, version):
	default:
		h := hit{rule: "protocol.version-unknown", subject: "server", match: p.line(version, 100),
			message: fmt.Sprintf("The server answers initialize with the protocol version %q, which is no revision that this build knows.", p.line(version, 40))}
		if dateShaped.MatchString(version) {
			h.severity = rule.Note
		}
		p.add(h)
	}
	info := rawjson.Object(p.snap.ServerInfo)
	for _, member := range []string{"name", "version"} {
		if value, ok := rawjson.Text(info[member]); !ok || value == "" {
			p.add(hit{rule: "protocol.server-info-missing", subject: "server", raw: p.snap.ServerInfo, match: member,
				message: "The serverInfo of initialize lacks a name or a version."})
			break
		}
	}
	if n := utf8.RuneCountInString(p.snap.Instructions); n > maxInstructions {
		p.add(hit{rule: "protocol.instructions-large", subject: "server",
			message: fmt.Sprintf("The instructions of the server are %d characters long; clients put them into the model's context.", n)})
	}
}

var (
	serverCapabilities = []string{"completions", "experimental", "extensions", "logging", "prompts", "resources", "tasks", "tools"}
	clientCapabilities = []string{"elicitation", "roots", "sampling"}
)

func (p *passive) capabilities() {
	var foreign, unknown []string
	for _, name := range slices.Sorted(maps.Keys(rawjson.Object(p.snap.Capabilities))) {
		switch {
		case slices.Contains(serverCapabilities, name):
		case slices.Contains(clientCapabilities, name):
			foreign = append(foreign, name)
		default:
			unknown = append(unknown, name)
		}
	}
	if len(foreign) > 0 {
		p.add(hit{rule: "protocol.client-capability-declared", subject: "server", raw: p.snap.Capabilities, match: strings.Join(foreign, ", "),
			message: "The server declares a capability that only a client can have: " + strings.Join(foreign, ", ") + "."})
	}
	if len(unknown) > 0 {
		names := p.line(some(unknown), 200)
		p.add(hit{rule: "protocol.unknown-capability", subject: "server", raw: p.snap.Capabilities, match: names,
			message: "The server declares a capability that no revision knows outside of experimental: " + names + "."})
	}
}

// lists judges advertised lists that were answered with an error. A list that
// fails otherwise is no matter of this check.
func (p *passive) lists() {
	for _, name := range slices.Sorted(maps.Keys(p.snap.Lists)) {
		refusal := p.snap.Lists[name].Refusal()
		if refusal == nil || reply.Read(*refusal, reply.Question{}).Decision == reply.Lenient {
			continue
		}
		f := rule.Finding{Rule: "protocol.capability-mismatch", Subject: "capability:" + name,
			Message:  fmt.Sprintf("The server advertises %s, but its list is answered with an error: %s", name, p.line(refusal.Error.Message, 200)),
			Evidence: rule.Evidence{Request: p.env.Redact.Text(string(refusal.Request), 2000), Reply: p.env.Redact.Text(string(refusal.Raw), 2000)}}
		if name == "resource templates" && p.snap.Lists["resources"].Refusal() != nil {
			continue // the capability is not there at all
		}
		if name == "resource templates" {
			// Not each server with resources has templates, and there is no
			// capability to say so.
			f.Severity = rule.Note
		}
		p.found.Add(f)
	}
}
