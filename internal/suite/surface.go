package suite

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"

	"github.com/sealmark/action/internal/rawjson"
	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/session"
)

// Bounds of the definitions that a result holds.
const (
	maxDefinition = 64 << 10 // bytes of one
	maxSurface    = 2 << 20  // bytes of all
	maxText       = 8 << 10  // bytes of a text in one
	maxLevels     = 64       // of nesting in one
)

// The members of a definition that clients see, by list. What differs from run
// to run, or concerns hosts alone, is left out.
var (
	toolMembers     = []string{"title", "description", "inputSchema", "outputSchema", "annotations"}
	promptMembers   = []string{"title", "description", "arguments"}
	resourceMembers = []string{"name", "title", "description", "mimeType"}
)

// offer writes what a server offers. room is what is left of maxSurface.
type offer struct {
	redact *redact.Redactor
	room   int
}

// surface is what the server offers, redacted and bounded.
func (r *runner) surface(snap *session.Snapshot) *result.Surface {
	o := &offer{r.env.Redact, maxSurface}
	s := &result.Surface{Tools: []result.Definition{}}
	for _, t := range snap.Tools {
		s.Tools = o.add(s.Tools, t.Name, t.Raw, toolMembers)
	}
	s.Resources = o.list(snap.Resources, resourceMembers)
	s.Templates = o.list(snap.Templates, resourceMembers)
	s.Prompts = o.list(snap.Prompts, promptMembers)
	s.Capabilities, _ = o.canonical(snap.Capabilities)
	if snap.Instructions != "" {
		_, s.Instructions = o.canonical(rawjson.Encode(snap.Instructions))
	}
	return s
}

func (o *offer) list(items []json.RawMessage, members []string) []result.Definition {
	list := []result.Definition{}
	for _, item := range items {
		list = o.add(list, session.Label(item), item, members)
	}
	return list
}

func (o *offer) add(list []result.Definition, name string, item json.RawMessage, members []string) []result.Definition {
	all := rawjson.Object(item)
	kept := map[string]json.RawMessage{}
	for _, member := range members {
		if raw, ok := all[member]; ok && string(raw) != "null" {
			kept[member] = raw
		}
	}
	d := result.Definition{Name: o.redact.Line(name, 256)}
	d.Declared, d.Digest = o.canonical(rawjson.Encode(kept))
	return append(list, d)
}

// canonical returns a value without secrets, with sorted members and bounded
// texts, and the digest of the value before its texts are bounded. The value
// is nil if it is too large.
func (o *offer) canonical(raw json.RawMessage) (declared json.RawMessage, digest string) {
	clean, err := o.redact.JSON(raw)
	if err != nil || len(clean) == 0 {
		return nil, ""
	}
	dec := json.NewDecoder(bytes.NewReader(clean))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return nil, ""
	}
	whole := rawjson.Encode(v)
	sum := sha256.Sum256(whole)
	digest = hex.EncodeToString(sum[:8])
	v, ok := bounded(v, 0)
	if !ok {
		return nil, digest
	}
	declared = rawjson.Encode(v)
	if len(declared) > min(maxDefinition, o.room) {
		return nil, digest
	}
	o.room -= len(declared)
	return declared, digest
}

// bounded makes the texts of a value harmless and bounds them. ok is false for
// a value that is nested too deeply.
func bounded(v any, level int) (clean any, ok bool) {
	if level > maxLevels {
		return nil, false
	}
	switch v := v.(type) {
	case string:
		return harmless(v), true
	case []any:
		for i := range v {
			if v[i], ok = bounded(v[i], level+1); !ok {
				return nil, false
			}
		}
	case map[string]any:
		members := make(map[string]any, len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if members[harmless(name)], ok = bounded(v[name], level+1); !ok {
				return nil, false
			}
		}
		return members, true
	}
	return v, true
}

func harmless(s string) string { return (*redact.Redactor)(nil).Text(s, maxText) }
