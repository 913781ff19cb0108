package sarif

import (
	"fmt"
	"regexp"
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
}

// newConverter checks what can't be mended: rules and references to them.
func newConverter(r *result.Result, o Options) (*converter, error) {
	c := &converter{result: r, category: Category(r.Server.Key, o.Category), index: map[string]uint{}, titles: map[string]string{}}
	if err := c.declare(r.Rules); err != nil {
		return nil, err
	}
	c.findings = reported(r.Findings)
	for _, f := range c.findings {
		if _, ok := c.index[f.Rule]; !ok {
			return nil, fmt.Errorf("a finding names the rule %.100q, which the result does not declare", f.Rule)
		}
	}
	return c, nil
}

// report makes a document of one run.
func (c *converter) report(s size) *gosarif.Report {
	r := c.result
	run := gosarif.NewRunWithInformationURI("Sealmark", homepage)
	run.Tool.Driver.Organization = new("Sealmark")
	run.Tool.Driver.SemanticVersion = new(semantic(r.Sealmark.Version))
	run.Tool.Driver.Rules = c.rules
	run.ColumnKind = "utf16CodeUnits"
	run.AutomationDetails = &gosarif.RunAutomationDetails{ID: new(c.category + "/")}

	shown, left := bounded(c.findings, s.results, c.titles)
	run.Results = make([]*gosarif.Result, 0, len(shown))
	for _, f := range shown {
		run.Results = append(run.Results, c.finding(f, s.evidence))
	}
	invocation := &gosarif.Invocation{
		ExecutionSuccessful:        new(r.Status == result.Assessed && !r.Completeness.Interrupted),
		ToolExecutionNotifications: c.notifications(left, s),
	}
	run.Invocations = []*gosarif.Invocation{invocation}
	return &gosarif.Report{
		Version: "2.1.0", Schema: schemaURI,
		Runs: []*gosarif.Run{run},
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
		note("warning", fmt.Sprintf("%d of %d findings are left out: this file holds the gravest %d and one result per rule for the rest. The result file holds all.", left, len(c.findings), len(c.findings)-left))
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
