// Package argument makes arguments for a tool from its input schema: valid
// ones, and such that the schema refuses. It sends nothing, and every case is
// generated in a fixed order, never random.
package argument

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Bounds of a schema.
const (
	maxSchemaBytes = 2 << 20
	maxDepth       = 64   // levels of nesting in the document
	maxObjects     = 5000 // JSON objects in it, each of which may be a subschema
)

// CompileError says why a schema can't be used, in words that follow "the input
// schema can't be used: ".
type CompileError struct{ Reason string }

func (e *CompileError) Error() string { return e.Reason }

// Schema is a compiled input schema. It may be used by several goroutines.
type Schema struct {
	compiled *jsonschema.Schema
	root     map[string]any
}

// Compile compiles an input schema: as 2020-12 unless $schema names another
// draft. Nothing outside of the document is read. A schema of over 2 MiB, 64
// levels or 5,000 objects is refused. Its error is a *CompileError, and the
// same for the same schema.
func Compile(inputSchema json.RawMessage) (*Schema, error) {
	if len(bytes.TrimSpace(inputSchema)) == 0 {
		return nil, &CompileError{"there is none"}
	}
	if len(inputSchema) > maxSchemaBytes {
		return nil, &CompileError{fmt.Sprintf("it is over %d MiB", maxSchemaBytes>>20)}
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(inputSchema))
	if err != nil {
		return nil, &CompileError{"it is not JSON"}
	}
	root, ok := doc.(map[string]any)
	if !ok {
		return nil, &CompileError{"it is not an object"}
	}
	b := bounds{depth: maxDepth, objects: maxObjects}
	if reason := b.exceeded(doc, 0); reason != "" {
		return nil, &CompileError{reason}
	}
	compiled, err := compile(doc, false)
	if err != nil {
		return nil, &CompileError{reason(err, root)}
	}
	return &Schema{compiled, root}, nil
}

// compile compiles a schema; strictly with every format that the validator
// knows asserted, which it is by default up to draft 7 only.
func compile(doc any, strictly bool) (schema *jsonschema.Schema, err error) {
	// The schema is not ours: a fault of the validator must not end the run.
	defer func() {
		if recover() != nil {
			schema, err = nil, errors.New("the validator failed")
		}
	}()
	const url = "schema:///input"
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(closedLoader{})
	c.UseRegexpEngine(lenientRegexp)
	if strictly {
		c.AssertFormat()
	}
	if err := c.AddResource(url, doc); err != nil {
		return nil, err
	}
	return c.Compile(url)
}

// closedLoader reads nothing, neither files nor the network.
type closedLoader struct{}

func (closedLoader) Load(string) (any, error) {
	return nil, errors.New("nothing outside of the schema is read")
}

// reason words the validator's error. The validator walks maps in any order,
// so that its own words may differ from run to run.
func reason(err error, root map[string]any) string {
	var (
		load    *jsonschema.LoadURLError
		invalid *jsonschema.SchemaValidationError
		pointer *jsonschema.JSONPointerNotFoundError
		anchor  *jsonschema.AnchorNotFoundError
		id      *jsonschema.DuplicateIDError
		twice   *jsonschema.DuplicateAnchorError
	)
	switch {
	case errors.As(err, &load):
		if dialect, _ := root["$schema"].(string); dialect != "" && strings.TrimRight(dialect, "#") == strings.TrimRight(load.URL, "#") {
			return fmt.Sprintf("its dialect %.200q is not known", dialect)
		}
		return fmt.Sprintf("it refers to %.200q, which is not part of it", firstRef(root, false))
	case errors.As(err, &pointer), errors.As(err, &anchor):
		return fmt.Sprintf("its reference %.200q points nowhere", firstRef(root, true))
	case errors.As(err, &id), errors.As(err, &twice):
		return "it declares an $id or $anchor twice"
	case errors.As(err, &invalid):
		return "it is not a valid schema: " + refusal(invalid.Err)
	}
	return "it is not a valid schema"
}

// firstRef returns the first reference, in the order of their text, that is
// local and leads nowhere, or that is not local.
func firstRef(root map[string]any, local bool) string {
	var refs []string
	eachRef(root, func(ref string) {
		if strings.HasPrefix(ref, "#") == local && (!local || lookup(root, ref) == nil) {
			refs = append(refs, ref)
		}
	})
	if len(refs) == 0 {
		return "$ref"
	}
	return slices.Min(refs)
}

func eachRef(v any, f func(string)) {
	switch v := v.(type) {
	case map[string]any:
		for _, word := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
			if ref, ok := v[word].(string); ok {
				f(ref)
			}
		}
		for _, child := range v {
			eachRef(child, f)
		}
	case []any:
		for _, child := range v {
			eachRef(child, f)
		}
	}
}
