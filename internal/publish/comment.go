package publish

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/google/go-github/v60/github"
)

// marker is the first line of our comments. The key tells servers apart, the
// run tells newer results from older ones.
var marker = regexp.MustCompile(`^<!-- sealmark:v1 key=([A-Za-z0-9%._+-]*) run=([0-9]*) -->\r?\n`)

// Marker returns the first line of the comment for a key and a workflow run.
func Marker(key, run string) string {
	if _, err := strconv.ParseUint(run, 10, 64); err != nil {
		run = "0"
	}
	return fmt.Sprintf("<!-- sealmark:v1 key=%s run=%s -->", url.QueryEscape(key), run)
}

// maxPages bounds the search for our comment, at 100 comments a page.
const maxPages = 100

// PostComment posts the comment of a key on the pull request, or updates the
// oldest one that is there and deletes further ones. The body starts with
// Marker's line. It returns the comment's address, and a notice if something
// went wrong.
func (p *Publisher) PostComment(ctx context.Context, body string) (address, notice string) {
	if p.event.PullRequest == 0 {
		return "", ""
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	mine := marker.FindStringSubmatch(body)
	if mine == nil {
		return "", "The comment was not posted: it has no marker."
	}
	login := p.login(ctx)
	// A request that failed may have arrived, so each try looks again for what
	// is there.
	comment, err := retried(ctx, p, nil, func() (*github.IssueComment, error) { return p.upsert(ctx, login, mine[1], mine[2], body) })
	switch {
	case err == nil:
		return comment.GetHTMLURL(), ""
	case p.event.Fork && denied(err):
		return "", "No comment was posted: the token of a fork's pull request may not do that. GitHub says: " + p.reason(err)
	case denied(err):
		return "", "No comment was posted: the job needs the permission pull-requests: write. GitHub says: " + p.reason(err)
	}
	return "", "No comment was posted. GitHub says: " + p.reason(err)
}

// upsert updates the oldest comment of the key, or posts the first one.
func (p *Publisher) upsert(ctx context.Context, login, key, run, body string) (*github.IssueComment, error) {
	own, err := p.own(ctx, login, key)
	if err != nil {
		return nil, err
	}
	for _, twin := range own[min(1, len(own)):] {
		p.client.Issues.DeleteComment(ctx, p.event.Owner, p.event.Repo, twin.GetID())
	}
	if len(own) == 0 {
		return p.create(ctx, body)
	}
	first := own[0]
	there := marker.FindStringSubmatch(first.GetBody())
	switch {
	case newer(there[2], run):
		return first, nil
	case strings.TrimSpace(first.GetBody()[len(there[0]):]) == strings.TrimSpace(body[len(marker.FindString(body)):]):
		return first, nil
	}
	edited, _, err := p.client.Issues.EditComment(ctx, p.event.Owner, p.event.Repo, first.GetID(), &github.IssueComment{Body: &body})
	if err != nil && denied(err) {
		return p.create(ctx, body)
	}
	return edited, err
}

func (p *Publisher) create(ctx context.Context, body string) (*github.IssueComment, error) {
	comment, _, err := p.client.Issues.CreateComment(ctx, p.event.Owner, p.event.Repo, p.event.PullRequest, &github.IssueComment{Body: &body})
	return comment, err
}

// newer reports whether the run of a comment is later than ours.
func newer(there, ours string) bool {
	a, errA := strconv.ParseUint(there, 10, 64)
	b, errB := strconv.ParseUint(ours, 10, 64)
	return errA == nil && errB == nil && a > b
}

// own returns our comments of a key, oldest first. A comment is ours if it
// starts with the marker and we wrote it: a marker alone can be pasted by
// anyone.
func (p *Publisher) own(ctx context.Context, login, key string) ([]*github.IssueComment, error) {
	var own []*github.IssueComment
	options := &github.IssueListCommentsOptions{ListOptions: github.ListOptions{PerPage: 100}}
	for range maxPages {
		page, response, err := p.client.Issues.ListComments(ctx, p.event.Owner, p.event.Repo, p.event.PullRequest, options)
		if err != nil {
			return nil, err
		}
		for _, c := range page {
			m := marker.FindStringSubmatch(c.GetBody())
			if m != nil && m[1] == key && bare(c.GetUser().GetLogin()) == bare(login) {
				own = append(own, c)
			}
		}
		if response.NextPage == 0 {
			break
		}
		options.Page = response.NextPage
	}
	return own, nil
}

// workflowLogin is who writes with the token of a workflow.
const workflowLogin = "github-actions[bot]"

// login returns who we are. GraphQL answers that for every kind of token.
func (p *Publisher) login(ctx context.Context) string {
	var answer struct {
		Data struct {
			Viewer struct {
				Login string `json:"login"`
			} `json:"viewer"`
		} `json:"data"`
	}
	request, err := p.client.NewRequest(http.MethodPost, p.event.GraphQLURL, map[string]string{"query": "query { viewer { login } }"})
	if err != nil {
		return workflowLogin
	}
	if _, err := p.client.Do(ctx, request, &answer); err != nil || answer.Data.Viewer.Login == "" {
		return workflowLogin
	}
	return answer.Data.Viewer.Login
}

// bare is a login without the suffix that only some interfaces add.
func bare(login string) string { return strings.TrimSuffix(strings.ToLower(login), "[bot]") }
