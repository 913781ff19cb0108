package redact

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// JSON removes the secrets from a JSON value and leaves all else as it is. A
// value without one comes back unchanged. Its error means that raw is no JSON,
// or that a secret stands in it in a way that can't be removed without breaking
// the value.
func (r *Redactor) JSON(raw json.RawMessage) (json.RawMessage, error) {
	if r == nil || len(r.names) == 0 || len(r.find(raw, len(r.names))) == 0 {
		return raw, nil
	}
	cleaned, err := r.strings(raw)
	if err != nil {
		return nil, err
	}
	if len(r.find(cleaned, len(r.names))) > 0 {
		return nil, errors.New("a secret can't be removed from what the server said without breaking it")
	}
	return cleaned, nil
}

// strings writes a value anew, with the secrets removed from its strings, names
// and numbers.
func (r *Redactor) strings(raw json.RawMessage) (json.RawMessage, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var b bytes.Buffer
	type level struct {
		object bool
		n      int
	}
	var stack []level
	for {
		token, err := dec.Token()
		if err == io.EOF && len(stack) == 0 {
			return b.Bytes(), nil
		}
		if err != nil {
			return nil, err
		}
		if d, ok := token.(json.Delim); ok && (d == '}' || d == ']') {
			b.WriteRune(rune(d))
			stack = stack[:len(stack)-1]
			continue
		}
		if len(stack) > 0 {
			top := &stack[len(stack)-1]
			switch {
			case top.object && top.n%2 == 1:
				b.WriteByte(':')
			case top.n > 0:
				b.WriteByte(',')
			}
			top.n++
		}
		switch t := token.(type) {
		case json.Delim:
			b.WriteRune(rune(t))
			stack = append(stack, level{object: t == '{'})
		case string:
			err = r.value(&b, t, t)
		case json.Number:
			err = r.value(&b, t, t.String())
		default:
			err = r.value(&b, t, "")
		}
		if err != nil {
			return nil, err
		}
	}
}

// value writes a value, or its text without secrets if it has some.
func (r *Redactor) value(b *bytes.Buffer, v any, text string) error {
	if len(r.find([]byte(text), len(r.names))) > 0 {
		v = r.Text(text, len(text)+len(text)*maxEncoded)
	}
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1)
	return nil
}
