package spec

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/sealmark/action/internal/rawjson"
)

// leaves adds the violations that a validation ended in. An anyOf that fails
// is one violation: which of its branches was meant can't be known.
func leaves(e *jsonschema.ValidationError, found []Violation) []Violation {
	v := Violation{Pointer: rawjson.Pointer(e.InstanceLocation)}
	switch k := e.ErrorKind.(type) {
	case *kind.AnyOf:
		v.Keyword, v.Text = "anyOf", "has none of the allowed shapes"
		return append(found, v)
	case *kind.Required:
		for _, name := range k.Missing {
			v.Keyword, v.Member, v.Text = "required", name, fmt.Sprintf("lacks the member %q", name)
			found = append(found, v)
		}
		return found
	case *kind.Type:
		v.Keyword, v.Text = "type", fmt.Sprintf("must be %s, is %s", strings.Join(k.Want, " or "), k.Got)
	case *kind.Enum:
		v.Keyword, v.Text = "enum", "must be one of "+list(k.Want)
	case *kind.Const:
		v.Keyword, v.Text = "const", "must be "+list([]any{k.Want})
	case *kind.PropertyNames:
		v.Keyword, v.Text = "propertyNames", "has a key that is no name, with or without a prefix"
	case *kind.Format:
		v.Keyword, v.Text = "format", "is no base64"
	case *kind.Minimum:
		v.Keyword, v.Text = "minimum", "is below "+k.Want.RatString()
	case *kind.Maximum:
		v.Keyword, v.Text = "maximum", "is above "+k.Want.RatString()
	default:
		for _, cause := range e.Causes {
			found = leaves(cause, found)
		}
		if len(e.Causes) > 0 {
			return found
		}
		v.Keyword, v.Text = keyword(e.ErrorKind), "has a wrong shape"
	}
	return append(found, v)
}

// isBase64 accepts the standard alphabet (RFC 4648, section 4), also without
// padding and with line breaks, and anything that is no string.
func isBase64(value any) error {
	text, ok := value.(string)
	if !ok {
		return nil
	}
	text = strings.TrimRight(text, "=\r\n")
	_, err := io.Copy(io.Discard, base64.NewDecoder(base64.RawStdEncoding, strings.NewReader(text)))
	return err
}

func keyword(k jsonschema.ErrorKind) string {
	path := k.KeywordPath()
	if len(path) == 0 {
		return "schema"
	}
	return path[0]
}

// list writes values of our own schemas.
func list(values []any) string {
	texts := make([]string, len(values))
	for i, value := range values {
		text, _ := json.Marshal(value)
		texts[i] = string(text)
	}
	return strings.Join(texts, ", ")
}

// finish sorts violations, drops repeats and bounds their number.
func (s *Schemas) finish(found []Violation) []Violation {
	slices.SortFunc(found, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Keyword, b.Keyword), cmp.Compare(a.Text, b.Text))
	})
	found = slices.Compact(found)
	if len(found) > MaxViolations {
		found = s.thin(found)
	}
	return found[:min(len(found), MaxViolations)]
}

// thin keeps three violations of each kind.
func (s *Schemas) thin(found []Violation) []Violation {
	const most = 3
	kinds := map[Violation]int{}
	return slices.DeleteFunc(found, func(v Violation) bool {
		v.Pointer = s.Place(v.Pointer)
		kinds[v]++
		return kinds[v] > most
	})
}

func typeName(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "number"
}
