package argument

// Classes of candidates: a place's telling ones come before any place's
// ordinary ones.
const (
	telling = iota
	ordinary
	rare
)

// class says how telling a candidate is: how often servers fall for it, and
// how much it says when they do.
func class(d draft, p place) int {
	if p.again() > 0 || p.item && d.shape != ItemType && d.shape != NestedExtra && d.shape != Combinator {
		return rare
	}
	switch d.shape {
	case BooleanAsInteger, StringCoerced, RequiredIgnored, EnumIgnored, BelowMinimum, AboveMaximum,
		AtExclusiveMin, AtExclusiveMax, ExtraField, ArgumentsArray, ArgumentsString:
		return telling
	case WrongType:
		if types(p.schema) == nil || telltale(p) {
			return rare
		}
		return telling
	case FloatAsInteger, NullAccepted, TooShort, TooLong, Pattern, TooFewItems, TooManyItems, ItemType,
		NotMultiple, NestedExtra, Combinator, Contains, ArgumentsNull:
		return ordinary
	}
	return rare
}

// telltale reports whether a place has more telling faults than a wrong type.
func telltale(p place) bool {
	for _, t := range types(p.schema) {
		if t == "integer" || t == "number" || t == "boolean" {
			return true
		}
	}
	return p.schema["enum"] != nil || p.schema["const"] != nil
}
