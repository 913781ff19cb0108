// Package argument makes arguments for a tool from its input schema: valid
// ones, and such that the schema refuses. It sends nothing, and every case is
// generated in a fixed order, never random.
package argument

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Bounds of a schema. Compiling takes more than linear time in the depth.
const (
	maxSchemaBytes = 2 << 20
	maxDepth       = 64
	maxNodes       = 50_000
)

// CompileError says why a schema can't be used.
type CompileError struct{ Reason string }

func (e *CompileError) Error() string { return e.Reason }

// Schema is a compiled input schema.
type Schema struct {
	compiled *jsonschema.Schema
	root     map[string]any
}

// Compile compiles an input schema: 2020-12 unless $schema names another
// draft. Nothing outside of the document is read. Its error is a
// *CompileError.
func Compile(raw json.RawMessage) (*Schema, error) {
	if len(raw) > maxSchemaBytes {
		return nil, &CompileError{fmt.Sprintf("the schema is over %d MiB", maxSchemaBytes>>20)}
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, &CompileError{"the schema is no JSON"}
	}
	root, ok := doc.(map[string]any)
	if !ok {
		return nil, &CompileError{"the schema is no object"}
	}
	nodes := 0
	if !bounded(doc, 0, &nodes) {
		return nil, &CompileError{fmt.Sprintf("the schema is nested deeper than %d levels or has more than %d values", maxDepth, maxNodes)}
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(closedLoader{})
	c.UseRegexpEngine(lenientRegexp)
	const url = "schema:///input"
	if err := c.AddResource(url, doc); err != nil {
		return nil, &CompileError{reason(err)}
	}
	compiled, err := c.Compile(url)
	if err != nil {
		return nil, &CompileError{reason(err)}
	}
	return &Schema{compiled, root}, nil
}

// reason shortens the validator's error to what the user can use.
func reason(err error) string {
	var load *jsonschema.LoadURLError
	if errors.As(err, &load) {
		return "the schema refers to " + load.URL + ", which is not part of it"
	}
	return "the schema can't be compiled: " + err.Error()
}

// Valid returns nil if the schema allows the arguments, else what it refuses.
func (s *Schema) Valid(arguments json.RawMessage) error {
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(arguments))
	if err != nil {
		return fmt.Errorf("the arguments are no JSON: %w", err)
	}
	return s.compiled.Validate(instance)
}

// bounded reports whether a document keeps the bounds.
func bounded(v any, depth int, nodes *int) bool {
	*nodes++
	if depth > maxDepth || *nodes > maxNodes {
		return false
	}
	switch v := v.(type) {
	case map[string]any:
		for _, child := range v {
			if !bounded(child, depth+1, nodes) {
				return false
			}
		}
	case []any:
		for _, child := range v {
			if !bounded(child, depth+1, nodes) {
				return false
			}
		}
	}
	return true
}

// closedLoader reads nothing, neither files nor the network.
type closedLoader struct{}

func (closedLoader) Load(url string) (any, error) {
	return nil, errors.New("nothing outside of the schema is read")
}

// lenientRegexp compiles a pattern. One in the larger syntax of ECMA-262 that
// Go lacks, such as look-ahead, is taken as no constraint: what it would
// refuse is then not sent.
func lenientRegexp(pattern string) (jsonschema.Regexp, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return anything(pattern), nil
	}
	return re, nil
}

type anything string

func (anything) MatchString(string) bool { return true }
func (a anything) String() string        { return string(a) }
