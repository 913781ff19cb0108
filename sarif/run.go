package sarif

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	gosarif "github.com/owenrumney/go-sarif/v2/sarif"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

const (
	schemaURI = "https://json.schemastore.org/sarif-2.1.0.json"
	homepage  = "https://github.com/sealmark/action"
)

// converter holds a result that is fit to be written, and what does not depend
// on the size of the document.
type converter struct {
	result   *result.Result
	category string
	rules    []*gosarif.ReportingDescriptor
	// index is the place of each rule in rules, titles its title.
	index    map[string]uint
	titles   map[string]string
	findings []rule.Finding
	// root is the folder of the checkout, "" for none.
	root string
	// suppressed: some findings are accepted and stand in the document.
	suppressed bool
}

// newConverter checks what can't be mended: rules and references to them.
func newConverter(r *result.Result, o Options) (*converter, error) {
	c := &converter{result: r, category: Category(r.Server.Key, o.Category), index: map[string]uint{}, titles: map[string]string{}, root: o.Root}
	if err := c.declare(r.Rules); err != nil {
		return nil, err
	}
	for _, f := range r.Findings {
		if _, ok := c.index[f.Rule]; !ok && f.ExplainedBy == "" {
			return nil, fmt.Errorf("a finding names the rule %.100q, which the result does not declare", f.Rule)
		}
	}
	c.findings = reported(concrete(r, o))
	c.suppressed = slices.ContainsFunc(c.findings, func(f rule.Finding) bool { return f.Accepted != nil })
	return c, nil
}

// report makes a document of one run.
func (c *converter) report(s size) writtenReport {
	r := c.result
	run := gosarif.NewRunWithInformationURI("Sealmark", homepage)
	run.Tool.Driver.Organization = new("Sealmark")
	run.Tool.Driver.SemanticVersion = new(semantic(r.Sealmark.Version))
	run.Tool.Driver.Rules = c.rules
	run.ColumnKind = "unicodeCodePoints"
	run.AutomationDetails = &gosarif.RunAutomationDetails{ID: new(c.category + "/")}

	shown, left := capped(c.findings, s.results, c.titles)
	results := make([]writtenResult, 0, len(shown))
	for _, f := range shown {
		results = append(results, writtenResult{c.finding(f, s.evidence), c.suppressions(f)})
	}
	invocation := &gosarif.Invocation{
		ExecutionSuccessful:        new(r.Status == result.Assessed && !r.Completeness.Interrupted),
		ToolExecutionNotifications: c.notifications(left, s),
	}
	run.Invocations = []*gosarif.Invocation{invocation}
	return writtenReport{
		Report: &gosarif.Report{Version: "2.1.0", Schema: schemaURI},
		Runs:   []writtenRun{{run, results}},
	}
}

// notifications say what the results alone do not: why there are none, and
// what was left out.
func (c *converter) notifications(left int, s size) []*gosarif.Notification {
	var list []*gosarif.Notification
	note := func(level, text string) *gosarif.Notification {
		n := gosarif.NewNotification().WithLevel(level).WithTextMessage(escaped(text))
		list = append(list, n)
		return n
	}
	if reason := c.result.Reason; reason != nil {
		n := note("error", strings.TrimSpace("The server was not assessed: "+reason.Text+" "+reason.Next))
		if i, ok := c.index[reason.Rule]; ok {
			n.AssociatedRule = &gosarif.ReportingDescriptorReference{Id: new(reason.Rule), Index: new(i)}
		}
	}
	if c.result.Completeness.State == "partial" || c.result.Completeness.Interrupted {
		note("warning", "The run is not complete: "+orDefault(strings.Join(c.result.Completeness.Reasons, "; "), "it was cut short"))
	}
	if left > 0 {
		note("warning", fmt.Sprintf("%d of %d findings are left out: this file holds %d, of each rule %d at most, and one result per rule for the rest. The result file holds all.", left, len(c.findings), len(c.findings)-left, maxPerRule))
	}
	if s.evidence < sizes[0].evidence {
		note("warning", "Evidence is shortened or left out to keep the file within the size that code scanning takes. The result file holds all.")
	}
	return list
}

// version is a semantic version (Semantic Versioning 2.0.0, item 2, 9 and 10).
var version = regexp.MustCompile(`^v?((?:0|[1-9][0-9]{0,8})(?:\.(?:0|[1-9][0-9]{0,8})){2}(?:-[0-9A-Za-z.-]{1,60})?(?:\+[0-9A-Za-z.-]{1,60})?)$`)

// semantic is the version without its v. A build without a semantic version
// counts as a pre-release of nothing.
func semantic(v string) string {
	if m := version.FindStringSubmatch(v); m != nil {
		return m[1]
	}
	return "0.0.0-dev"
}
