package argument

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/rawjson"
)

// wrongTypes plans values of other types than the declared ones, among them
// such as a lenient reader would convert.
func (c *planner) wrongTypes(p place) {
	if p.required && p.has {
		c.add(p, draft{id: p.id + "/" + string(RequiredIgnored), shape: RequiredIgnored, keyword: "required", base: p.base, path: p.path, removed: true})
	}
	declared := types(p.schema)
	if len(declared) == 0 || slices.Contains(p.also, anyType) {
		return
	}
	may := func(v any) bool { return !breaks(p.schema, slices.Concat(declared, p.also), v) }
	propose := func(shape Shape, v any) {
		if !may(v) {
			c.put(p, shape, "type", v)
		}
	}
	has := func(t string) bool { return slices.Contains(declared, t) }
	if has("integer") || has("number") {
		if has("integer") && !may(json.Number("0.5")) {
			propose(BooleanAsInteger, true)
		}
		propose(StringCoerced, numeral(p, has("integer")))
		if v, ok := fraction(p); ok && has("integer") {
			propose(FloatAsInteger, v)
		}
	} else if has("boolean") {
		propose(StringCoerced, "true")
	}
	for _, v := range otherTypes(declared) {
		if !may(v) {
			c.put(p, WrongType, "type", v)
			break
		}
	}
	propose(NullAccepted, nil)
}

// otherTypes lists values for a wrong type, the likeliest mistake first.
func otherTypes(declared []string) []any {
	first := declared[0]
	if first == "null" && len(declared) > 1 {
		first = declared[1]
	}
	switch first {
	case "array":
		return slices.Concat([]any{wrongValues[4]}, wrongValues)
	case "object", "integer":
		return slices.Concat([]any{wrongValues[3]}, wrongValues)
	case "number":
		return slices.Concat([]any{true}, wrongValues)
	case "boolean":
		return slices.Concat([]any{1}, wrongValues)
	}
	return wrongValues
}

// numeral writes a number that is allowed at the place as a text.
func numeral(p place, whole bool) string {
	v := p.value()
	if rat(v) == nil {
		made, err := number(p.schema, whole)
		if err != nil {
			made = 2
		}
		v = made
	}
	return strings.TrimSpace(string(rawjson.Encode(v)))
}

// fraction makes a number that is not whole, within the bounds.
func fraction(p place) (any, bool) {
	low, _ := boundary(p.schema, "minimum", "exclusiveMinimum", 1)
	high, _ := boundary(p.schema, "maximum", "exclusiveMaximum", -1)
	base := rat(p.value())
	if base == nil || !base.IsInt() {
		made, err := number(p.schema, true)
		if err != nil {
			return nil, false
		}
		base = rat(made)
	}
	if base == nil || !exact(base) {
		return nil, false
	}
	half := big.NewRat(1, 2)
	up, down := new(big.Rat).Add(base, half), new(big.Rat).Sub(base, half)
	switch {
	case high == nil || up.Cmp(high) < 0:
		return plainNumber(up), true
	case low == nil || down.Cmp(low) > 0:
		return plainNumber(down), true
	}
	return plainNumber(up), true
}

// exact reports whether a number and its halves are kept by every JSON
// implementation, many of which have doubles only.
func exact(x *big.Rat) bool {
	return new(big.Rat).Abs(x).Cmp(new(big.Rat).SetInt64(1<<52)) < 0
}

// listed plans a value that is not in the enum, or not the const.
func (c *planner) listed(p place) {
	keyword := "const"
	list := []any{p.schema["const"]}
	if _, ok := p.schema["const"]; !ok {
		keyword = "enum"
		if list, ok = p.schema["enum"].([]any); !ok || len(list) == 0 {
			return
		}
	}
	var drafts []draft
	for _, v := range unlisted(list) {
		if !inEnum(p.schema, v) && fits(v, p.schema) {
			drafts = append(drafts, c.replaced(p, EnumIgnored, keyword, v))
		}
	}
	c.first(p, drafts)
}

// unlisted makes values of the types of a list that are not in it.
func unlisted(list []any) []any {
	var values []any
	var highest *big.Rat
	for _, v := range list {
		switch v := v.(type) {
		case string:
			values = append(values, wrongText, v+"x")
		case bool:
			values = append(values, !v)
		case map[string]any:
			values = append(values, wrongValues[4])
		case []any:
			values = append(values, wrongValues[3])
		}
		if r := rat(v); r != nil && (highest == nil || r.Cmp(highest) > 0) {
			highest = r
		}
		if len(values) > 10 {
			break
		}
	}
	if highest != nil {
		values = append(values, plainNumber(floor(new(big.Rat).Add(highest, big.NewRat(1, 1)))))
	}
	return values
}
