// Package rule is the vocabulary of Sealmark: rules, checks, verdicts,
// severities, findings, evidence and configuration keys. It is plain data and
// imports nothing else of the module.
package rule

import (
	"fmt"
	"strings"
)

// Severity is the level of a finding, named as SARIF names its levels
// (SARIF 2.1.0, §3.27.10).
type Severity string

// The severities, from gravest to mildest.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// Severities lists all severities, gravest first.
var Severities = []Severity{Error, Warning, Note}

// Rank orders severities: 3 for error, 2 for warning, 1 for note, 0 for
// anything else.
func (s Severity) Rank() int {
	switch s {
	case Error:
		return 3
	case Warning:
		return 2
	case Note:
		return 1
	}
	return 0
}

// ParseSeverity reads a severity by its name. The error lists the names.
func ParseSeverity(name string) (Severity, error) {
	if s := Severity(name); s.Rank() > 0 {
		return s, nil
	}
	return "", fmt.Errorf("unknown severity %q: use error, warning or note", name)
}

// Reference is a document that a rule rests on.
type Reference struct {
	Title    string `json:"title"`
	Revision string `json:"revision,omitempty"`
	Section  string `json:"section,omitempty"`
	URL      string `json:"url,omitempty"`
}

// Rule is a kind of finding. Its ID is a promise: once released it is never
// reused or renamed, only retired.
type Rule struct {
	// ID is "family.name", for example "robust.hang".
	ID string `json:"id"`
	// Severity is the default severity of a finding of this rule.
	Severity Severity `json:"severity"`
	// Also holds the other severities that circumstances may give.
	Also []Severity `json:"also,omitempty"`
	// SecuritySeverity is a CVSS-like number from 0.1 to 10.0 for a security
	// matter, 0 for anything else.
	SecuritySeverity float64 `json:"security_severity,omitempty"`
	// Precision is the SARIF property of code scanning: very-high, high,
	// medium or low.
	Precision string `json:"precision"`
	// Tags are the SARIF tags, at most ten.
	Tags []string `json:"tags,omitempty"`
	// Advice: the rule says what could be better, not what is wrong. Its
	// findings stay out of code scanning.
	Advice bool `json:"advice,omitempty"`
	// References are the documents that the rule rests on.
	References []Reference `json:"references,omitempty"`
	// Since is the methodology version that brought the rule.
	Since string `json:"since"`
	// Check is the id of the check that owns the rule.
	Check string `json:"check"`

	// Title says the fault in a few words; Description explains it; Fix says
	// what to do; Example, in Markdown, shows it. They come from the check's
	// prose file.
	Title       string `json:"title"`
	Description string `json:"description"`
	Fix         string `json:"fix"`
	Example     string `json:"example,omitempty"`
}

// Allows reports whether s is a severity that the rule may have.
func (r Rule) Allows(s Severity) bool {
	if s == r.Severity {
		return true
	}
	for _, a := range r.Also {
		if a == s {
			return true
		}
	}
	return false
}

// DocsURL is where the generated documentation of the checks is read.
const DocsURL = "https://github.com/sealmark/action/blob/main/docs/checks/"

// Anchor is the fragment that GitHub gives to the heading of a rule.
func Anchor(ruleID string) string { return strings.ReplaceAll(ruleID, ".", "") }

// Family is the part of the id before the dot.
func (r Rule) Family() string {
	family, _, _ := strings.Cut(r.ID, ".")
	return family
}
