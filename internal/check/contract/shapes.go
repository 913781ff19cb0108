package contract

import (
	"github.com/sealmark/action/internal/argument"
)

// shape says which rule an accepted candidate of a shape breaks, and how a
// message words it. %s stands for the arguments.
type shape struct {
	id   argument.Shape
	rule string
	text string
}

// shapes lists the shapes in the order of the matrix.
var shapes = []shape{
	{argument.RequiredIgnored, "contract.required-ignored", "runs although something that is required is missing: %s"},
	{argument.WrongType, "contract.type-ignored", "accepts a value of another type: %s"},
	{argument.BooleanAsInteger, "contract.boolean-as-integer", "accepts a boolean for a number: %s"},
	{argument.StringCoerced, "contract.string-coerced", "accepts a text for a value of another type: %s"},
	{argument.FloatAsInteger, "contract.float-as-integer", "accepts a fraction for an integer: %s"},
	{argument.NullAccepted, "contract.null-accepted", "accepts null where its schema does not allow it: %s"},
	{argument.EnumIgnored, "contract.enum-ignored", "accepts a value that is not among those its schema lists: %s"},
	{argument.BelowMinimum, "contract.bounds-ignored", outOfRange},
	{argument.AboveMaximum, "contract.bounds-ignored", outOfRange},
	{argument.AtExclusiveMin, "contract.bounds-ignored", outOfRange},
	{argument.AtExclusiveMax, "contract.bounds-ignored", outOfRange},
	{argument.NotMultiple, "contract.bounds-ignored", outOfRange},
	{argument.TooShort, "contract.length-ignored", "accepts a text that is too short or too long: %s"},
	{argument.TooLong, "contract.length-ignored", "accepts a text that is too short or too long: %s"},
	{argument.Pattern, "contract.pattern-ignored", "accepts a text that the pattern of its schema refuses: %s"},
	{argument.Format, "contract.format-ignored", "accepts a text that is not of the declared format: %s"},
	{argument.TooFewItems, "contract.items-ignored", badItems},
	{argument.TooManyItems, "contract.items-ignored", badItems},
	{argument.DuplicateItems, "contract.items-ignored", badItems},
	{argument.ItemType, "contract.items-ignored", badItems},
	{argument.Contains, "contract.items-ignored", badItems},
	{argument.TooFewProperties, "contract.properties-ignored", badProperties},
	{argument.TooManyProperties, "contract.properties-ignored", badProperties},
	{argument.PropertyName, "contract.properties-ignored", badProperties},
	{argument.Combinator, "contract.combinator-ignored", "accepts what a combination of schemas refuses: %s"},
	{argument.ExtraField, "contract.extra-field-accepted", "an argument that the schema excludes"},
	{argument.NestedExtra, "contract.nested-extra-accepted", "a member that the schema of a nested object excludes"},
	{argument.ArgumentsArray, "contract.arguments-type", notAnObject},
	{argument.ArgumentsString, "contract.arguments-type", notAnObject},
	{argument.ArgumentsNull, "contract.arguments-type", notAnObject},
}

const (
	outOfRange    = "accepts a number that its schema excludes: %s"
	badItems      = "accepts a list that its schema refuses: %s"
	badProperties = "accepts an object whose members its schema refuses: %s"
	notAnObject   = "accepts arguments that are no object: %s"
	clampedText   = "changes a number out of range to the limit and reports success: %s"
	partialText   = "rejects its arguments and shows output all the same: %s"
)

// named finds a shape by its id. One that this table lacks is a combinator.
func named(id argument.Shape) shape {
	for _, s := range shapes {
		if s.id == id {
			return s
		}
	}
	return shape{id, "contract.combinator-ignored", "accepts what its schema refuses: %s"}
}

// onceForServer reports whether a rule has one finding for the whole server,
// since one setting of a framework decides for all tools.
func onceForServer(ruleID string) bool {
	return ruleID == "contract.extra-field-accepted" || ruleID == "contract.nested-extra-accepted"
}
