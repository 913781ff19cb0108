package argument

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/sealmark/action/internal/rawjson"
)

// prove returns the arguments of a draft if the validator refuses them, for
// the keyword in question, else why not.
func (c *planner) prove(d draft) (json.RawMessage, string) {
	arguments := d.arguments()
	schema := c.schema.compiled
	if d.shape == Format {
		if schema = c.asserting(); schema == nil {
			return nil, "the schema can't be compiled with formats asserted"
		}
		if refused, err := c.evaluate(schema, d.base); c.alone == nil && (err != nil || refused != nil) {
			return nil, "the valid arguments break a format"
		}
	}
	refused, err := c.evaluate(schema, arguments)
	switch {
	case err != nil:
		return nil, err.Error()
	case refused == nil:
		return nil, "the schema allows it"
	case !c.blames(refused, d):
		return nil, "the schema refuses it, but not by " + d.keyword
	}
	return rawjson.Encode(arguments), ""
}

// asserting returns the schema with formats asserted. Without a base, evaluate
// looks at the argument's own schema, so that c.alone changes too.
func (c *planner) asserting() *jsonschema.Schema {
	if c.strict == nil {
		compiled, err := compile(c.schema.root, true)
		if err != nil {
			return nil
		}
		c.strict = compiled
	}
	return c.strict
}

// blames reports whether one of the reasons for a refusal is the keyword of
// the draft, at its place or the object or array around it.
func (c *planner) blames(refused *jsonschema.ValidationError, d draft) bool {
	path := d.path
	if c.alone != nil && len(path) > 0 {
		path = path[1:]
	}
	last := ""
	if len(path) > 0 {
		last = path[len(path)-1]
	}
	var found func(e *jsonschema.ValidationError, branch bool) bool
	found = func(e *jsonschema.ValidationError, branch bool) bool {
		branch = branch || strings.Contains(e.SchemaURL+"/", d.branch)
		// The validator's location of a wrong name is not to be relied on.
		if name, ok := e.ErrorKind.(*kind.PropertyNames); ok && branch && d.keyword == "propertyNames" && name.Property == last {
			return true
		}
		if branch && around(e.InstanceLocation, path) && (d.branch != "" || names(e.ErrorKind, d.keyword)) {
			return true
		}
		return slices.ContainsFunc(e.Causes, func(e *jsonschema.ValidationError) bool { return found(e, branch) })
	}
	return found(refused, d.branch == "")
}

// around reports whether a location is a place or what holds it.
func around(location, path []string) bool {
	return slices.Equal(location, path) || len(path) > 0 && slices.Equal(location, path[:len(path)-1])
}

// names reports whether an error is one of a keyword.
func names(e jsonschema.ErrorKind, keyword string) bool {
	switch e.(type) {
	case *kind.PropertyNames:
		return false
	case *kind.Not:
		return keyword == "not"
	case *kind.FalseSchema:
		return keyword == "additionalProperties" || keyword == "unevaluatedProperties"
	case *kind.Dependency:
		return keyword == "dependencies"
	}
	if e == nil {
		return false
	}
	path := e.KeywordPath()
	return len(path) > 0 && path[0] == keyword
}
