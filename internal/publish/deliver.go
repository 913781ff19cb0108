package publish

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/gha"
	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/report"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// Report is the result of one server as it is brought to GitHub.
type Report struct {
	Result *result.Result
	// SARIF is the document for code scanning; ResultFile and SARIFFile are
	// where the result and its SARIF form were written to.
	SARIF                 []byte
	ResultFile, SARIFFile string
	// BuildLog is the file with the output of the build, "" if there was none.
	BuildLog string
	// Key tells the comment from those of other servers and jobs.
	Key string
}

// Delivery is what is to be brought to GitHub, and how.
type Delivery struct {
	// Reports holds one report per server, at least one.
	Reports []Report
	Catalog []rule.Check
	Token   string
	// Comment, Upload and Annotations switch the outputs on.
	Comment, Upload, Annotations bool
	// Target is what the results are about, nil for what the event says.
	Target *gha.Target
	// Remark is a sentence in Markdown about where the results come from, which
	// stands above each of them, "" for none.
	Remark string
}

// Deliver brings results to GitHub: outputs, annotations, SARIF uploads, one
// comment per server, and last the job summary with a notice for all that
// failed. None of it decides the exit code; the number of failures is returned
// for callers that do nothing else. The files that d names are there already.
func Deliver(ctx context.Context, runner *gha.Runner, event gha.Event, d Delivery) (failures int) {
	target := event.Target()
	if d.Target != nil {
		target = *d.Target
	}
	c := &courier{runner: runner, event: event, target: target, Delivery: d, secret: redact.New(map[string]string{"token": d.Token})}
	c.setOutputs(c.values())
	if d.Annotations {
		if left := runner.Annotate(c.annotations()); left > 0 {
			c.note(fmt.Sprintf("%d more findings are not annotated: GitHub shows ten of each level per step. The result file has them all.", left))
		}
	}
	if d.Token == "" && (d.Upload || d.Comment) {
		c.fail("There is no token, so nothing was uploaded and no comment was posted.")
	} else if d.Upload || d.Comment {
		c.setOutputs(map[string]string{"comment-url": strings.Join(c.online(ctx), "\n")})
	}
	c.summarise()
	return c.failures
}

// courier is a delivery on its way.
type courier struct {
	Delivery
	runner   *gha.Runner
	event    gha.Event
	target   gha.Target
	secret   *redact.Redactor
	notices  []string
	failures int
}

// note says something once, in the log and in the summary.
func (c *courier) note(text string) {
	if text == "" || slices.Contains(c.notices, text) {
		return
	}
	c.notices = append(c.notices, text)
	c.runner.Info(text)
}

// fail notes what could not be delivered.
func (c *courier) fail(text string) {
	if text != "" {
		c.failures++
		c.note(text)
	}
}

// online does what needs GitHub's API and returns the addresses of the
// comments.
func (c *courier) online(ctx context.Context) (addresses []string) {
	p, err := New(c.event, c.Token)
	if err != nil {
		c.fail("Nothing was uploaded and no comment was posted: " + err.Error())
		return nil
	}
	p.target = c.target
	ctx, cancel := context.WithTimeout(ctx, patienceInAll)
	defer cancel()
	for _, r := range c.Reports {
		if c.betrays(r) {
			c.fail("Nothing was uploaded and no comment was posted: " + leak)
			continue
		}
		if c.Upload {
			c.upload(ctx, p, r)
		}
		if !c.Comment {
			continue
		}
		body := c.page(r, report.MarkdownOptions{Kind: report.Comment, Marker: Marker(r.Key, c.target.Run)})
		address, notice := p.PostComment(ctx, body)
		c.fail(notice)
		if address != "" {
			c.runner.Info("Comment: " + address)
			addresses = append(addresses, address)
		}
	}
	return addresses
}

const leak = "it holds the token of this job. Look how the server got at it, and revoke it if it is no workflow's."

// betrays reports whether a report holds the token in any form.
func (c *courier) betrays(r Report) bool {
	document, err := r.Result.Marshal()
	return err != nil || c.secret.Find(document) != nil || c.secret.Find(r.SARIF) != nil
}

// upload uploads the findings of a server.
func (c *courier) upload(ctx context.Context, p *Publisher, r Report) {
	if why := unfit(r.Result); why != "" {
		c.note("Nothing was uploaded to code scanning, since " + why + ": the alerts that are open would be closed.")
		return
	}
	c.fail(p.UploadSARIF(ctx, r.SARIF, r.Result.Volatile.Started))
}

// page is the report of a server, below what is to be said of its origin.
func (c *courier) page(r Report, o report.MarkdownOptions) string {
	o.Links = report.Links{Server: c.event.ServerURL, Repository: c.event.Repository(), Commit: c.target.Commit, Run: c.target.RunURL}
	body := report.Markdown(r.Result, c.Catalog, o)
	if c.Remark == "" {
		return body
	}
	rest := strings.TrimPrefix(body, o.Marker+"\n")
	return body[:len(body)-len(rest)] + "> " + c.Remark + "\n\n" + rest
}

// summarise writes the job summary. All servers share its size.
func (c *courier) summarise() {
	var pages []string
	for i, r := range c.Reports {
		o := report.MarkdownOptions{Kind: report.Summary, Budget: maxSummary/len(c.Reports) - 1000}
		if i == 0 {
			o.Notices = c.notices
		}
		if c.betrays(r) {
			pages = append(pages, "## Sealmark\n\nA report is left out: "+leak+"\n")
			continue
		}
		pages = append(pages, c.page(r, o))
	}
	if err := c.runner.Summary(strings.Join(pages, "\n")); err != nil {
		c.runner.Warn("The job summary could not be written: " + err.Error())
	}
}

// maxSummary is the size in bytes of all reports in a job summary: GitHub drops
// one over 1 MiB.
const maxSummary = 1000 << 10

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
