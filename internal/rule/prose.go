package rule

import (
	"fmt"
	"strings"
)

// WithProse returns the check with the texts of its prose file filled in:
// title, summary, sections, and per rule its title, description, fix and
// example. The file is Markdown:
//
//	# Title of the check
//	Summary.
//	## Heading of a section
//	Body.
//	## Rules
//	### rule.id
//	Title of the rule.
//
//	Description.
//
//	**Fix:** what to do.
//
//	**Example:** Markdown up to the next rule.
//
// It is an error if a rule lacks its text, or a text its rule.
func (c Check) WithProse(markdown string) (Check, error) {
	title, rest, ok := strings.Cut(strings.TrimPrefix(markdown, "# "), "\n")
	if !ok || !strings.HasPrefix(markdown, "# ") {
		return c, fmt.Errorf("prose of check %s: no title line", c.ID)
	}
	c.Title = strings.TrimSpace(title)
	summary, sections := split(rest, "## ")
	c.Summary = summary
	c.Rules = append([]Rule(nil), c.Rules...)
	c.Sections = nil
	for _, s := range sections {
		if s.Heading != "Rules" {
			c.Sections = append(c.Sections, s)
			continue
		}
		if err := c.ruleTexts(s.Body); err != nil {
			return c, err
		}
	}
	for _, r := range c.Rules {
		if r.Title == "" || r.Description == "" || r.Fix == "" {
			return c, fmt.Errorf("prose of check %s: rule %s lacks a title, a description or a fix", c.ID, r.ID)
		}
	}
	return c, nil
}

func (c *Check) ruleTexts(body string) error {
	_, texts := split(body, "### ")
	for _, text := range texts {
		i := 0
		for i < len(c.Rules) && c.Rules[i].ID != text.Heading {
			i++
		}
		if i == len(c.Rules) {
			return fmt.Errorf("prose of check %s: text for the undeclared rule %s", c.ID, text.Heading)
		}
		r := &c.Rules[i]
		title, rest, _ := strings.Cut(text.Body, "\n")
		rest, example, _ := strings.Cut(rest, "**Example:**")
		description, fix, _ := strings.Cut(rest, "**Fix:**")
		r.Title = strings.TrimSuffix(strings.TrimSpace(title), ".")
		r.Description = strings.TrimSpace(description)
		r.Fix = strings.TrimSpace(fix)
		r.Example = strings.TrimSpace(example)
	}
	return nil
}

// Section returns the body of the section with the heading, "" if there is
// none.
func (c Check) Section(heading string) string {
	for _, s := range c.Sections {
		if s.Heading == heading {
			return s.Body
		}
	}
	return ""
}

// split cuts Markdown at the headings that start with mark, outside of code
// fences, and returns what stands before the first and the headed pieces.
func split(markdown, mark string) (before string, sections []Section) {
	var lines []string
	fenced := false
	flush := func() {
		text := strings.TrimSpace(strings.Join(lines, "\n"))
		if len(sections) == 0 {
			before = text
		} else {
			sections[len(sections)-1].Body = text
		}
		lines = nil
	}
	for line := range strings.Lines(markdown) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if heading, ok := strings.CutPrefix(line, mark); ok && !fenced {
			flush()
			sections = append(sections, Section{Heading: strings.TrimSpace(heading)})
			continue
		}
		lines = append(lines, line)
	}
	flush()
	return before, sections
}
