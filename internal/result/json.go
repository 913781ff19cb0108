package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// MaxBytes bounds the size of a result document that Read takes.
const MaxBytes = 64 << 20

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

// Read reads a result. It refuses documents over MaxBytes and those of
// another major schema version. The content is not to be trusted: whoever
// renders it must escape it.
func Read(in io.Reader) (*Result, error) {
	data, err := io.ReadAll(io.LimitReader(in, MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read the result: %w", err)
	}
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("read the result: over %d MiB", MaxBytes>>20)
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
