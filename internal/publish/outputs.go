package publish

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/gha"
	"github.com/sealmark/action/internal/result"
)

// levels are the levels of coverage, least first.
var levels = []string{"none", "hygiene only", "partial", "full"}

// values are the action's outputs that are known before anything is sent:
// score, letter and coverage of the worst server, all findings, and the files
// of all servers.
func (c *courier) values() map[string]string {
	worst := c.Reports[0].Result
	coverage := worst.Coverage.Level
	findings := 0
	var results, documents, logs []string
	for _, r := range c.Reports {
		if rank(r.Result) < rank(worst) {
			worst = r.Result
		}
		if slices.Index(levels, r.Result.Coverage.Level) < slices.Index(levels, coverage) {
			coverage = r.Result.Coverage.Level
		}
		findings += len(concerning(r.Result))
		results, documents = append(results, r.ResultFile), append(documents, r.SARIFFile)
		if r.BuildLog != "" {
			logs = append(logs, r.BuildLog)
		}
	}
	score, grade := "", ""
	if s := worst.Score; s != nil {
		score, grade = fmt.Sprintf("%.1f", s.Percent), s.Letter
	}
	return map[string]string{
		"score": score, "grade": grade, "coverage": coverage, "findings": fmt.Sprint(findings),
		"result-file": strings.Join(results, "\n"), "sarif-file": strings.Join(documents, "\n"), "build-log": strings.Join(logs, "\n"),
	}
}

// rank orders results by their score; one without a score is worst.
func rank(r *result.Result) float64 {
	if r.Score == nil {
		return -1
	}
	return r.Score.Percent
}

// setOutputs sets outputs in the order of the action's table.
func (c *courier) setOutputs(values map[string]string) {
	for _, output := range gha.Outputs {
		value, ok := values[output.Name]
		if !ok {
			continue
		}
		if c.secret.Find([]byte(value)) != nil {
			value = ""
		}
		if err := c.runner.SetOutput(output.Name, value); err != nil {
			c.fail("The output " + output.Name + " could not be set: " + err.Error())
		}
	}
}
