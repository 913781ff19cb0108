package sarif

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of code scanning (GitHub documentation, "SARIF support for code
// scanning" and "SARIF results exceed one or more limits").
const (
	limitGzip    = 10 << 20
	limitRuns    = 20
	limitResults = 25_000
	limitRules   = 25_000
	limitTags    = 20
	limitName    = 255
	limitText    = 1024
)

type log struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []run  `json:"runs"`
}

type run struct {
	Tool struct {
		Driver struct {
			Name  string `json:"name"`
			Rules []struct {
				ID               string     `json:"id"`
				Name             string     `json:"name"`
				ShortDescription textObject `json:"shortDescription"`
				FullDescription  textObject `json:"fullDescription"`
				Help             textObject `json:"help"`
				Properties       struct {
					Tags             []string        `json:"tags"`
					SecuritySeverity json.RawMessage `json:"security-severity"`
				} `json:"properties"`
			} `json:"rules"`
		} `json:"driver"`
	} `json:"tool"`
	AutomationDetails struct {
		ID string `json:"id"`
	} `json:"automationDetails"`
	Results *[]finding `json:"results"`
}

type textObject struct {
	Text string `json:"text"`
}

type finding struct {
	RuleID    string     `json:"ruleId"`
	RuleIndex *int       `json:"ruleIndex"`
	Level     string     `json:"level"`
	Message   textObject `json:"message"`
	Locations []struct {
		PhysicalLocation *struct {
			ArtifactLocation *struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region *struct {
				StartLine int `json:"startLine"`
				EndLine   int `json:"endLine"`
			} `json:"region"`
		} `json:"physicalLocation"`
	} `json:"locations"`
	PartialFingerprints map[string]string `json:"partialFingerprints"`
}

// gate collects the faults of a document.
type gate struct{ faults []error }

func (g *gate) check(ok bool, format string, args ...any) {
	const most = 50
	if !ok && len(g.faults) < most {
		g.faults = append(g.faults, fmt.Errorf(format, args...))
	}
}

// Validate returns the reasons for which code scanning would refuse a
// document or show it badly: what its server checks beyond the SARIF schema.
// None means that it would be accepted.
func Validate(data []byte) []error {
	var doc log
	if err := json.Unmarshal(data, &doc); err != nil {
		return []error{fmt.Errorf("not a SARIF document: %w", err)}
	}
	g := &gate{}
	g.check(doc.Schema != "", "$schema is missing")
	g.check(doc.Version == "2.1.0", "version is %q, not 2.1.0", doc.Version)
	g.check(len(doc.Runs) > 0 && len(doc.Runs) <= limitRuns, "%d runs: 1 to %d are accepted", len(doc.Runs), limitRuns)
	g.check(zipped(data) <= limitGzip, "the compressed file is over %d MiB", limitGzip>>20)
	var categories []string
	for i, r := range doc.Runs {
		id := r.AutomationDetails.ID
		end := strings.LastIndex(id, "/")
		g.check(end > 0, "run %d: automationDetails.id %q names no category before a slash", i, id)
		category := r.Tool.Driver.Name + "\x00" + id[:max(0, end)]
		g.check(!slices.Contains(categories, category), "run %d: a second run of the category %q", i, id)
		categories = append(categories, category)
		g.rules(i, r)
		g.results(i, r)
	}
	return g.faults
}

func zipped(data []byte) int {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Len()
}

func (g *gate) rules(i int, r run) {
	rules := r.Tool.Driver.Rules
	g.check(r.Tool.Driver.Name != "", "run %d: tool.driver.name is empty", i)
	g.check(len(rules) <= limitRules, "run %d: %d rules, over %d", i, len(rules), limitRules)
	seen := map[string]bool{}
	for _, rule := range rules {
		at := fmt.Sprintf("run %d, rule %q", i, rule.ID)
		g.check(rule.ID != "" && !seen[rule.ID], "%s: the id is empty or stands twice", at)
		seen[rule.ID] = true
		g.check(utf8.RuneCountInString(rule.Name) <= limitName, "%s: name over %d characters", at, limitName)
		for name, text := range map[string]string{"shortDescription": rule.ShortDescription.Text, "fullDescription": rule.FullDescription.Text} {
			g.check(strings.TrimSpace(text) != "" && utf8.RuneCountInString(text) <= limitText, "%s: %s.text must have 1 to %d characters", at, name, limitText)
		}
		g.check(strings.TrimSpace(rule.Help.Text) != "", "%s: help.text is empty", at)
		g.check(len(rule.Properties.Tags) <= limitTags, "%s: more than %d tags", at, limitTags)
		if raw := rule.Properties.SecuritySeverity; raw != nil {
			var text string
			err := json.Unmarshal(raw, &text)
			value, errNumber := strconv.ParseFloat(text, 64)
			g.check(err == nil && errNumber == nil && value > 0 && value <= 10, "%s: security-severity %s is no text with a number from 0.1 to 10.0", at, raw)
		}
	}
}

func (g *gate) results(i int, r run) {
	if r.Results == nil {
		g.check(false, "run %d: results is not an array", i)
		return
	}
	g.check(len(*r.Results) <= limitResults, "run %d: %d results, over %d", i, len(*r.Results), limitResults)
	prints := map[string]bool{}
	for j, f := range *r.Results {
		at := fmt.Sprintf("run %d, result %d", i, j)
		g.check(strings.TrimSpace(f.Message.Text) != "", "%s: message.text is empty", at)
		g.check(slices.Contains([]string{"error", "warning", "note", "none"}, f.Level), "%s: level %q", at, f.Level)
		rules := r.Tool.Driver.Rules
		g.check(f.RuleIndex != nil && *f.RuleIndex >= 0 && *f.RuleIndex < len(rules) && rules[*f.RuleIndex].ID == f.RuleID, "%s: ruleIndex does not point to the rule %q", at, f.RuleID)
		g.location(at, f)
		print := f.PartialFingerprints["primaryLocationLineHash"]
		g.check(print != "" && !prints[f.RuleID+print], "%s: the fingerprint is missing or stands twice", at)
		prints[f.RuleID+print] = true
	}
}

// location checks the first location, which is the one that is shown.
func (g *gate) location(at string, f finding) {
	if len(f.Locations) == 0 {
		g.check(false, "%s: expected at least one location", at)
		return
	}
	p := f.Locations[0].PhysicalLocation
	if p == nil || p.ArtifactLocation == nil {
		g.check(false, "%s: expected a physical location with an artifact location", at)
		return
	}
	uri, err := url.Parse(p.ArtifactLocation.URI)
	ok := err == nil && p.ArtifactLocation.URI != "" && uri.Scheme == "" && uri.Host == "" && !strings.HasPrefix(uri.Path, "/") && uri.Fragment == "" && uri.RawQuery == ""
	g.check(ok && !strings.Contains("/"+uri.Path+"/", "/../"), "%s: %q is no URI relative to the repository", at, p.ArtifactLocation.URI)
	g.check(p.Region != nil && p.Region.StartLine >= 1 && (p.Region.EndLine == 0 || p.Region.EndLine >= p.Region.StartLine), "%s: the region must start at line 1 or later", at)
}
