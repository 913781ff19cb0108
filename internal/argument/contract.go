package argument

import "encoding/json"

// CorpusVersion is the version of the corpus of malformed arguments: of what
// Contract makes from a given schema. It changes with the set, the order or
// the values of the candidates.
const CorpusVersion = "1"

// Shape names what a candidate breaks.
type Shape string

// The shapes. At the items of an array, the wrong type is ItemType.
const (
	BooleanAsInteger  Shape = "boolean-as-integer"
	StringCoerced     Shape = "string-coerced"   // "2" for 2, "true" for true
	FloatAsInteger    Shape = "float-as-integer" // 2.5, never 2.0
	NullAccepted      Shape = "null"
	RequiredIgnored   Shape = "required-missing"
	EnumIgnored       Shape = "enum" // const too
	BelowMinimum      Shape = "below-minimum"
	AboveMaximum      Shape = "above-maximum"
	AtExclusiveMin    Shape = "at-exclusive-minimum"
	AtExclusiveMax    Shape = "at-exclusive-maximum"
	NotMultiple       Shape = "not-multiple"
	TooShort          Shape = "too-short"
	TooLong           Shape = "too-long"
	Pattern           Shape = "pattern"
	Format            Shape = "format"
	TooFewItems       Shape = "too-few-items"
	TooManyItems      Shape = "too-many-items"
	DuplicateItems    Shape = "duplicate-items"
	ItemType          Shape = "item-type"
	Contains          Shape = "contains"
	ExtraField        Shape = "extra-field"
	NestedExtra       Shape = "nested-extra-field"
	TooFewProperties  Shape = "too-few-properties"
	TooManyProperties Shape = "too-many-properties"
	PropertyName      Shape = "property-name"
	Combinator        Shape = "combinator" // anyOf, oneOf, not, then, else, dependent…, patternProperties
	WrongType         Shape = "wrong-type"
	ArgumentsArray    Shape = "arguments-array"
	ArgumentsString   Shape = "arguments-string"
	ArgumentsNull     Shape = "arguments-null"
)

// Candidate is a set of arguments that the schema refuses because of one
// place.
type Candidate struct {
	// ID is unique within the tool and stable while the schema is: the names
	// and indices on the way to the place, and the shape, as in
	// order/items/0/sku/too-long. Of the top level it is /extra-field. Where
	// several alternatives are open, the way names the one taken (anyOf:1),
	// and a second candidate of a shape says what sets it apart
	// (below-minimum:zero). A name of over 64 bytes is cut and ends with a
	// digest.
	ID    string
	Shape Shape
	// Keyword is the keyword of JSON Schema that refuses it.
	Keyword string
	// Pointer is the place (RFC 6901) that differs from valid arguments; ""
	// for the arguments as a whole. It is the place that was removed where
	// Value is nil.
	Pointer   string
	Arguments json.RawMessage
	// Value is what was put there, nil where the place was removed.
	Value json.RawMessage
	// Limit is the nearest number that the bounds allow, which a server that
	// clamps would take; the bound itself where fractions may follow an
	// exclusive one. Nil for what is no bound of a number.
	Limit json.RawMessage
	// Near says that the call would be a valid one, or run like one, if the
	// fault were ignored, stripped, coerced or clamped. It is false only where
	// a required argument is missing besides, and for no arguments at all
	// where some are required.
	Near bool
	// Alone says that no valid arguments could be made: only the invalid one
	// is there, and its own schema refuses it.
	Alone bool
}

// Unsent says why a candidate that was planned is none. The ID is that of the
// candidate, or of the place for what concerns all below it.
type Unsent struct {
	ID     string
	Shape  Shape
	Reason string
}

// Candidates are what Contract makes for a tool.
type Candidates struct {
	// Base are valid arguments with the required ones only, nil if none could
	// be made. A candidate for an optional argument differs in one place from
	// these with that argument added.
	Base json.RawMessage
	// BaseReason says why there is no Base.
	BaseReason string
	// List has the most telling candidates of each place first.
	List   []Candidate
	Unsent []Unsent
	// Truncated counts the candidates that were planned beyond the limit. They
	// have not been checked with the validator.
	Truncated int
}
