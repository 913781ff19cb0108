package sarif

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/sealmark/action/internal/result"
)

// Options are how a document is written.
type Options struct {
	// Category is the code-scanning category; that of the server's key if it
	// is empty, see [Category].
	Category string
	// Indent writes the document on many lines.
	Indent bool
	// OmitAccepted leaves out the findings that the maintainers accepted. Else
	// they are marked as suppressed, which code scanning does not look at: so
	// an upload leaves them out.
	OmitAccepted bool
	// Root is the folder of the checkout, "" if there is none. Places are then
	// files in it, with symbolic links resolved, since code scanning shows no
	// others.
	Root string
}

// size bounds a document: how many results it holds, and the bytes of each
// text of evidence.
type size struct{ results, evidence int }

// sizes are tried in turn until the compressed document is small enough.
var sizes = []size{{5000, 1000}, {5000, 100}, {5000, 0}, {1000, 0}}

// Convert reads the JSON form of a result and writes it as SARIF. Nothing is
// written on an error, which says why the input is no usable result, or that
// code scanning would refuse the document; the latter is a fault of this
// package.
func Convert(in io.Reader, out io.Writer, o Options) error {
	r, err := result.Read(in)
	if err != nil {
		return err
	}
	c, err := newConverter(r, o)
	if err != nil {
		return fmt.Errorf("this result can't be written as SARIF: %w", err)
	}
	var data []byte
	for _, s := range sizes {
		if data, err = encode(c.report(s), o.Indent); err != nil {
			return fmt.Errorf("encode SARIF: %w", err)
		}
		if zipped(data) <= limitZipped {
			break
		}
	}
	if faults := Validate(data); len(faults) > 0 {
		return fmt.Errorf("code scanning would refuse the SARIF document: %w", errors.Join(faults...))
	}
	if _, err := out.Write(data); err != nil {
		return fmt.Errorf("write SARIF: %w", err)
	}
	return nil
}

func encode(v any, indent bool) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if indent {
		enc.SetIndent("", "  ")
	}
	err := enc.Encode(v)
	return b.Bytes(), err
}
