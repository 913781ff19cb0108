package argument

import (
	"errors"
	"strings"
)

// ours begin the reasons for which a schema can't be used here, though it may
// be a good one: our bounds, what lies outside of it, and an unknown dialect.
var ours = []string{"it is over ", "it is nested deeper ", "it has more than ", "it has a number that is too large ", "its dialect ", "it refers to "}

// Faulty reports whether an error of Compile says that the schema itself is
// wrong, so that nobody can use it.
func Faulty(err error) bool {
	var e *CompileError
	if !errors.As(err, &e) || e.Reason == "it is not a valid schema" {
		return false
	}
	for _, start := range ours {
		if strings.HasPrefix(e.Reason, start) {
			return false
		}
	}
	return true
}
