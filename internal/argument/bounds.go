package argument

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// bounds are what a JSON document may have.
type bounds struct {
	depth, objects int
	seen           int // objects so far
	nodes          int // values so far
}

// exceeded returns in what a document exceeds the bounds, "" if it does not.
func (b *bounds) exceeded(v any, depth int) string {
	if depth > b.depth {
		return fmt.Sprintf("it is nested deeper than %d levels", b.depth)
	}
	b.nodes++
	switch v := v.(type) {
	case json.Number:
		return hugeNumber(v)
	case map[string]any:
		if b.seen++; b.seen > b.objects {
			return fmt.Sprintf("it has more than %d objects", b.objects)
		}
		for _, child := range v {
			if r := b.exceeded(child, depth+1); r != "" {
				return r
			}
		}
	case []any:
		for _, child := range v {
			if r := b.exceeded(child, depth+1); r != "" {
				return r
			}
		}
	}
	return ""
}

// hugeNumber says so of a number that takes much memory when it is computed
// with.
func hugeNumber(n json.Number) string {
	const digits, exponent = 400, 400
	const reason = "it has a number that is too large to compute with"
	if len(n) > digits {
		return reason
	}
	i := strings.IndexAny(string(n), "eE")
	if i < 0 {
		return ""
	}
	if e, err := strconv.Atoi(string(n[i+1:])); err != nil || e > exponent || e < -exponent {
		return reason
	}
	return ""
}
