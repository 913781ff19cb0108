package sarif

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	gosarif "github.com/owenrumney/go-sarif/v2/sarif"

	"github.com/sealmark/action/internal/rule"
)

const (
	// Code scanning takes 255 and 1,024 characters; these bounds are in bytes
	// and leave room for the note of a cut.
	maxTitle       = 200
	maxDescription = 960
	maxHelp        = 8 << 10 // of a part of the help
	maxTags        = 10      // as many as code scanning shows
)

// ruleID is what a rule's id may look like; it ends up in a URL and a name.
var ruleID = regexp.MustCompile(`^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$`)

// declare describes all rules of the result, sorted by id.
func (c *converter) declare(rules []rule.Rule) error {
	if len(rules) > limitRules {
		return fmt.Errorf("it declares %d rules, code scanning takes %d", len(rules), limitRules)
	}
	rules = slices.Clone(rules)
	slices.SortStableFunc(rules, func(a, b rule.Rule) int { return cmp.Compare(a.ID, b.ID) })
	for _, r := range rules {
		if len(r.ID) > 100 || !ruleID.MatchString(r.ID) {
			return fmt.Errorf("it declares a rule with the id %.100q", r.ID)
		}
		if _, twice := c.index[r.ID]; twice {
			return fmt.Errorf("it declares the rule %s twice", r.ID)
		}
		c.index[r.ID] = uint(len(c.rules))
		c.titles[r.ID] = title(r)
		c.rules = append(c.rules, descriptor(r))
	}
	if c.rules == nil {
		c.rules = []*gosarif.ReportingDescriptor{}
	}
	return nil
}

// descriptor describes a rule. It depends on the rule alone, never on a
// server.
func descriptor(r rule.Rule) *gosarif.ReportingDescriptor {
	page := rule.DocsURL + url.PathEscape(line(r.Check, maxTitle)) + ".md#" + rule.Anchor(r.ID)
	title := title(r)
	description := orDefault(text(r.Description, maxDescription), title+".")
	plain, markdown := help(r, description, page)
	return &gosarif.ReportingDescriptor{
		ID: r.ID, Name: new(pascal(r.ID)), HelpURI: new(page),
		ShortDescription:     &gosarif.MultiformatMessageString{Text: new(title + ".")},
		FullDescription:      &gosarif.MultiformatMessageString{Text: new(description)},
		Help:                 &gosarif.MultiformatMessageString{Text: new(plain), Markdown: new(markdown)},
		DefaultConfiguration: &gosarif.ReportingConfiguration{Level: level(r.Severity)},
		Properties:           properties(r),
	}
}

func title(r rule.Rule) string {
	return orDefault(strings.TrimRight(line(r.Title, maxTitle), ". "), pascal(r.ID))
}

// help is the rule's whole text, plain and in Markdown.
func help(r rule.Rule, description, page string) (plain, markdown string) {
	var p, m strings.Builder
	p.WriteString(description)
	m.WriteString(description)
	part := func(heading, body string) {
		if body = text(body, maxHelp); body != "" {
			p.WriteString("\n\n" + heading + ": " + body)
			m.WriteString("\n\n## " + heading + "\n\n" + body)
		}
	}
	part("How to fix", r.Fix)
	part("Example", r.Example)
	p.WriteString("\n\nDocumentation: " + page + "\n")
	m.WriteString("\n\n[Documentation of this rule](" + page + ")\n")
	return p.String(), m.String()
}

// properties are those that code scanning filters and sorts by (GitHub
// documentation, "SARIF support for code scanning", reportingDescriptor).
func properties(r rule.Rule) gosarif.Properties {
	p := gosarif.Properties{"precision": r.Precision}
	if !slices.Contains(precisions, r.Precision) {
		p["precision"] = "medium"
	}
	secure := math.Round(r.SecuritySeverity*10) / 10
	if secure > 0 {
		p["security-severity"] = strconv.FormatFloat(min(secure, 10), 'f', 1, 64)
	} else {
		p["problem.severity"] = map[string]string{"error": "error", "warning": "warning", "note": "recommendation"}[level(r.Severity)]
	}
	p["tags"] = tags(r, secure > 0)
	return p
}

// securityTag is what code scanning knows a security rule by.
const securityTag = "security"

// tags are sorted and few. Rules with a security severity have the tag of
// security rules, and no others do.
func tags(r rule.Rule, secure bool) []string {
	list := []string{}
	for _, tag := range r.Tags {
		if tag = line(tag, 50); tag != "" && (secure || tag != securityTag) && !slices.Contains(list, tag) && len(list) < maxTags {
			list = append(list, tag)
		}
	}
	if secure && !slices.Contains(list, securityTag) {
		list = append(list[:min(len(list), maxTags-1)], securityTag)
	}
	slices.Sort(list)
	return list
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

// level is a severity as SARIF has it, which uses the same names; warning for
// what is none.
func level(s rule.Severity) string {
	if s.Rank() == 0 {
		return string(rule.Warning)
	}
	return string(s)
}
