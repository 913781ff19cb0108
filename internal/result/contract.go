package result

// Contract says what became of the malformed arguments that the contract pack
// sent: a matrix of tools and shapes.
type Contract struct {
	// Corpus is the version of the corpus of malformed arguments.
	Corpus string `json:"corpus"`
	// Reach is "read-only" or "all": which tools got calls that are nearly
	// valid.
	Reach string `json:"reach"`
	// Observed: what was found counts neither for the score nor for the gate.
	Observed bool `json:"observed,omitempty"`
	// Shapes are the columns: the shapes that some tool has, in a fixed order.
	Shapes []string `json:"shapes"`
	// Tools are the rows, in the order of the listing.
	Tools []ContractTool `json:"tools"`
	// Total counts the outcomes of all tools.
	Total Outcomes `json:"total"`
}

// ContractTool is the row of a tool.
type ContractTool struct {
	Tool string `json:"tool"`
	// Observed: what was found of the tool counts for nothing.
	Observed bool `json:"observed,omitempty"`
	// Cells counts the outcomes by shape. A shape that does not apply to the
	// tool is absent.
	Cells map[string]Outcomes `json:"cells"`
	// Total counts the outcomes of the row.
	Total Outcomes `json:"total"`
	// NotSent says why candidates were not sent, "" if all were.
	NotSent string `json:"not_sent,omitempty"`
	// NotMade holds the first candidates that the schema or the validator did
	// not let be made.
	NotMade []NotMade `json:"not_made,omitempty"`
}

// NotMade is a candidate that was planned and not made.
type NotMade struct {
	Candidate string `json:"candidate"`
	Shape     string `json:"shape"`
	Reason    string `json:"reason"`
}

// Outcome is what became of a candidate.
type Outcome string

// The outcomes, gravest first.
const (
	Crash         Outcome = "crash"
	Hang          Outcome = "hang"
	InternalError Outcome = "internal error"
	Accepted      Outcome = "accepted"
	// FailedLater: the arguments were used, and something failed after that.
	FailedLater Outcome = "failed later"
	// Empty: a success that says nothing. Whether anything was done is open.
	Empty Outcome = "empty answer"
	// Unrecognised: rejected in plain text, which a client can't tell from a
	// success.
	Unrecognised Outcome = "rejected unrecognisably"
	Rejected     Outcome = "rejected"
	NotSent      Outcome = "not sent"
)

// AllOutcomes lists the outcomes, gravest first.
var AllOutcomes = []Outcome{Crash, Hang, InternalError, Accepted, FailedLater, Empty, Unrecognised, Rejected, NotSent}

// Outcomes counts candidates by their outcome.
type Outcomes map[Outcome]int

// Sent is how many were sent.
func (o Outcomes) Sent() int {
	n := 0
	for outcome, count := range o {
		if outcome != NotSent {
			n += count
		}
	}
	return n
}

// Worst is the gravest outcome, "" if there is none.
func (o Outcomes) Worst() Outcome {
	for _, outcome := range AllOutcomes {
		if o[outcome] > 0 {
			return outcome
		}
	}
	return ""
}

// Rate is a count of so many.
type Rate struct {
	Count int `json:"count"`
	Of    int `json:"of"`
}

// Rates are what the calls of the contract pack show, each with its counts
// (methodology, "Rates, never one accuracy number").
type Rates struct {
	// InvalidAccepted: invalid candidates accepted, of those sent.
	InvalidAccepted Rate `json:"invalid_accepted"`
	// ValidRejected: valid calls rejected, of those sent.
	ValidRejected Rate `json:"valid_rejected"`
	// Unrecognisable: refusals in text without isError, of all refusals.
	Unrecognisable Rate `json:"unrecognisable_refusals"`
	// NamedArgument: refusals that name the argument, of all refusals of an
	// argument.
	NamedArgument Rate `json:"refusals_naming_the_argument"`
	// Denials: denials observed, of those expected.
	Denials Rate `json:"denials_observed"`
}

// Add adds counts.
func (r *Rates) Add(other Rates) {
	for _, pair := range []struct{ to, from *Rate }{
		{&r.InvalidAccepted, &other.InvalidAccepted}, {&r.ValidRejected, &other.ValidRejected}, {&r.Unrecognisable, &other.Unrecognisable},
		{&r.NamedArgument, &other.NamedArgument}, {&r.Denials, &other.Denials},
	} {
		pair.to.Count += pair.from.Count
		pair.to.Of += pair.from.Of
	}
}

// RateTable holds the rates of a run.
type RateTable struct {
	Total Rates `json:"total"`
	// Tools are the rates of the tools that have any, in the order of the
	// listing.
	Tools []ToolRates `json:"tools"`
}

// ToolRates are the rates of a tool.
type ToolRates struct {
	Tool string `json:"tool"`
	Rates
}
