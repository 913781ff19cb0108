package sarif

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Validate returns the reasons for which code scanning would refuse a
// document, merge its alerts or misplace them: what its server asks for
// beyond the SARIF schema, which is not checked here. None means that the
// document can be uploaded; whether it should be is another matter, see
// executionSuccessful. At most 50 reasons are returned.
func Validate(data []byte) []error {
	var doc log
	if err := json.Unmarshal(data, &doc); err != nil {
		return []error{fmt.Errorf("not a SARIF document: %w", err)}
	}
	g := &gate{}
	g.check(doc.Schema != "", "$schema is missing")
	g.check(doc.Version == "2.1.0", "version is %.100q, not 2.1.0", doc.Version)
	g.check(len(doc.Runs) > 0 && len(doc.Runs) <= limitRuns, "there are %d runs, not 1 to %d", len(doc.Runs), limitRuns)
	g.check(zipped(data) <= limitZipped, "the document has over %d MB when compressed", limitZipped/1_000_000)
	categories := map[string]bool{}
	for i, r := range doc.Runs {
		g.at = fmt.Sprintf("run %d: ", i)
		g.run(r, categories)
	}
	return g.faults
}

// gate collects the faults of a document; at says where it is.
type gate struct {
	faults []error
	at     string
}

func (g *gate) check(ok bool, format string, args ...any) {
	const most = 50
	if !ok && len(g.faults) < most {
		g.faults = append(g.faults, fmt.Errorf("%s"+format, append([]any{g.at}, args...)...))
	}
}

func (g *gate) run(r run, categories map[string]bool) {
	driver := r.Tool.Driver
	g.check(!blank(driver.Name), "tool.driver.name is empty")
	g.check(len(r.Tool.Extensions) <= limitExtensions, "there are %d tool extensions, over %d", len(r.Tool.Extensions), limitExtensions)
	end := strings.LastIndex(r.AutomationDetails.ID, "/")
	g.check(end > 0, "automationDetails.id %.100q has no category before a slash", r.AutomationDetails.ID)
	category := driver.Name + "\x00" + r.AutomationDetails.ID[:max(0, end)]
	g.check(!categories[category], "a second run of the category %.100q", r.AutomationDetails.ID)
	categories[category] = true

	if driver.Rules == nil || r.Results == nil {
		g.check(driver.Rules != nil, "tool.driver.rules is not an array")
		g.check(r.Results != nil, "results is not an array")
		return
	}
	rules, results := *driver.Rules, *r.Results
	g.check(len(rules) <= limitRules, "there are %d rules, over %d", len(rules), limitRules)
	g.check(len(results) <= limitResults, "there are %d results, over %d", len(results), limitResults)
	where := g.at
	ids := map[string]bool{}
	for i, d := range rules {
		g.at = fmt.Sprintf("%srule %d (%.100q): ", where, i, d.ID)
		g.check(!blank(d.ID), "the id is empty")
		g.check(!ids[d.ID], "the id stands twice")
		ids[d.ID] = true
		g.rule(d)
	}
	prints := map[string]bool{}
	for i, f := range results {
		g.at = fmt.Sprintf("%sresult %d (%.100q): ", where, i, f.RuleID)
		g.result(f, rules, prints)
	}
}

// decimal is a number as security-severity has it.
var decimal = regexp.MustCompile(`^[0-9]{1,3}(\.[0-9]{1,10})?$`)

func (g *gate) rule(d descriptorJSON) {
	g.check(utf8.RuneCountInString(d.Name) <= limitName, "name has over %d characters", limitName)
	for _, t := range []struct{ name, text string }{{"shortDescription.text", d.ShortDescription.Text}, {"fullDescription.text", d.FullDescription.Text}} {
		g.check(!blank(t.text), "%s is empty", t.name)
		g.check(utf8.RuneCountInString(t.text) <= limitText, "%s has over %d characters", t.name, limitText)
	}
	g.check(!blank(d.Help.Text), "help.text is empty")
	g.check(d.Help.Markdown == nil || !blank(*d.Help.Markdown), "help.markdown is empty")
	g.check(slices.Contains(levels, d.DefaultConfiguration.Level), "defaultConfiguration.level is %.100q", d.DefaultConfiguration.Level)
	g.check(len(d.Properties.Tags) <= limitTags, "there are %d tags, over %d", len(d.Properties.Tags), limitTags)
	if p := d.Properties.Precision; p != nil {
		g.check(slices.Contains(precisions, *p), "precision is %.100q", *p)
	}
	if raw := d.Properties.SecuritySeverity; raw != nil {
		var text string
		err := json.Unmarshal(raw, &text)
		value, _ := strconv.ParseFloat(text, 64)
		g.check(err == nil && decimal.MatchString(text) && value > 0 && value <= 10, "security-severity %.100s is not a text with a number above 0.0, up to 10.0", raw)
	}
}

func (g *gate) result(f resultJSON, rules []descriptorJSON, prints map[string]bool) {
	g.check(!blank(f.Message.Text), "message.text is empty")
	g.check(slices.Contains(levels, f.Level), "level is %.100q", f.Level)
	g.check(f.RuleIndex != nil && *f.RuleIndex >= 0 && *f.RuleIndex < len(rules) && rules[*f.RuleIndex].ID == f.RuleID, "ruleIndex does not point to the rule")
	print := f.PartialFingerprints["primaryLocationLineHash"]
	g.check(!blank(print), "the partial fingerprint primaryLocationLineHash is missing")
	g.check(blank(print) || !prints[f.RuleID+"\x00"+print], "another result of the rule has the same fingerprint")
	prints[f.RuleID+"\x00"+print] = true

	g.check(len(f.Locations) > 0, "there is no location")
	g.check(len(f.Locations) <= limitLocations, "there are %d locations, over %d", len(f.Locations), limitLocations)
	for _, l := range f.Locations {
		g.location(l)
	}
}

// reference holds the characters of a relative URI without query and fragment
// (RFC 3986, section 4.2): no colon, since it would end a scheme.
var reference = regexp.MustCompile(`^([A-Za-z0-9._~!$&'()*+,;=@/-]|%[0-9A-Fa-f]{2})+$`)

func (g *gate) location(l locationJSON) {
	p := l.PhysicalLocation
	if p == nil || p.ArtifactLocation == nil {
		g.check(false, "there is no physical location with an artifact location")
		return
	}
	uri := p.ArtifactLocation.URI
	path, err := url.PathUnescape(uri)
	ok := err == nil && reference.MatchString(uri) && !strings.HasPrefix(path, "/")
	for segment := range strings.SplitSeq(path, "/") {
		ok = ok && segment != ".."
	}
	g.check(ok, "the location %.100q is not a URI relative to the repository", uri)
	g.check(p.ArtifactLocation.URIBaseID == "", "the location has a uriBaseId, which is not honoured")
	r := p.Region
	if r == nil || r.StartLine < 1 {
		g.check(false, "the region does not start at a line from 1")
		return
	}
	g.check(r.EndLine == nil || *r.EndLine >= r.StartLine, "the region ends before it starts")
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }
