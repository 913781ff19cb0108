package protocol

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/check"
	probing "github.com/sealmark/action/internal/check/probe"
	"github.com/sealmark/action/internal/rawjson"
	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/rule"
	schemas "github.com/sealmark/action/internal/spec"
)

// Complete adds to the report of Run what the tape of all sessions shows. It
// must come after all checks that talk to the server.
func (Spec) Complete(env *check.Env, report check.Report) check.Report {
	if _, ok := schemas.For(env.Snapshot.ProtocolVersion); !ok {
		return report
	}
	found := check.NewFindings(specInfo)
	for _, f := range report.Findings {
		found.Add(f)
	}
	p := &readings{env: env, findings: found}
	p.read()
	report.Findings = found.List()
	unjudged := ""
	if n := env.Tape.Unjudged(); n > 0 {
		unjudged = " Some messages were too long, or too many in one session, to be judged."
	}
	switch verdict := check.Judge(specInfo, report.Findings); {
	case verdict == rule.Fail:
		report.Verdict, report.Reason = rule.Fail, "A message or an answer breaks the revision "+env.Snapshot.ProtocolVersion+"."
	case report.Verdict == rule.Unverified:
		return report
	case verdict == rule.Partial:
		report.Verdict, report.Reason = rule.Partial, "The server departs from the revision "+env.Snapshot.ProtocolVersion+"."
	}
	report.Reason += unjudged
	return report
}

// readings is what the tape shows.
type readings struct {
	env      *check.Env
	findings *check.Findings
	shapes   map[string][]departure
	// items holds the subjects of all listed items.
	items map[string]bool
}

// departure is a kind of violation and its evidence.
type departure struct {
	at check.BreachAt
	b  check.Breach
}

func (p *readings) read() {
	p.shapes = map[string][]departure{}
	shapes := map[check.BreachAt]departure{}
	sent := map[string][]string{}
	p.env.Tape.Breaches(func(at check.BreachAt, b check.Breach) {
		switch at.Kind {
		case check.BreachShape:
			switch {
			case owned(at) || p.outputOwned(at, b) || p.unadvertised(at.Method):
			case at.Keyword == "propertyNames":
				p.add("spec.meta-key", fmt.Sprintf("%s holds an object _meta that %s, at %s.", title(message(at)), at.Text, p.env.Redact.Line(b.Pointer, 200)), b)
			default:
				// The same fault in sessions of several revisions is one fault.
				any := at
				any.Revision = ""
				if known, ok := shapes[any]; !ok || at.Revision == p.env.Snapshot.ProtocolVersion || known.at.Revision != p.env.Snapshot.ProtocolVersion {
					shapes[any] = departure{at, b}
				}
			}
		case check.Sent:
			sent[at.Method] = append(sent[at.Method], at.Revision)
		case check.BreachEarly:
			p.early(at.Method)
		case check.BreachReusedID:
			p.add("spec.request-id-reused", "The server uses the id of one of its requests again within a session.", b)
		default:
			p.progress(at.Kind, b)
		}
	})
	for _, at := range slices.SortedFunc(maps.Keys(shapes), compareBreaches) {
		subject := "server" // that of the envelope, which no item makes
		if strings.HasPrefix(at.Place, "/result") {
			subject = p.subject(shapes[at].b.Items)
		}
		p.shapes[subject] = append(p.shapes[subject], shapes[at])
	}
	for _, subject := range slices.Sorted(maps.Keys(p.shapes)) {
		p.violations(subject, p.shapes[subject])
	}
	for _, method := range slices.Sorted(maps.Keys(sent)) {
		p.unnegotiated(method)
	}
}

func compareBreaches(a, b check.BreachAt) int {
	return cmp.Or(cmp.Compare(a.Method, b.Method), cmp.Compare(a.Place, b.Place), cmp.Compare(a.Keyword, b.Keyword), cmp.Compare(a.Text, b.Text))
}

// unadvertised reports whether a method belongs to a capability that the server
// does not declare. That it answers is the fault, and one of another rule.
func (p *readings) unadvertised(method string) bool {
	capability, _, _ := strings.Cut(method, "/")
	switch capability {
	case "prompts", "resources", "tools":
		return !p.env.Snapshot.Advertises(capability)
	}
	return false
}

// subject is the named item that a violation belongs to. One that several
// items share, or that leads to an item which is not listed, belongs to the
// server.
func (p *readings) subject(items []string) string {
	if len(items) != 1 || !p.listed(items[0]) {
		return "server"
	}
	kind, name, _ := strings.Cut(items[0], ":")
	return kind + ":" + p.env.Redact.Line(name, 200)
}

// listed reports whether the snapshot has the item.
func (p *readings) listed(item string) bool {
	if p.items == nil {
		p.items = map[string]bool{}
		for _, t := range p.env.Snapshot.Tools {
			p.items["tool:"+t.Name] = true
		}
		for _, raw := range p.env.Snapshot.Prompts {
			p.items["prompt:"+memberOf(raw, "name")] = true
		}
		for _, raw := range p.env.Snapshot.Resources {
			p.items["resource:"+memberOf(raw, "uri")] = true
		}
		for _, raw := range p.env.Snapshot.Templates {
			p.items["resource:"+memberOf(raw, "uriTemplate")] = true
		}
	}
	return p.items[item]
}

// maxShown bounds how many violations a finding lists.
const maxShown = 20

// violations adds one finding for what a subject's messages break; the
// evidence lists each place.
func (p *readings) violations(subject string, list []departure) {
	first := list[0]
	more := ""
	if n := len(list) - 1; n > 0 {
		more = fmt.Sprintf(" %d more kinds of violation are in the evidence.", n)
		if n == 1 {
			more = " One more kind of violation is in the evidence."
		}
	}
	var lines []string
	for _, d := range list[:min(len(list), maxShown)] {
		lines = append(lines, p.line(d))
	}
	if n := len(list) - len(lines); n > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", n))
	}
	p.findings.Add(rule.Finding{Rule: "spec.schema-violation", Subject: subject, Probe: "messages", Count: len(list),
		Message: fmt.Sprintf("%s breaks the shapes of %s: %s %s.%s", title(message(first.at)), first.at.Revision, orWhole(p.env.Redact.Line(first.b.Pointer, 200)), first.at.Text, more),
		Evidence: rule.Evidence{
			Request: p.env.Redact.Text(string(first.b.Request), probing.MaxEvidence),
			Match:   redact.Stable(p.env.Redact.Line(string(first.b.Value), 300)),
			Detail:  strings.Join(lines, "\n"),
		}})
}

// line writes a violation for the evidence.
func (p *readings) line(d departure) string {
	items := ""
	if len(d.b.Items) > 1 {
		items = " (several items)"
	}
	return fmt.Sprintf("%s, %s: %s [%s, %s]%s", message(d.at), orWhole(p.env.Redact.Line(d.b.Pointer, 200)), d.at.Text, d.at.Keyword, d.at.Revision, items)
}

func orWhole(pointer string) string { return cmp.Or(pointer, "the message") }

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// message names the kind of message that broke a shape.
func message(at check.BreachAt) string {
	switch {
	case at.Method == "":
		return "a message"
	case strings.HasPrefix(at.Method, "notifications/"):
		return "the notification " + at.Method
	case strings.HasPrefix(at.Place, "/params"):
		return "the request " + at.Method
	}
	return "the reply to " + at.Method
}

func (p *readings) early(method string) {
	p.findings.Add(rule.Finding{Rule: "spec.early-message", Subject: "server", Probe: "messages",
		Message:  fmt.Sprintf("The server sends %s before it has answered initialize.", method),
		Evidence: rule.Evidence{Match: method}})
}

// progressTexts say what a progress notification breaks.
var progressTexts = map[check.BreachKind]string{
	check.BreachProgressUnknown:    "for a token that no request gave",
	check.BreachProgressRetyped:    "with a token of another JSON type than the request gave",
	check.BreachProgressNoIncrease: "that does not increase",
	check.BreachProgressLate:       "after the reply to its request",
}

func (p *readings) progress(kind check.BreachKind, b check.Breach) {
	// Over HTTP the reply and a notification may come on streams of their own,
	// so their order says nothing.
	if kind == check.BreachProgressLate && p.env.Server.HTTP() {
		return
	}
	p.add("spec.progress", "The server reports progress "+progressTexts[kind]+".", b)
}

func (p *readings) add(id, message string, b check.Breach) {
	p.findings.Add(rule.Finding{Rule: id, Subject: "server", Probe: "messages", Message: message,
		Evidence: rule.Evidence{Match: redact.Stable(p.env.Redact.Line(string(b.Value), 300))}})
}

// needs gives what has to be declared before a server may send a message: a
// path within the server's capabilities, "" for a capability of the client,
// which Sealmark does not declare.
var needs = map[string]string{
	"notifications/message":                "logging",
	"notifications/tools/list_changed":     "tools.listChanged",
	"notifications/prompts/list_changed":   "prompts.listChanged",
	"notifications/resources/list_changed": "resources.listChanged",
	"notifications/resources/updated":      "resources.subscribe",
	"sampling/createMessage":               "",
	"roots/list":                           "",
	"elicitation/create":                   "",
}

// unnegotiated adds a finding for a message whose feature was not negotiated.
func (p *readings) unnegotiated(method string) {
	path, ok := needs[method]
	if !ok || path != "" && declared(p.env.Snapshot.Capabilities, path) {
		return
	}
	severity := rule.Warning
	if p.env.Snapshot.ProtocolVersion < "2025-06-18" && method != "notifications/message" {
		severity = rule.Note // only negotiated features SHOULD be used
	}
	text := fmt.Sprintf("The server sends %s, although the client does not declare that it can answer it.", method)
	if path != "" {
		text = fmt.Sprintf("The server sends %s, which needs the capability %s that it does not declare.", method, path)
	}
	p.findings.Add(rule.Finding{Rule: "spec.unnegotiated-message", Subject: "server", Severity: severity, Probe: "messages", Message: text,
		Evidence: rule.Evidence{Match: method, Detail: "capabilities: " + p.env.Redact.Line(string(p.env.Snapshot.Capabilities), 500)}})
}

// declared reports whether a capability is declared. A member that is there
// declares it, whatever its value, but for the flags within, which must be
// true.
func declared(capabilities json.RawMessage, path string) bool {
	name, flag, nested := strings.Cut(path, ".")
	raw, ok := rawjson.Object(capabilities)[name]
	if !ok || !nested {
		return ok && string(raw) != "null"
	}
	return string(rawjson.Object(raw)[flag]) == "true"
}

// memberOf is a member of an object that is a string, "" for any other.
func memberOf(raw json.RawMessage, name string) string {
	value, _ := rawjson.Text(rawjson.Object(raw)[name])
	return value
}
