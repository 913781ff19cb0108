// Package sarif turns a Sealmark result into SARIF 2.1.0 that GitHub code
// scanning accepts. It reads the JSON form of a result, so that other programs
// can use it on the file that `sealmark run --json` writes; the rules come
// with the result.
//
// Each run is one server. Its category is the text before the last slash of
// automationDetails.id, so two servers of one repository need two keys. Every
// result has a physical location within the repository: the place of the
// finding if it is known, else the file that made Sealmark launch the server.
// Fingerprints are made of the rule, the subject and the server's key, so
// they survive edits of the file and changes of the evidence.
package sarif

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	gosarif "github.com/owenrumney/go-sarif/v2/sarif"

	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// Options are how a document is written.
type Options struct {
	// Category is the code-scanning category, "sealmark/KEY" with the server's
	// key if it is empty.
	Category string
	// Indent writes the document on many lines.
	Indent bool
	// MaxResults bounds the results, the gravest first; 5,000 if it is 0,
	// which is what code scanning shows.
	MaxResults int
}

const (
	schemaURI  = "https://json.schemastore.org/sarif-2.1.0.json"
	homepage   = "https://github.com/sealmark/action"
	docsURL    = homepage + "/blob/main/docs/checks/"
	maxResults = 5000
	maxText    = 1000 // characters of a description; code scanning takes 1,024
	maxTags    = 10
)

// Convert reads a result and writes it as SARIF. The result is not trusted.
// Its error says what of the result can't be read, or that the document would
// be refused by code scanning.
func Convert(in io.Reader, out io.Writer, o Options) error {
	r, err := result.Read(in)
	if err != nil {
		return err
	}
	data, err := encode(document(r, o), o.Indent)
	if err != nil {
		return fmt.Errorf("encode SARIF: %w", err)
	}
	if faults := Validate(data); len(faults) > 0 {
		return fmt.Errorf("the SARIF document would be refused: %w", errors.Join(faults...))
	}
	_, err = out.Write(data)
	return err
}

func encode(v any, indent bool) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if indent {
		enc.SetIndent("", "  ")
	}
	err := enc.Encode(v)
	return b.Bytes(), err
}

// document makes the report of one run.
func document(r *result.Result, o Options) *gosarif.Report {
	run := gosarif.NewRunWithInformationURI("Sealmark", homepage)
	run.Tool.Driver.Organization = new("Sealmark")
	run.Tool.Driver.SemanticVersion = semantic(r.Sealmark.Version)
	run.Tool.Driver.Version = run.Tool.Driver.SemanticVersion
	run.ColumnKind = "utf16CodeUnits"
	run.AutomationDetails = &gosarif.RunAutomationDetails{ID: new(Category(r.Server.Key, o.Category) + "/")}
	rules := slices.Clone(r.Rules)
	slices.SortFunc(rules, func(a, b rule.Rule) int { return cmp.Compare(a.ID, b.ID) })
	index := map[string]uint{}
	for _, known := range rules {
		if _, twice := index[known.ID]; twice {
			continue
		}
		index[known.ID] = uint(len(run.Tool.Driver.Rules))
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, descriptor(known))
	}
	invocation := &gosarif.Invocation{ExecutionSuccessful: new(r.Status == result.Assessed)}
	if r.Reason != nil {
		invocation.ToolExecutionNotifications = append(invocation.ToolExecutionNotifications, notification("error", r.Reason.Text))
	}
	run.Results = []*gosarif.Result{}
	findings := reported(r)
	most := o.MaxResults
	if most <= 0 || most > maxResults {
		most = maxResults
	}
	if left := len(findings) - most; left > 0 {
		findings = findings[:most]
		invocation.ToolExecutionNotifications = append(invocation.ToolExecutionNotifications,
			notification("warning", fmt.Sprintf("%d findings were left out: this file holds the gravest %d. The result file holds all of them.", left, most)))
	}
	for _, f := range findings {
		if i, ok := index[f.Rule]; ok {
			run.Results = append(run.Results, found(r, f, i))
		}
	}
	run.Invocations = []*gosarif.Invocation{invocation}
	report := &gosarif.Report{Version: "2.1.0", Schema: schemaURI}
	report.Runs = []*gosarif.Run{run}
	return report
}

// Category is the code-scanning category of a server: what the user asked
// for, else one made of the server's key. Runs of one category replace each
// other.
func Category(key, asked string) string {
	if asked = strings.Trim(clean(asked, 200), "/ "); asked != "" {
		return asked
	}
	key = strings.Map(func(c rune) rune {
		if c == '/' || c == '-' || c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return '-'
	}, clean(key, 200))
	return strings.TrimSuffix("sealmark/"+strings.Trim(key, "/"), "/")
}

// reported are the findings that concern a reader of code scanning, the
// gravest first: none that another finding explains.
func reported(r *result.Result) []rule.Finding {
	var list []rule.Finding
	for _, f := range r.Findings {
		if f.ExplainedBy == "" {
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(a, b rule.Finding) int {
		return cmp.Or(cmp.Compare(b.Severity.Rank(), a.Severity.Rank()), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Subject, b.Subject))
	})
	return list
}

// descriptor describes a rule. It depends on the rule alone, never on a
// server.
func descriptor(r rule.Rule) *gosarif.ReportingDescriptor {
	page := docsURL + url.PathEscape(r.Check) + ".md#" + url.PathEscape(strings.ReplaceAll(r.ID, ".", ""))
	properties := gosarif.Properties{"precision": orDefault(r.Precision, "medium"), "tags": tags(r)}
	if r.SecuritySeverity > 0 {
		properties["security-severity"] = fmt.Sprintf("%.1f", r.SecuritySeverity)
	} else {
		properties["problem.severity"] = map[rule.Severity]string{rule.Error: "error", rule.Warning: "warning", rule.Note: "recommendation"}[r.Severity]
	}
	title := orDefault(clean(r.Title, 250), r.ID)
	description := orDefault(clean(r.Description, maxText), title)
	help := description + "\n\nWhat to fix: " + r.Fix
	markdown := fmt.Sprintf("**%s.** %s\n\n**What to fix.** %s\n", title, r.Description, r.Fix)
	if r.Example != "" {
		markdown += "\n**Example.** " + r.Example + "\n"
	}
	markdown += "\n[Documentation](" + page + ")\n"
	return &gosarif.ReportingDescriptor{
		ID: r.ID, Name: new(pascal(r.ID)), HelpURI: new(page),
		ShortDescription:     &gosarif.MultiformatMessageString{Text: new(title + ".")},
		FullDescription:      &gosarif.MultiformatMessageString{Text: new(description)},
		Help:                 &gosarif.MultiformatMessageString{Text: new(help), Markdown: new(markdown)},
		DefaultConfiguration: &gosarif.ReportingConfiguration{Level: level(r.Severity)},
		Properties:           properties,
	}
}

func tags(r rule.Rule) []string {
	list := slices.Clone(r.Tags)
	if r.SecuritySeverity > 0 && !slices.Contains(list, "security") {
		list = append(list, "security")
	}
	slices.Sort(list)
	list = slices.Compact(list)
	return list[:min(len(list), maxTags)]
}

// pascal makes a name of a rule id: robust.text-refusal becomes
// RobustTextRefusal.
func pascal(id string) string {
	var b strings.Builder
	for part := range strings.FieldsFuncSeq(id, func(c rune) bool { return c == '.' || c == '-' || c == '_' }) {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

// found is the SARIF result of a finding.
func found(r *result.Result, f rule.Finding, index uint) *gosarif.Result {
	place := r.Server.Anchor
	if f.Location != nil {
		place = *f.Location
	}
	uri, line := relative(place)
	print := fingerprint(r.Server.Key, f)
	location := gosarif.NewLocation().WithPhysicalLocation(gosarif.NewPhysicalLocation().
		WithArtifactLocation(gosarif.NewArtifactLocation().WithUri(uri)).
		WithRegion(gosarif.NewRegion().WithStartLine(line).WithEndLine(line)))
	if kind, name, ok := strings.Cut(clean(f.Subject, 300), ":"); ok && name != "" {
		location.LogicalLocations = []*gosarif.LogicalLocation{{Name: new(name), FullyQualifiedName: new(clean(f.Subject, 300)), Kind: new(kind)}}
	}
	properties := gosarif.Properties{"finding": f.ID, "count": f.Count}
	for name, text := range map[string]string{"request": f.Evidence.Request, "reply": f.Evidence.Reply, "match": f.Evidence.Match, "detail": f.Evidence.Detail, "probe": f.Probe} {
		if text != "" {
			properties[name] = clean(text, 2000)
		}
	}
	if f.Flaky {
		properties["flaky"] = true
	}
	return &gosarif.Result{
		RuleID: new(f.Rule), RuleIndex: new(index), Level: new(level(f.Severity)),
		Message:             gosarif.Message{Text: new(message(f))},
		Locations:           []*gosarif.Location{location},
		PartialFingerprints: map[string]any{"primaryLocationLineHash": print + ":1", "sealmark/v1": print},
		PropertyBag:         gosarif.PropertyBag{Properties: properties},
	}
}

// message is the text of a result. In SARIF, brackets start a link and braces
// a placeholder (SARIF 2.1.0, §3.11.5 and §3.11.6), so those of foreign text
// are escaped.
func message(f rule.Finding) string {
	text := clean(f.Message, maxText)
	if text == "" {
		text = f.Rule + ": " + clean(f.Subject, 200)
	}
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "{", "{{", "}", "}}").Replace(text)
}

// fingerprint is the identity of a finding among all of the repository.
func fingerprint(key string, f rule.Finding) string {
	sum := sha256.Sum256([]byte(key + "\x00" + f.Rule + "\x00" + f.Subject))
	return hex.EncodeToString(sum[:8])
}

// relative is a place as a percent-encoded URI relative to the repository's
// root, and a line of at least 1. A path that leads out of the repository is
// not used.
func relative(l rule.Location) (uri string, line int) {
	path := strings.TrimLeft(strings.ReplaceAll(l.Path, `\`, "/"), "/")
	if path == "" || path == ".." || strings.HasPrefix(path, "../") || strings.Contains(path, "/../") || strings.ContainsAny(path, "\x00\n\r") {
		path = "sealmark.yml"
	}
	escaped := (&url.URL{Path: path}).EscapedPath()
	// A colon in the first segment would read as a scheme.
	if i := strings.IndexByte(escaped, ':'); i >= 0 {
		escaped = strings.ReplaceAll(escaped, ":", "%3A")
	}
	return escaped, max(1, l.Line)
}

func level(s rule.Severity) string {
	if s.Rank() == 0 {
		return "warning"
	}
	return string(s)
}

func notification(level, text string) *gosarif.Notification {
	n := gosarif.NewNotification()
	n.Level = level
	n.Message = gosarif.NewTextMessage(clean(text, maxText))
	return n
}

// clean makes a text of the result harmless and short.
func clean(s string, most int) string { return (*redact.Redactor)(nil).Line(s, most) }

func orDefault(s, otherwise string) string {
	if strings.TrimSpace(s) == "" {
		return otherwise
	}
	return s
}

// semantic returns the version if it is a semantic one.
func semantic(version string) *string {
	v := strings.TrimPrefix(version, "v")
	parts := strings.SplitN(v, ".", 3)
	if len(parts) != 3 || strings.Trim(parts[0]+parts[1], "0123456789") != "" || parts[2] == "" || parts[2][0] < '0' || parts[2][0] > '9' {
		return nil
	}
	return new(clean(v, 100))
}
