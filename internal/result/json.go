package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

const (
	// MaxBytes bounds the size of a result document that Read takes.
	MaxBytes = 64 << 20
	// maxValues bounds how many objects, lists and members it holds, and so the
	// memory that it takes.
	maxValues = 1_000_000
)

// Marshal returns the result as indented JSON with a final newline.
func (r *Result) Marshal() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(r); err != nil {
		return nil, fmt.Errorf("encode the result: %w", err)
	}
	return b.Bytes(), nil
}

// Read reads a result. It refuses documents over MaxBytes, those of far
// more values than a run writes, and those of another major schema version. The content is not to be trusted: whoever
// renders it must escape it.
func Read(in io.Reader) (*Result, error) {
	data, err := io.ReadAll(io.LimitReader(in, MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read the result: %w", err)
	}
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("read the result: over %d MiB", MaxBytes>>20)
	}
	if n := values(data); n > maxValues {
		return nil, fmt.Errorf("read the result: %d values, over %d", n, maxValues)
	}
	var r Result
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("this is not a sealmark result: %w", err)
	}
	major, _, _ := strings.Cut(SchemaVersion, ".")
	if got, _, _ := strings.Cut(r.SchemaVersion, "."); got != major {
		return nil, fmt.Errorf("the result has schema version %q, this sealmark reads %s.x: use the version that wrote it", r.SchemaVersion, major)
	}
	return &r, nil
}

// values is the number of values in a JSON document, at most: brackets and
// commas outside of strings.
func values(data []byte) (n int) {
	quoted := false
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			quoted = !quoted
		case '{', '[', ',':
			if !quoted {
				n++
			}
		}
	}
	return n
}
