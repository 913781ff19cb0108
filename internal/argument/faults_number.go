package argument

import (
	"fmt"
	"math/big"
	"slices"
)

// numbers plans numbers beyond the bounds, and such that are no multiple.
func (c *planner) numbers(p place) {
	declared := types(p.schema)
	if fixed(p.schema) || len(declared) > 0 && !slices.Contains(declared, "integer") && !slices.Contains(declared, "number") {
		return
	}
	whole := slices.Contains(declared, "integer") && !slices.Contains(declared, "number")
	unit := big.NewRat(1, 1)
	if step := rat(p.schema["multipleOf"]); step != nil && step.Sign() > 0 && (!whole || step.IsInt()) {
		unit = step
		c.multiples(p, step, whole)
	}
	c.bound(p, unit, whole, 1)
	c.bound(p, unit, whole, -1)
}

// fixed reports whether the values of a schema are listed, so that bounds say
// nothing more.
func fixed(schema map[string]any) bool {
	_, ok := schema["const"]
	return ok || schema["enum"] != nil
}

// bound plans what is beyond a bound: the minimum if the sign is 1, the
// maximum if it is -1.
func (c *planner) bound(p place, unit *big.Rat, whole bool, sign int) {
	inclusive, exclusive, beyond, on := "minimum", "exclusiveMinimum", BelowMinimum, AtExclusiveMin
	if sign < 0 {
		inclusive, exclusive, beyond, on = "maximum", "exclusiveMaximum", AboveMaximum, AtExclusiveMax
	}
	edge, open := boundary(p.schema, inclusive, exclusive, sign)
	if edge == nil {
		return
	}
	keyword := inclusive
	if open {
		keyword = exclusive
	}
	if !exact(edge) {
		c.refuse(p.id+"/"+string(beyond), beyond, "the bound is beyond the numbers that every JSON implementation keeps")
		return
	}
	class := telling
	if new(big.Rat).Abs(edge).Cmp(new(big.Rat).SetInt64(1<<30)) > 0 {
		class = rare
	}
	step := new(big.Rat).Mul(unit, big.NewRat(int64(sign), 1))
	limit := nearest(edge, unit, sign, whole && open, whole)
	plan := func(shape Shape, detail string, x *big.Rat, class int) {
		d := c.replaced(p, shape, keyword, plainNumber(x))
		d.id += detail
		d.limit = plainNumber(limit)
		d.class = class
		c.add(p, d)
	}
	if open && (!whole || edge.IsInt()) {
		plan(on, "", edge, class)
		class = ordinary
	}
	// The last multiple beyond the bound.
	out := new(big.Rat).Mul(towards(new(big.Rat).Quo(edge, unit), sign), unit)
	if out.Cmp(edge) == 0 {
		out.Sub(out, step)
	}
	plan(beyond, "", out, class)
	zero := new(big.Rat)
	if sign > 0 && out.Cmp(zero) > 0 {
		plan(beyond, ":zero", zero, rare)
	}
	if sign > 0 && out.Cmp(zero) >= 0 {
		plan(beyond, ":negative", new(big.Rat).Neg(unit), ordinary)
	}
}

// towards rounds down for a minimum and up for a maximum.
func towards(x *big.Rat, sign int) *big.Rat {
	if sign > 0 {
		return floor(x)
	}
	up := floor(new(big.Rat).Neg(x))
	return up.Neg(up)
}

// nearest returns the first number that a bound allows, the bound itself where
// there is none.
func nearest(edge, unit *big.Rat, sign int, open, whole bool) *big.Rat {
	if !whole {
		return edge
	}
	inner := new(big.Rat).Mul(towards(new(big.Rat).Quo(edge, unit), -sign), unit)
	if open && inner.Cmp(edge) == 0 {
		inner.Add(inner, new(big.Rat).Mul(unit, big.NewRat(int64(sign), 1)))
	}
	return inner
}

// multiples plans a number between two multiples.
func (c *planner) multiples(p place, step *big.Rat, whole bool) {
	base := rat(p.value())
	if base == nil {
		made, err := number(p.schema, whole)
		if err != nil {
			c.refuse(p.id+"/"+string(NotMultiple), NotMultiple, fmt.Sprintf("no multiple was found: %v", err))
			return
		}
		base = rat(made)
	}
	var drafts []draft
	for _, part := range []*big.Rat{big.NewRat(1, 1), new(big.Rat).Mul(step, big.NewRat(1, 2))} {
		for _, x := range []*big.Rat{new(big.Rat).Add(base, part), new(big.Rat).Sub(base, part)} {
			if within(p.schema, x) && (!whole || x.IsInt()) && !new(big.Rat).Quo(x, step).IsInt() {
				drafts = append(drafts, c.replaced(p, NotMultiple, "multipleOf", plainNumber(x)))
			}
		}
	}
	if len(drafts) == 0 {
		if !whole || step.Cmp(big.NewRat(1, 1)) > 0 {
			c.refuse(p.id+"/"+string(NotMultiple), NotMultiple, "no number between two multiples is within the bounds")
		}
		return
	}
	c.first(p, drafts)
}

// within reports whether a number is within the bounds.
func within(schema map[string]any, x *big.Rat) bool {
	low, lowOpen := boundary(schema, "minimum", "exclusiveMinimum", 1)
	high, highOpen := boundary(schema, "maximum", "exclusiveMaximum", -1)
	return (low == nil || x.Cmp(low) > 0 || !lowOpen && x.Cmp(low) == 0) &&
		(high == nil || x.Cmp(high) < 0 || !highOpen && x.Cmp(high) == 0)
}
