package argument

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
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
		made.Base = encode(base)
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

// draft is a candidate that has yet to be checked.
type draft struct {
	id      string
	shape   Shape
	keyword string
	base    any
	path    []string
	value   any
	removed bool
	limit   any
	// branch is what the address of the keyword that refuses it contains, for
	// a keyword below another one.
	branch string

	class, index, order int
}

func (d draft) arguments() any {
	if d.removed {
		return without(d.base, d.path)
	}
	return with(d.base, d.path, d.value)
}

var errWork = errors.New("the schema takes too much work")

// flat joins a subschema with what it refers to.
func (c *planner) flat(schema map[string]any) map[string]any {
	doc := &document{root: c.schema.root}
	flat := doc.flat(schema)
	c.work += doc.steps
	return flat
}

// child returns a place below one, with what a schema says of it.
func (c *planner) child(p place, token string, schema map[string]any) place {
	q := p.child(token)
	q.schema = c.flat(schema)
	q.full = q.schema
	eachDirectRef(schema, func(ref string) { q.refs = append(slices.Clone(q.refs), ref) })
	return q
}

// eachDirectRef visits the references of a subschema and of its alternatives.
func eachDirectRef(schema map[string]any, visit func(string)) {
	if ref, ok := schema["$ref"].(string); ok {
		visit(ref)
	}
	for _, word := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := schema[word].([]any)
		for _, sub := range list {
			if ref, ok := object(sub)["$ref"].(string); ok {
				visit(ref)
			}
		}
	}
}

// tries makes values for a schema until one is taken.
func (c *planner) tries(schema map[string]any, take func(any) bool) bool {
	var seen []string
	for turn := range turns {
		for _, plain := range []bool{false, true} {
			if c.work > maxWork {
				return false
			}
			g := generator{doc: &document{root: c.schema.root}, turn: turn, plain: plain}
			v, err := g.flat(g.doc.flat(schema), 0)
			c.work += g.doc.steps + 10
			if err != nil {
				continue
			}
			text := string(encode(v))
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
	data := encode(value)
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

// add plans a candidate and returns its ID, "" if there are too many.
func (c *planner) add(p place, d draft) string {
	if len(c.drafts) >= maxDrafts {
		return ""
	}
	d = c.name(p, d)
	c.drafts = append(c.drafts, d)
	return d.id
}

// name gives a candidate its ID and rank.
func (c *planner) name(p place, d draft) draft {
	d.id = c.unique(d.id)
	d.order = p.order
	d.class = max(d.class, class(d, p))
	fault := fmt.Sprintf("%s %s %s %s", pointer(d.path), d.shape, d.keyword, encode(d.value))
	if len(fault) < maxArguments {
		if c.faults[fault] {
			d.class = rare
		}
		c.faults[fault] = true
	}
	for i := len(c.drafts) - 1; i >= 0 && c.drafts[i].order == d.order; i-- {
		if c.drafts[i].class == d.class {
			d.index = c.drafts[i].index + 1
			break
		}
	}
	return d
}

func (c *planner) unique(id string) string {
	name := id
	for i := 2; c.ids[name]; i++ {
		name = fmt.Sprintf("%s:%d", id, i)
	}
	c.ids[name] = true
	return name
}

// put plans a candidate with another value at the place.
func (c *planner) put(p place, shape Shape, keyword string, value any) {
	c.add(p, c.replaced(p, shape, keyword, value))
}

func (c *planner) replaced(p place, shape Shape, keyword string, value any) draft {
	if p.item && shape == WrongType {
		shape = ItemType
	}
	return draft{id: p.id + "/" + string(shape), shape: shape, keyword: keyword, base: p.base, path: p.path, value: value}
}

// first plans the first of several drafts that the validator bears out.
func (c *planner) first(p place, drafts []draft) {
	for _, d := range drafts {
		if _, reason := c.prove(d); reason == "" {
			c.add(p, d)
			return
		}
	}
	if len(drafts) > 0 {
		c.refuse(drafts[0].id, drafts[0].shape, "no value was found that breaks "+drafts[0].keyword+" only")
	}
}

// refuse records what can't be planned.
func (c *planner) refuse(id string, shape Shape, reason string) {
	c.unsent = append(c.unsent, Unsent{ID: id, Shape: shape, Reason: reason})
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

// choose checks the drafts in the order of their rank, up to the limit.
func (c *planner) choose(limit int, made *Candidates) (chosen []draft) {
	slices.SortStableFunc(c.drafts, func(a, b draft) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.index, b.index), cmp.Compare(a.order, b.order))
	})
	seen := map[string]bool{}
	empty := c.empty()
	c.work = 0
	for i, d := range c.drafts {
		if len(made.List) >= max(limit, 0) {
			made.Truncated = len(c.drafts) - i
			break
		}
		data, reason := c.prove(d)
		if reason != "" {
			c.refuse(d.id, d.shape, reason)
			continue
		}
		if owner := c.claimed[string(data)]; seen[string(data)] || owner != "" && owner != d.id {
			continue
		}
		seen[string(data)] = true
		candidate := Candidate{
			ID: d.id, Shape: d.shape, Keyword: d.keyword, Pointer: pointer(d.path),
			Arguments: data, Near: c.near(d, empty), Alone: c.alone != nil,
		}
		if !d.removed {
			candidate.Value = encode(d.value)
		}
		if d.limit != nil {
			candidate.Limit = encode(d.limit)
		}
		made.List = append(made.List, candidate)
		chosen = append(chosen, d)
	}
	made.Unsent = c.unsent
	return chosen
}

// near reports whether the call might run if the fault were overlooked.
func (c *planner) near(d draft, empty bool) bool {
	if strings.HasPrefix(string(d.shape), "arguments-") {
		return empty
	}
	members, _ := d.arguments().(map[string]any)
	if c.alone == nil {
		return empty || len(members) > 0
	}
	return !slices.ContainsFunc(c.bare, func(name string) bool {
		_, ok := members[name]
		return !ok
	})
}
