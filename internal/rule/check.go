package rule

// Verdict is what a check ends in: exactly one per check and run.
type Verdict string

// The verdicts. Error is Sealmark's own fault, never the server's.
const (
	Pass          Verdict = "pass"
	Partial       Verdict = "partial"
	Fail          Verdict = "fail"
	NotApplicable Verdict = "n/a"
	Unverified    Verdict = "unverified"
	Errored       Verdict = "error"
)

// Points is what the verdict earns of one possible point. ok is false for
// verdicts that leave the ratio.
func (v Verdict) Points() (points float64, ok bool) {
	switch v {
	case Pass:
		return 1, true
	case Partial:
		return 0.5, true
	case Fail:
		return 0, true
	}
	return 0, false
}

// Weight says how a check's verdict acts on the score.
type Weight string

// The weights. A failed Gate check makes the run "not assessed".
const (
	Gate     Weight = "gate"
	Scored   Weight = "scored"
	Cap      Weight = "cap"
	Advisory Weight = "advisory"
)

// Scores reports whether a check of this weight counts points.
func (w Weight) Scores() bool { return w == Scored || w == Cap }

// Probe is one kind of message or call that a check sends, or one thing that
// it reads off a reply.
type Probe struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	// Core marks the canonical probes of a check: those that decide its
	// verdict. The others are extra coverage.
	Core bool `json:"core"`
	// Part says that the probe costs half a point at most.
	Part bool `json:"part,omitempty"`
}

// KeyType is the type of a configuration value.
type KeyType string

// The types of configuration values.
const (
	Bool     KeyType = "boolean"
	Int      KeyType = "integer"
	Number   KeyType = "number"
	String   KeyType = "string"
	Duration KeyType = "seconds"
	Enum     KeyType = "enum"
	List     KeyType = "list"
	Texts    KeyType = "list of texts"
)

// Key is a configuration value that a check, or the run, takes.
type Key struct {
	// Name is the full dotted name, for example
	// "checks.robust-input.max_tools".
	Name string  `json:"name"`
	Type KeyType `json:"type"`
	// Default is the value when nothing is set; nil means null.
	Default any `json:"default"`
	// Nullable allows null.
	Nullable bool `json:"nullable,omitempty"`
	// Enum lists the allowed values of a key of type Enum.
	Enum []string `json:"enum,omitempty"`
	// Min and Max bound numbers, both included; nil means no bound.
	Min *float64 `json:"min,omitempty"`
	Max *float64 `json:"max,omitempty"`
	// Locked keys belong to the standard: a run that changes one is
	// non-standard.
	Locked bool `json:"locked,omitempty"`
	// Threshold puts the key in the table of thresholds.
	Threshold bool `json:"threshold,omitempty"`
	// Flag is the command-line flag that sets the key, "" for none.
	Flag string `json:"flag,omitempty"`
	// Meaning says in a sentence what the value does.
	Meaning string `json:"meaning"`
}

// VerdictRow is a row of a check's verdict table.
type VerdictRow struct {
	Verdict Verdict `json:"verdict"`
	When    string  `json:"when"`
}

// Section is a headed piece of a check's prose, in Markdown.
type Section struct {
	Heading string `json:"heading"`
	Body    string `json:"body"`
}

// Check is the description of a check: everything that documentation, SARIF
// and the configuration reference print about it.
type Check struct {
	ID     string `json:"id"`
	Pack   string `json:"pack"`
	Weight Weight `json:"weight"`
	// CapsAt is the best letter left after a fail of a Cap check.
	CapsAt string `json:"caps_at,omitempty"`
	// Scope is what the verdict is about, "server" for all checks so far.
	Scope string `json:"scope"`
	// DecidedBy says where the verdict comes from: process, protocol response,
	// output or snapshot.
	DecidedBy string `json:"decided_by"`
	// Since is the methodology version that brought the check.
	Since    string       `json:"since"`
	Keys     []Key        `json:"keys"`
	Probes   []Probe      `json:"probes"`
	Rules    []Rule       `json:"rules"`
	Verdicts []VerdictRow `json:"verdicts"`

	// Title, Summary and Sections come from the prose file beside the check.
	Title    string    `json:"title"`
	Summary  string    `json:"summary"`
	Sections []Section `json:"sections"`
}

// Rule returns the rule with the id, if the check declares it.
func (c Check) Rule(id string) (Rule, bool) {
	for _, r := range c.Rules {
		if r.ID == id {
			return r, true
		}
	}
	return Rule{}, false
}
