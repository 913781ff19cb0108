package publish

import (
	"context"
	"fmt"
	"strings"

	"github.com/sealmark/action/internal/gha"
	"github.com/sealmark/action/internal/report"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// Delivery is what is to be brought to GitHub, and how.
type Delivery struct {
	Result  *result.Result
	Catalog []rule.Check
	// SARIF is the document, ResultFile and SARIFFile where both were written
	// to.
	SARIF                 []byte
	ResultFile, SARIFFile string
	// Key tells the comment from those of other servers and jobs.
	Key                          string
	Token                        string
	Comment, Upload, Annotations bool
}

// Deliver brings a result to GitHub: outputs, annotations, SARIF upload,
// comment, and last the job summary with a notice for all that failed. None of
// it decides the exit code. The files that d names are there already.
func Deliver(ctx context.Context, runner *gha.Runner, event gha.Event, d Delivery) {
	var notices []string
	note := func(text string) {
		if text != "" {
			notices = append(notices, text)
			runner.Info(text)
		}
	}
	if err := setOutputs(runner, values(d)); err != nil {
		note("The outputs of the step could not be set: " + err.Error())
	}
	if d.Annotations {
		if left := runner.Annotate(annotations(d.Result)); left > 0 {
			note(fmt.Sprintf("%d more findings are not annotated: GitHub shows ten of each level per step. The table below has them.", left))
		}
	}
	if d.Token == "" && (d.Upload || d.Comment) {
		note("There is no token, so nothing was uploaded and no comment was posted.")
	} else if d.Upload || d.Comment {
		address := d.online(ctx, event, note)
		if err := setOutputs(runner, map[string]string{"comment-url": address}); err != nil {
			note("The output comment-url could not be set: " + err.Error())
		}
	}
	markdown := report.Markdown(d.Result, d.Catalog, report.MarkdownOptions{Kind: report.Summary, Notices: notices})
	if err := runner.Summary(markdown); err != nil {
		runner.Warn("The job summary could not be written: " + err.Error())
	}
}

// online does what needs GitHub's API and returns the address of the comment.
func (d Delivery) online(ctx context.Context, event gha.Event, note func(string)) (address string) {
	p, err := New(event, d.Token)
	if err != nil {
		note("Nothing was uploaded and no comment was posted: " + err.Error())
		return ""
	}
	if d.Upload {
		if why := unfit(d.Result); why != "" {
			note("Nothing was uploaded to code scanning, since " + why + ": the alerts that are open would be closed.")
		} else {
			note(p.UploadSARIF(ctx, d.SARIF))
		}
	}
	if !d.Comment {
		return ""
	}
	body := report.Markdown(d.Result, d.Catalog, report.MarkdownOptions{Kind: report.Comment, Marker: Marker(d.Key, event.RunID)})
	if sha := event.Commit(); sha != "" {
		body = strings.TrimRight(body, "\n") + "\n\nThis is about commit " + sha + ".\n"
	}
	address, notice := p.PostComment(ctx, body)
	note(notice)
	return address
}

// unfit says why a result must not become an analysis, "" if it may: what an
// analysis lacks, code scanning takes for mended.
func unfit(r *result.Result) string {
	switch {
	case r.Status == result.NotAssessed:
		return "the server was not assessed"
	case r.Completeness.Interrupted:
		return "the run was cut short"
	}
	return ""
}

// values are the action's outputs that are known before anything is sent.
func values(d Delivery) map[string]string {
	score, grade := "", ""
	if s := d.Result.Score; s != nil {
		score, grade = fmt.Sprintf("%.1f", s.Percent), s.Letter
	}
	return map[string]string{
		"score": score, "grade": grade, "coverage": d.Result.Coverage.Level, "findings": fmt.Sprint(len(d.Result.Reported())),
		"result-file": d.ResultFile, "sarif-file": d.SARIFFile,
	}
}

// setOutputs sets outputs in the order of the action's table.
func setOutputs(runner *gha.Runner, values map[string]string) error {
	for _, output := range gha.Outputs {
		value, ok := values[output.Name]
		if !ok {
			continue
		}
		if err := runner.SetOutput(output.Name, value); err != nil {
			return err
		}
	}
	return nil
}

// annotations are the findings as remarks at their places; a run that is not
// assessed has its reason first.
func annotations(r *result.Result) []gha.Annotation {
	var list []gha.Annotation
	if r.Reason != nil {
		list = append(list, gha.Annotation{Level: "error", Path: r.Server.Anchor.Path, Line: r.Server.Anchor.Line, Title: "Sealmark: not assessed", Message: strings.TrimSpace(r.Reason.Text + " " + r.Reason.Next)})
	}
	for _, f := range r.Reported() {
		if r.Reason != nil && f.Rule == r.Reason.Rule {
			continue
		}
		place := r.Server.Anchor
		if f.Location != nil {
			place = *f.Location
		}
		list = append(list, gha.Annotation{Level: string(f.Severity), Path: place.Path, Line: place.Line, Title: "Sealmark: " + f.Rule, Message: f.Message})
	}
	return list
}
