// Package spec holds the shapes of the messages that a server may send, for
// each revision of the Model Context Protocol with an initialize handshake,
// and says where a message departs from them. The shapes are written from the
// facts of each revision's schema; a revision lists what it changes of the one
// before.
package spec

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/sealmark/action/internal/rawjson"
)

//go:embed revisions/*.json
var files embed.FS

// Revisions lists the revisions that For knows, oldest first.
var Revisions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}

// Schemas judges the messages of a server that negotiated one revision. It is
// safe for concurrent use.
type Schemas struct {
	revision string
	shapes   map[string]map[string]*jsonschema.Schema
	members  map[string]bool
}

// For returns the schemas of a revision. ok is false for one that it does not
// know.
func For(revision string) (s *Schemas, ok bool) {
	s, ok = compiled()[revision]
	return s, ok
}

// compiled compiles all revisions at the first use. They are embedded, so that
// a failure is a mistake of ours that the tests show.
var compiled = sync.OnceValue(func() map[string]*Schemas {
	all := map[string]*Schemas{}
	for _, revision := range Revisions {
		s, err := compile(revision)
		if err != nil {
			panic(fmt.Sprintf("the schemas of %s: %v", revision, err))
		}
		all[revision] = s
	}
	return all
})

// sections are the parts of a revision's file that hold shapes: the envelope
// of each kind of message, and the whole message by its method, "" for any
// other.
var sections = []string{"envelope", "response", "request", "notification"}

func compile(revision string) (*Schemas, error) {
	doc, err := load(revision)
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.RegisterFormat(&jsonschema.Format{Name: "byte", Validate: isBase64})
	compiler.AssertFormat()
	compiler.UseLoader(jsonschema.SchemeURLLoader{})
	location := "sealmark:" + revision
	if err := compiler.AddResource(location, doc); err != nil {
		return nil, err
	}
	s := &Schemas{revision: revision, shapes: map[string]map[string]*jsonschema.Schema{}, members: map[string]bool{}}
	for _, section := range sections {
		s.shapes[section] = map[string]*jsonschema.Schema{}
		for _, name := range slices.Sorted(maps.Keys(doc[section].(map[string]any))) {
			shape, err := compiler.Compile(location + "#/" + section + "/" + rawjson.Escape(name))
			if err != nil {
				return nil, err
			}
			s.shapes[section][name] = shape
		}
	}
	collectMembers(doc, s.members)
	return s, nil
}

// load reads the file of a revision and lays it over those it rests on.
func load(revision string) (map[string]any, error) {
	data, err := files.ReadFile("revisions/" + revision + ".json")
	if err != nil {
		return nil, err
	}
	var doc map[string]any
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, err
	}
	base, ok := doc["base"].(string)
	if !ok {
		return doc, nil
	}
	under, err := load(base)
	if err != nil {
		return nil, err
	}
	for section, entries := range doc {
		if section != "base" {
			maps.Copy(under[section].(map[string]any), entries.(map[string]any))
		}
	}
	return under, nil
}

// collectMembers collects the names of all members that a shape declares.
func collectMembers(shape any, into map[string]bool) {
	switch shape := shape.(type) {
	case map[string]any:
		for key, value := range shape {
			if declared, ok := value.(map[string]any); ok && key == "properties" {
				for name := range declared {
					into[name] = true
				}
			}
			collectMembers(value, into)
		}
	case []any:
		for _, value := range shape {
			collectMembers(value, into)
		}
	}
}

// Revision is the revision that the schemas belong to.
func (s *Schemas) Revision() string { return s.revision }

// Known reports whether a method has a shape of its own in any revision.
func Known(method string) bool {
	all := compiled()
	for _, revision := range Revisions {
		for _, section := range sections[1:] {
			if _, ok := all[revision].shapes[section][method]; ok && method != "" {
				return true
			}
		}
	}
	return false
}
