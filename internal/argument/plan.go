package argument

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/sealmark/action/internal/rawjson"
)

// Bounds of the candidates of one tool.
const (
	maxPlaces    = 600       // places that are looked at
	maxLevels    = 6         // names and indices on the way to one
	maxChoices   = 4         // alternatives taken on the way to one
	maxDrafts    = 6000      // candidates that are planned
	maxArguments = 256 << 10 // bytes of arguments
	maxWork      = 3_000_000 // visits of the validator and steps of generating
)

// Contract makes invalid arguments from the schema: for each place that it
// describes, nested ones included, one candidate per keyword, which differs
// from valid arguments in that place only. The validator has allowed the
// arguments without the fault and refused the candidate, for the keyword in
// question; what failed that is in Unsent. At most limit candidates are made,
// every place's most telling ones before any place's rare ones.
//
// A format is an annotation by default. Candidates for one are checked with
// every format asserted that the validator knows, and made only for formats
// whose violation nobody disputes.
//
// The result is the same for the same schema. At most 600 places, six levels
// deep, are looked at, and the work for a tool is bounded.
func (s *Schema) Contract(limit int) Candidates {
	made, _ := s.contract(limit)
	return made
}

// contract is Contract, with the drafts of the candidates in the same order.
func (s *Schema) contract(limit int) (Candidates, []draft) {
	c := &planner{schema: s, ids: map[string]bool{}, faults: map[string]bool{}, claimed: map[string]string{}}
	var made Candidates
	root := c.flat(s.root)
	base, err := s.base()
	if err != nil {
		made.BaseReason = err.Error()
		c.alone = properties(s.compiled)
		base = map[string]any{}
	} else {
		made.Base = rawjson.Encode(base)
	}
	c.bare = required(root)
	c.wholes(base)
	c.queue = []place{{base: base, has: true, schema: root, full: root}}
	c.walk()
	return made, c.choose(limit, &made)
}

// planner plans the candidates of one schema.
type planner struct {
	schema *Schema
	// alone has the schemas of the arguments if there is no base, else nil.
	alone map[string]*jsonschema.Schema
	// bare lists the required arguments.
	bare []string
	// strict is the schema with formats asserted, once it was needed.
	strict *jsonschema.Schema

	queue  []place
	drafts []draft
	unsent []Unsent
	places int
	work   int
	// ids and faults are those planned so far.
	ids, faults map[string]bool
	// claimed says which of the drafts with the same arguments is made.
	claimed map[string]string
}

var errWork = errors.New("the schema takes too much work")

// flat joins a subschema with what it refers to.
func (c *planner) flat(schema map[string]any) map[string]any {
	doc := &document{root: c.schema.root}
	flat := doc.flat(schema)
	c.work += doc.steps
	return flat
}

// tries makes values for a schema until one is taken.
func (c *planner) tries(schema map[string]any, take func(any) bool) bool {
	var seen []string
	overruns := 0
	for turn := range turns {
		for _, plain := range []bool{false, true} {
			if c.work > maxWork || overruns == maxOverruns {
				return false
			}
			g := generator{doc: &document{root: c.schema.root}, turn: turn, plain: plain}
			v, err := g.flat(g.doc.flat(schema), 0)
			c.work += g.doc.steps + 10
			if g.doc.spend(0) {
				overruns++
			}
			if err != nil {
				continue
			}
			text := string(rawjson.Encode(v))
			c.work += len(text) / 10
			if !slices.Contains(seen, text) {
				seen = append(seen, text)
				if take(v) {
					return true
				}
			}
		}
	}
	return false
}

// make makes the first value for a schema that has one.
func (c *planner) make(schema map[string]any) (made any, ok bool) {
	ok = c.tries(schema, func(v any) bool { made = v; return true })
	return made, ok
}

// allowed reports whether the schema allows arguments; without a base, whether
// that of the argument allows it.
func (c *planner) allowed(arguments any) bool {
	refused, err := c.evaluate(c.schema.compiled, arguments)
	return err == nil && refused == nil
}

// evaluate validates arguments, or the one argument there is when there is no
// base.
func (c *planner) evaluate(schema *jsonschema.Schema, arguments any) (*jsonschema.ValidationError, error) {
	if c.work > maxWork {
		return nil, errWork
	}
	value := arguments
	if members, ok := arguments.(map[string]any); ok && c.alone != nil {
		if len(members) != 1 {
			return nil, errors.New("no valid arguments could be made")
		}
		name := sorted(members)[0]
		if schema = c.alone[name]; schema == nil {
			return nil, errors.New("no valid arguments could be made")
		}
		value = members[name]
	}
	data := rawjson.Encode(value)
	if len(data) > maxArguments {
		return nil, fmt.Errorf("the arguments would be over %d KiB", maxArguments>>10)
	}
	refused, visits, err := evaluate(schema, data)
	c.work += visits + len(data)/100
	return refused, err
}

// properties returns the schemas of the arguments that are declared at the top
// or by what it refers to.
func properties(schema *jsonschema.Schema) map[string]*jsonschema.Schema {
	found := map[string]*jsonschema.Schema{}
	var walk func(s *jsonschema.Schema, depth int)
	walk = func(s *jsonschema.Schema, depth int) {
		if s == nil || depth > maxJoins {
			return
		}
		for name, p := range s.Properties {
			if found[name] == nil {
				found[name] = p
			}
		}
		walk(s.Ref, depth+1)
		for _, part := range s.AllOf {
			walk(part, depth+1)
		}
	}
	walk(schema, 0)
	return found
}

// walk looks at each place, nearest the top first.
func (c *planner) walk() {
	for len(c.queue) > 0 {
		p := c.queue[0]
		c.queue = c.queue[1:]
		if c.places >= maxPlaces || len(c.drafts) >= maxDrafts || c.work > maxWork {
			c.unsent = append(c.unsent, Unsent{ID: p.id, Reason: fmt.Sprintf("the schema describes too much: this place and %d more are not looked at", len(c.queue))})
			c.queue = nil
			return
		}
		c.look(p)
	}
}

func (c *planner) look(p place) {
	c.places++
	p.order = c.places
	if c.branches(p) {
		return
	}
	if !p.root() {
		c.wrongTypes(p)
		c.listed(p)
		c.numbers(p)
		c.texts(p)
	}
	c.lists(p)
	c.members(p)
	c.conditions(p)
	c.children(p)
}

// wholes plans what is no object at all.
func (c *planner) wholes(base any) {
	p := place{base: base, has: true}
	if !c.empty() {
		c.put(p, ArgumentsArray, "type", []any{"x"})
		c.put(p, ArgumentsString, "type", wrongText)
	}
	c.put(p, ArgumentsNull, "type", nil)
}

// empty reports whether the schema allows no arguments at all.
func (c *planner) empty() bool { return c.schema.Valid(json.RawMessage(`{}`)) == nil }
