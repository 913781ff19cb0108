package argument

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// ErrTooCostly says that a value was not checked, because the schema could
// keep the validator busy for too long with it.
var ErrTooCostly = errors.New("the schema is too costly to evaluate")

// Valid returns nil if the schema allows the value, else what it refuses. A
// pattern that can't be evaluated allows every text. The error is ErrTooCostly
// if the schema could not be evaluated.
func (s *Schema) Valid(value json.RawMessage) error {
	refused, _, err := evaluate(s.compiled, value)
	switch {
	case err != nil:
		return err
	case refused != nil:
		return errors.New(refusal(refused))
	}
	return nil
}

// evaluate validates a value: what the schema refuses of it, nil if it allows
// the value, and how many visits that may have taken. The error is that of
// Valid.
func evaluate(schema *jsonschema.Schema, value json.RawMessage) (refused *jsonschema.ValidationError, visits int, err error) {
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		return nil, 0, fmt.Errorf("the value is not JSON: %w", err)
	}
	b := bounds{depth: 1000, objects: math.MaxInt}
	if reason := b.exceeded(instance, 0); reason != "" {
		return nil, 0, fmt.Errorf("the value is not checked: %s: %w", reason, ErrTooCostly)
	}
	most := min(maxVisits, leastVisits+visitsPerValue*b.nodes)
	budget := most
	if visit(schema, instance, &budget, 0); budget < 0 {
		return nil, most, ErrTooCostly
	}
	// The schema is not ours: a fault of the validator must not end the run.
	defer func() {
		if recover() != nil {
			refused, err = nil, fmt.Errorf("the validator failed: %w", ErrTooCostly)
		}
	}()
	err = schema.Validate(instance)
	if err == nil {
		return nil, most - budget, nil
	}
	if errors.As(err, &refused) {
		return refused, most - budget, nil
	}
	return nil, most - budget, fmt.Errorf("the validator failed: %w", ErrTooCostly)
}

// refusal words a validation error: the first of the places that are refused,
// in the order of their text, and the keyword.
func refusal(err error) string {
	var found []string
	var walk func(e *jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		if len(e.Causes) == 0 && e.ErrorKind != nil {
			place := "/" + strings.Join(e.InstanceLocation, "/")
			if name, ok := e.ErrorKind.(*kind.PropertyNames); ok {
				place = name.Property // its location is not to be relied on
			}
			found = append(found, fmt.Sprintf("%.200q is refused by %.100q", place, strings.Join(e.ErrorKind.KeywordPath(), "/")))
		}
		for _, cause := range e.Causes {
			walk(cause)
		}
	}
	var invalid *jsonschema.ValidationError
	if errors.As(err, &invalid) {
		walk(invalid)
	}
	if len(found) == 0 {
		return "it is refused"
	}
	return slices.Min(found)
}

// Bounds of a validation, in visits of a subschema with a value.
const (
	leastVisits    = 100_000
	visitsPerValue = 50
	maxVisits      = 2_000_000
	maxNesting     = 2000
)

// visit walks a schema as the validator would at worst and takes one from the
// budget for each subschema that meets a value. References can make a small
// schema cost any amount of time.
func visit(s *jsonschema.Schema, v any, budget *int, depth int) {
	if s == nil || *budget < 0 {
		return
	}
	if *budget--; depth > maxNesting {
		*budget = -1
		return
	}
	in := func(s *jsonschema.Schema, v any) { visit(s, v, budget, depth+1) }
	all := func(list []*jsonschema.Schema) {
		for _, s := range list {
			in(s, v)
		}
	}
	for _, sub := range []*jsonschema.Schema{s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else} {
		in(sub, v)
	}
	if s.DynamicRef != nil {
		in(s.DynamicRef.Ref, v)
	}
	all(s.AllOf)
	all(s.AnyOf)
	all(s.OneOf)
	switch v := v.(type) {
	case map[string]any:
		visitObject(s, v, in)
	case []any:
		visitArray(s, v, in)
	}
}

func visitObject(s *jsonschema.Schema, v map[string]any, in func(*jsonschema.Schema, any)) {
	for name, sub := range s.DependentSchemas {
		if _, ok := v[name]; ok {
			in(sub, v)
		}
	}
	for name, dependency := range s.Dependencies {
		if sub, ok := dependency.(*jsonschema.Schema); ok && v[name] != nil {
			in(sub, v)
		}
	}
	additional, _ := s.AdditionalProperties.(*jsonschema.Schema)
	for name, value := range v {
		in(s.Properties[name], value)
		for _, sub := range s.PatternProperties {
			in(sub, value)
		}
		in(additional, value)
		in(s.UnevaluatedProperties, value)
		in(s.PropertyNames, name)
	}
}

func visitArray(s *jsonschema.Schema, v []any, in func(*jsonschema.Schema, any)) {
	items, _ := s.Items.(*jsonschema.Schema)
	tuple, _ := s.Items.([]*jsonschema.Schema)
	additional, _ := s.AdditionalItems.(*jsonschema.Schema)
	for i, value := range v {
		if i < len(tuple) {
			in(tuple[i], value)
		}
		if i < len(s.PrefixItems) {
			in(s.PrefixItems[i], value)
		}
		for _, sub := range []*jsonschema.Schema{items, additional, s.Items2020, s.Contains, s.UnevaluatedItems} {
			in(sub, value)
		}
	}
}
