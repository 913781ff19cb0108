// Package result is the plain data of a run: what was launched, what was
// asked, what was found, and what it is worth. Everything that a person or
// GitHub sees is rendered from a Result.
package result

import (
	"time"

	"github.com/sealmark/action/internal/rule"
)

// SchemaVersion is the version of the JSON form of Result. The first number
// changes when a reader of an older version would misread the document.
const SchemaVersion = "1.1"

// Result is a whole run. Everything outside Volatile is the same, byte for
// byte, for the same behaviour of the server.
type Result struct {
	SchemaVersion string `json:"schema_version"`
	Sealmark      Build  `json:"sealmark"`
	Server        Server `json:"server"`
	// Status says whether there is a score at all.
	Status Status `json:"status"`
	// Reason says why the run is not assessed, nil when it is.
	Reason *Reason `json:"reason,omitempty"`
	// Completeness says whether everything that the server offers was seen.
	Completeness Completeness `json:"completeness"`
	// Deviations lists the configuration keys that differ from the standard.
	Deviations []string       `json:"deviations"`
	Score      *Score         `json:"score" jsonschema:"nullable"`
	Coverage   Coverage       `json:"coverage"`
	Checks     []Check        `json:"checks"`
	Findings   []rule.Finding `json:"findings"`
	// Rules holds every rule that this version declares, sorted by id, so that
	// a reader needs no catalogue of its own.
	Rules    []rule.Rule `json:"rules"`
	Snapshot *Snapshot   `json:"snapshot,omitempty"`
	// Contract is the matrix of the contract pack, nil if it did not run.
	Contract *Contract `json:"contract,omitempty"`
	// Rates are nil if no call counts for any.
	Rates *RateTable `json:"rates,omitempty"`
	// Comparison is the comparison with the base, nil if there was none.
	Comparison *Comparison `json:"comparison,omitempty"`
	Gate       Gate        `json:"gate"`
	// Notices are remarks about the run that are no findings.
	Notices  []string `json:"notices"`
	Volatile Volatile `json:"volatile"`
}

// Build names the program that wrote the result.
type Build struct {
	Version     string `json:"version"`
	Methodology string `json:"methodology"`
	// Validator is the JSON Schema validator and its version.
	Validator string `json:"validator"`
}

// FromSnapshot is the transport of a server that was not run: its snapshot was
// read from a file.
const FromSnapshot = "snapshot"

// Server is what was run and what it says of itself.
type Server struct {
	// Key tells servers of one repository apart: in SARIF categories, comment
	// markers and fingerprints.
	Key string `json:"key"`
	// Name, Title and Version are the server's own words (serverInfo).
	Name    string `json:"name,omitempty"`
	Title   string `json:"title,omitempty"`
	Version string `json:"version,omitempty"`
	// Transport is "stdio", "streamable-http", or "snapshot" for a snapshot
	// that was read from a file.
	Transport string `json:"transport"`
	// Command is the launch command, nil for a server reached by URL.
	Command []string `json:"command,omitempty"`
	URL     string   `json:"url,omitempty"`
	// Directory is the working directory as the user gave it, "" for none.
	Directory string `json:"directory,omitempty"`
	// Env holds the names, never the values, of the variables that the user
	// gave to the server.
	Env             []string `json:"env,omitempty"`
	ProtocolVersion string   `json:"protocol_version,omitempty"`
	// Anchor is the file that findings without a place of their own point to.
	Anchor rule.Location `json:"anchor"`
	// Plan says how the server was found, built and launched, nil when the
	// user gave its command or URL.
	Plan *Plan `json:"plan,omitempty"`
	// Isolation says what the server was kept away from, nil if Sealmark did
	// not start it.
	Isolation *Isolation `json:"isolation,omitempty"`
	// Canaries names the variables that the server was given harmless values
	// for, since it did not start without them.
	Canaries []string `json:"canaries,omitempty"`
}

// Status says whether the server was assessed.
type Status string

// The statuses.
const (
	Assessed    Status = "assessed"
	NotAssessed Status = "not assessed"
)

// Reason says why a run is not assessed.
type Reason struct {
	// Rule is the launch rule that says it, "" for none.
	Rule string `json:"rule,omitempty"`
	Text string `json:"text"`
	// Next says what to try.
	Next string `json:"next,omitempty"`
}

// Completeness says whether the snapshot and the run are whole.
type Completeness struct {
	// State is "complete" or "partial".
	State string `json:"state"`
	// Interrupted: the run was cut short by the user or its time limit.
	Interrupted bool     `json:"interrupted,omitempty"`
	Reasons     []string `json:"reasons,omitempty"`
	// Capabilities says for each advertised list whether it was read to its
	// end.
	Capabilities []Capability `json:"capabilities,omitempty"`
}

// Capability says how much of an advertised list was seen.
type Capability struct {
	// Name is tools, resources, resource templates or prompts.
	Name string `json:"name"`
	// State is "complete", "skipped" for a known shortfall (the list was
	// answered with an error), or "gap" for an unknown one or a bound reached.
	State string `json:"state"`
	// Reason says why the list is not complete.
	Reason string `json:"reason,omitempty"`
}

// Score is what the verdicts are worth.
type Score struct {
	// Percent is Points of Possible, 0 to 100, rounded to one decimal.
	Percent  float64 `json:"percent"`
	Points   float64 `json:"points"`
	Possible float64 `json:"possible"`
	// Letter is A, B, C, D or F, after Caps.
	Letter string `json:"letter"`
	Caps   []Cap  `json:"caps,omitempty"`
	Packs  []Pack `json:"packs"`
}

// Cap is a reason for which the letter is lower than the points say.
type Cap struct {
	Letter string `json:"letter"`
	Reason string `json:"reason"`
}

// Pack is the score of one pack of checks.
type Pack struct {
	ID       string  `json:"id"`
	Points   float64 `json:"points"`
	Possible float64 `json:"possible"`
	Percent  float64 `json:"percent"`
}

// Coverage says how much of the server the run has seen.
type Coverage struct {
	// Level is "none", "hygiene only", "partial" or "full".
	Level       string `json:"level"`
	ToolsListed int    `json:"tools_listed"`
	ToolsProbed int    `json:"tools_probed"`
	// ToolsValid counts tools with a valid call that was answered without
	// error.
	ToolsValid int `json:"tools_valid"`
	// ChecksScored counts the applicable scored checks, ChecksUnverified those
	// of them that could not be run.
	ChecksScored     int `json:"checks_scored"`
	ChecksUnverified int `json:"checks_unverified"`
	// Uncovered lists the tools without a valid call that succeeded, and why.
	Uncovered []Uncovered `json:"uncovered"`
	// Unprobed names the tools that no call was sent to, in the order of the
	// listing.
	Unprobed []string `json:"unprobed,omitempty"`
}

// Percent is the share of listed tools that were probed, 0 to 100; 100 for a
// server without tools.
func (c Coverage) Percent() float64 {
	if c.ToolsListed == 0 {
		return 100
	}
	return 100 * float64(c.ToolsProbed) / float64(c.ToolsListed)
}

// Uncovered is a tool that a check could not cover.
type Uncovered struct {
	Tool   string `json:"tool"`
	Reason string `json:"reason"`
}

// Check is how a check ended.
type Check struct {
	ID     string      `json:"id"`
	Title  string      `json:"title"`
	Pack   string      `json:"pack"`
	Weight rule.Weight `json:"weight"`
	// CapsAt is the best letter left after a fail, "" for none.
	CapsAt  string       `json:"caps_at,omitempty"`
	Verdict rule.Verdict `json:"verdict"`
	// Reason says in a sentence why the verdict is what it is.
	Reason string `json:"reason"`
	// Probes counts the messages sent, by probe id.
	Probes map[string]int `json:"probes,omitempty"`
}

// Snapshot is what the server says of itself.
type Snapshot struct {
	ProtocolVersion string `json:"protocol_version"`
	// Capabilities holds the names of the declared capabilities, sorted.
	Capabilities []string `json:"capabilities"`
	Instructions string   `json:"instructions,omitempty"`
	// Tools, Resources, Templates and Prompts are the names (URIs for
	// resources) in the order of listing.
	Tools     []string `json:"tools"`
	Resources []string `json:"resources"`
	Templates []string `json:"resource_templates"`
	Prompts   []string `json:"prompts"`
	// Surface holds the definitions behind the names, nil in results before
	// schema version 1.1.
	Surface *Surface `json:"surface,omitempty"`
}

// Gate says whether the run passes, and why not.
type Gate struct {
	Passed bool `json:"passed"`
	// FailOn is the severity that fails the run: error, warning, note or
	// never.
	FailOn string `json:"fail_on"`
	// NewOnly: only findings that the base does not have, or has with a milder
	// severity, fail the run.
	NewOnly bool     `json:"new_only,omitempty"`
	Reasons []string `json:"reasons,omitempty"`
}

// Volatile holds everything that differs from run to run.
type Volatile struct {
	Started time.Time `json:"started"`
	// Seconds is the wall time of the run.
	Seconds float64 `json:"seconds"`
	// Lanes is how many instances of the server ran side by side at most.
	Lanes int `json:"lanes"`
	// Instances is how many were started in all.
	Instances int `json:"instances"`
	// StartSeconds is the time from launch to the initialize reply.
	StartSeconds float64 `json:"start_seconds,omitempty"`
	// CheckSeconds is the wall time per check.
	CheckSeconds map[string]float64 `json:"check_seconds,omitempty"`
	// BuildLog is where the output of the build was written, "" for nowhere.
	BuildLog string `json:"build_log,omitempty"`
	// Commit is the commit that was checked out, "" if it is not known.
	Commit string `json:"commit,omitempty"`
	// Remarks are sentences about this run alone, such as a fall-back to one
	// lane.
	Remarks []string `json:"remarks,omitempty"`
}

// Reported are the findings that count for readers, gates and outputs: those
// that no other one explains.
func (r *Result) Reported() []rule.Finding {
	list := make([]rule.Finding, 0, len(r.Findings))
	for _, f := range r.Findings {
		if f.ExplainedBy == "" {
			list = append(list, f)
		}
	}
	return list
}

// Finding returns the finding with the id or with an id that starts with it,
// if there is exactly one.
func (r *Result) Finding(id string) (rule.Finding, bool) {
	var found []rule.Finding
	for _, f := range r.Findings {
		if f.ID == id {
			return f, true
		}
		if id != "" && len(f.ID) > len(id) && f.ID[:len(id)] == id {
			found = append(found, f)
		}
	}
	if len(found) == 1 {
		return found[0], true
	}
	return rule.Finding{}, false
}
