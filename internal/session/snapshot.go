package session

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sealmark/action/internal/reply"
)

// Bounds of a listing.
const (
	maxPages = 100
	maxItems = 10_000
	maxBytes = 16 << 20
)

// Snapshot is what a server says of itself.
type Snapshot struct {
	// Initialize is the raw result of initialize.
	Initialize           json.RawMessage
	ProtocolVersion      string
	Name, Title, Version string
	Instructions         string
	ServerInfo           json.RawMessage
	Capabilities         json.RawMessage
	Tools                []Tool
	// Unnamed are the raw items of the tool list that no call can name.
	Unnamed []json.RawMessage
	// Resources, Templates and Prompts are the raw items.
	Resources, Templates, Prompts []json.RawMessage
	// Lists says for tools, resources, resource templates and prompts how
	// complete each is; a list that is not advertised is absent.
	Lists map[string]ListState
}

// Tool is a tool as listed.
type Tool struct {
	Name, Title, Description  string
	InputSchema, OutputSchema json.RawMessage
	Annotations               Annotations
	Raw                       json.RawMessage
}

// Annotations are the hints of a tool; nil means absent or of a wrong type.
type Annotations struct {
	ReadOnlyHint, DestructiveHint, IdempotentHint, OpenWorldHint *bool
}

// ListState says how complete a list is.
type ListState struct {
	complete bool
	gap      string
	refusal  *reply.Answer
}

// Complete reports whether the list was read to its end.
func (l ListState) Complete() bool { return l.complete }

// Gap says why the list is not complete, "" if it is.
func (l ListState) Gap() string { return l.gap }

// Refusal is the answer of a list method that replied with an error: a known
// shortfall. It is nil for a list that is complete or lacks for another reason.
// In a snapshot from a file it lacks what HTTP said.
func (l ListState) Refusal() *reply.Answer { return l.refusal }

// Snapshot reads what the server says of itself: the initialize result and
// each advertised list to its end. Its error is a *StartError if the server
// ends meanwhile, or ctx's.
func (s *Session) Snapshot(ctx context.Context) (*Snapshot, error) {
	snap := readInitialize(s.Initialize)
	for _, l := range []struct{ capability, name, method, member string }{
		{"tools", "tools", "tools/list", "tools"},
		{"resources", "resources", "resources/list", "resources"},
		{"resources", "resource templates", "resources/templates/list", "resourceTemplates"},
		{"prompts", "prompts", "prompts/list", "prompts"},
	} {
		declared, null := snap.declares(l.capability)
		if !declared && !null {
			continue
		}
		if items, state := s.list(ctx, l.method, l.member); declared || state.complete {
			snap.add(l.name, items, state)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.Ended() {
		exit := s.conn.Exit()
		return nil, &StartError{Kind: Exited, Exit: exit, Detail: "the server " + exit.String() + " while its lists were read"}
	}
	return snap, nil
}

// Advertises reports whether the server declares a capability. One that is null
// counts only if its list could be read: some serialisers write null for what
// is absent.
func (s *Snapshot) Advertises(capability string) bool {
	declared, null := s.declares(capability)
	_, read := s.Lists[capability]
	return declared || null && read
}

// declares reports whether a capability is there, and whether it is there as
// null.
func (s *Snapshot) declares(capability string) (declared, null bool) {
	var members map[string]json.RawMessage
	json.Unmarshal(s.Capabilities, &members)
	raw, ok := members[capability]
	null = string(raw) == "null"
	return ok && !null, null
}

// readInitialize reads an initialize result into a snapshot without lists.
func readInitialize(raw json.RawMessage) *Snapshot {
	snap := &Snapshot{Initialize: raw, Lists: map[string]ListState{}, ProtocolVersion: stringMember(raw, "protocolVersion"), Instructions: stringMember(raw, "instructions")}
	var members map[string]json.RawMessage
	json.Unmarshal(raw, &members)
	snap.ServerInfo, snap.Capabilities = members["serverInfo"], members["capabilities"]
	snap.Name, snap.Title, snap.Version = stringMember(snap.ServerInfo, "name"), stringMember(snap.ServerInfo, "title"), stringMember(snap.ServerInfo, "version")
	return snap
}

// add adds a list by its name in Lists.
func (s *Snapshot) add(name string, items []json.RawMessage, state ListState) {
	s.Lists[name] = state
	switch name {
	case "tools":
		for _, item := range items {
			if tool, ok := readTool(item); ok {
				s.Tools = append(s.Tools, tool)
			} else {
				s.Unnamed = append(s.Unnamed, item)
			}
		}
	case "resources":
		s.Resources = items
	case "resource templates":
		s.Templates = items
	case "prompts":
		s.Prompts = items
	}
}

// list reads all pages of a list.
func (s *Session) list(ctx context.Context, method, member string) ([]json.RawMessage, ListState) {
	var items []json.RawMessage
	var params any
	seen := map[string]bool{}
	size := 0
	for range maxPages {
		answer := s.Request(ctx, method, params, s.options.ProbeLimit)
		if answer.Kind != reply.Answered {
			return items, ListState{gap: method + ": " + answer.Detail}
		}
		if answer.Error != nil {
			return items, ListState{gap: fmt.Sprintf("%s was answered with the error %q", method, answer.Error.Message), refusal: &answer}
		}
		var page map[string]json.RawMessage
		var more []json.RawMessage
		if json.Unmarshal(answer.Result, &page) != nil || json.Unmarshal(page[member], &more) != nil || page[member] == nil {
			return items, ListState{gap: fmt.Sprintf("the result of %s has no array %q", method, member)}
		}
		items = append(items, more...)
		size += len(answer.Raw)
		if len(items) > maxItems || size > maxBytes {
			return items[:min(len(items), maxItems)], ListState{gap: fmt.Sprintf("stopped after %d items", min(len(items), maxItems))}
		}
		var cursor *string
		if next := page["nextCursor"]; next != nil && json.Unmarshal(next, &cursor) != nil {
			return items, ListState{gap: "the nextCursor of " + method + " is not a string"}
		}
		if cursor == nil || *cursor == "" {
			return items, ListState{complete: true}
		}
		if seen[*cursor] {
			return items, ListState{gap: "the cursor of " + method + " repeats itself"}
		}
		seen[*cursor] = true
		params = map[string]string{"cursor": *cursor}
	}
	return items, ListState{gap: fmt.Sprintf("%s: stopped after %d pages", method, maxPages)}
}

// readTool reads a listed tool by its raw members. One without a name can't be
// called and is left out.
func readTool(raw json.RawMessage) (Tool, bool) {
	var members, hints map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return Tool{}, false
	}
	t := Tool{Raw: raw, Name: stringMember(raw, "name"), Title: stringMember(raw, "title"), Description: stringMember(raw, "description"),
		InputSchema: members["inputSchema"], OutputSchema: members["outputSchema"]}
	json.Unmarshal(members["annotations"], &hints)
	hint := func(name string) *bool {
		var value *bool
		if json.Unmarshal(hints[name], &value) != nil {
			return nil
		}
		return value
	}
	t.Annotations = Annotations{hint("readOnlyHint"), hint("destructiveHint"), hint("idempotentHint"), hint("openWorldHint")}
	return t, t.Name != ""
}

// Label names an item of a list by its uri, uriTemplate or name.
func Label(item json.RawMessage) string {
	for _, member := range []string{"uri", "uriTemplate", "name"} {
		if value := stringMember(item, member); value != "" {
			return value
		}
	}
	return ""
}
