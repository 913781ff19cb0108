package spec

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Violation is a place where a message departs from the shapes of a revision.
type Violation struct {
	// Pointer is the JSON pointer (RFC 6901) of the offending value within the
	// message; for a missing member that of the object that lacks it.
	Pointer string
	// Keyword is the JSON Schema keyword that the value breaks: "format" for text
	// that is no JSON and for a string that is no base64, "propertyNames" for
	// an object _meta with a wrong key.
	Keyword string
	// Text says in a few words what is wrong. It holds nothing that the server
	// wrote.
	Text string
	// Member is the missing member where Keyword is "required".
	Member string
}

// MaxViolations bounds the violations of one message. Of a message with more
// at most three are kept that differ in indexes and chosen names alone, so that
// a long list of one kind does not hide the others.
const MaxViolations = 20

// Message judges one message of a server. method is the method of the request
// that the message answers; it is "" for requests and notifications, and where
// the request is not known. The violations are sorted by pointer and keyword,
// at most MaxViolations; there are none for a message that keeps to the
// revision.
//
// An array is judged as a batch in 2025-03-26, the only revision with batches
// (Base protocol, Batching).
func (s *Schemas) Message(raw []byte, method string) []Violation {
	value, err := decode(raw)
	if err != nil {
		return []Violation{{Keyword: "format", Text: "is not JSON"}}
	}
	batch, ok := value.([]any)
	if !ok || s.revision != "2025-03-26" || len(batch) == 0 {
		return s.finish(s.judge(value, method))
	}
	var all []Violation
	for i, one := range batch {
		for _, v := range s.judge(one, "") {
			v.Pointer = "/" + strconv.Itoa(i) + v.Pointer
			all = append(all, v)
		}
	}
	return s.finish(all)
}

// judge judges the envelope first and then, within it, what the method sends.
func (s *Schemas) judge(value any, method string) []Violation {
	message, ok := value.(map[string]any)
	if !ok {
		return []Violation{{Keyword: "type", Text: "must be object, is " + typeName(value)}}
	}
	kind := kindOf(message)
	if kind == "" {
		return []Violation{{Keyword: "oneOf", Text: "has neither a method, nor a result, nor an error"}}
	}
	found := broken(s.shapes["envelope"][kind], value)
	if _, both := message["result"]; both && kind == "error" {
		found = append(found, Violation{Keyword: "oneOf", Text: "has both a result and an error"})
	}
	shapes := s.shapes[kind]
	if kind != "response" {
		method, _ = message["method"].(string)
	}
	if kind == "error" {
		return found
	}
	shape, ok := shapes[method]
	if !ok || method == "" {
		shape = shapes[""]
	}
	return append(found, broken(shape, value)...)
}

// kindOf names the kind of a message, "" for none. An object with a method is
// a request if it has an id, whatever the id is.
func kindOf(message map[string]any) string {
	has := func(name string) bool { _, ok := message[name]; return ok }
	switch {
	case has("method") && has("id"):
		return "request"
	case has("method"):
		return "notification"
	case has("error"):
		return "error"
	case has("result"):
		return "response"
	}
	return ""
}

func broken(shape *jsonschema.Schema, value any) []Violation {
	err := shape.Validate(value)
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return []Violation{{Keyword: "type", Text: "can't be judged"}}
	}
	return leaves(invalid, nil)
}

// decode decodes JSON for the validator.
func decode(raw []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("more text follows")
	}
	return bounded(value), nil
}

// bounded replaces numbers whose exact value would cost the validator much, or
// that it can't hold, by such that are alike in type and size.
func bounded(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			v[name] = bounded(member)
		}
	case []any:
		for i, item := range v {
			v[i] = bounded(item)
		}
	case json.Number:
		return boundedNumber(v)
	}
	return value
}

func boundedNumber(n json.Number) any {
	const short = 40
	f, _ := n.Float64()
	switch {
	case math.IsInf(f, 1):
		return json.Number("1e400")
	case math.IsInf(f, -1):
		return json.Number("-1e400")
	case f == 0 && nonzero(n):
		return json.Number("1e-400")
	case len(n) > short:
		return f
	}
	return n
}

// nonzero reports whether the mantissa of a number has a digit other than 0.
func nonzero(n json.Number) bool {
	mantissa, _, _ := strings.Cut(strings.ToLower(n.String()), "e")
	return strings.ContainsAny(mantissa, "123456789")
}
