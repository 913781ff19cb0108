package publish

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cenkalti/backoff/v5"
	"github.com/google/go-github/v60/github"
)

// marker is the first line of our comments. The key tells servers apart, the
// run tells newer results from older ones.
var marker = regexp.MustCompile(`^<!-- sealmark:v1 key=([A-Za-z0-9%._+-]*) run=([0-9]*(?:\.[0-9]+)?) -->\r?\n`)

// Marker returns the first line of the comment for a key and a workflow run,
// RUN or RUN.ATTEMPT.
func Marker(key, run string) string {
	n := numbers(run)
	return fmt.Sprintf("<!-- sealmark:v1 key=%s run=%d.%d -->", url.QueryEscape(key), n[0], n[1])
}

// numbers reads RUN.ATTEMPT; what is missing or no number is 0.
func numbers(run string) (n [2]uint64) {
	id, attempt, _ := strings.Cut(run, ".")
	n[0], _ = strconv.ParseUint(id, 10, 64)
	n[1], _ = strconv.ParseUint(attempt, 10, 64)
	return n
}

// maxPages bounds the search for our comment, at 100 comments a page.
const maxPages = 100

// PostComment posts the comment of a key on the pull request, or updates the
// oldest one that is there and deletes further ones. The body starts with
// Marker's line. It returns the comment's address, and a notice if something
// went wrong.
func (p *Publisher) PostComment(ctx context.Context, body string) (address, notice string) {
	if why := p.target.NoComment; why != "" {
		return "", "No comment was posted: " + why + "."
	}
	if p.target.PullRequest == 0 {
		return "", ""
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	mine := marker.FindStringSubmatch(body)
	if mine == nil {
		return "", "The comment was not posted: it has no marker."
	}
	p.whoami(ctx)
	// A request that failed may have arrived, so each try looks again for what
	// is there.
	comment, err := retried(ctx, nil, func() (*github.IssueComment, error) { return p.upsert(ctx, mine[1], mine[2], body) })
	switch {
	case err == nil && laterThan(comment.GetBody(), mine[2]):
		return comment.GetHTMLURL(), "The comment was left as it is: it is that of a later run."
	case err == nil:
		return comment.GetHTMLURL(), ""
	case denied(err) && strings.Contains(strings.ToLower(err.Error()), "locked"):
		return "", "No comment was posted: the conversation is locked. GitHub says: " + p.reason(err)
	case denied(err):
		return "", "No comment was posted: " + p.missing() + " GitHub says: " + p.reason(err)
	}
	return "", "No comment was posted. GitHub says: " + p.reason(err)
}

// upsert updates the oldest comment of the key that can be updated and deletes
// the others, or posts the first one. Two jobs may post at once, so a new
// comment is followed by a second look.
func (p *Publisher) upsert(ctx context.Context, key, run, body string) (*github.IssueComment, error) {
	var posted *github.IssueComment
	for {
		own, err := p.own(ctx, key)
		if err != nil && posted == nil {
			return nil, err
		}
		comment, err := p.settle(ctx, own, run, body)
		if posted != nil && (err != nil || comment == nil) {
			return posted, nil
		}
		if comment != nil || err != nil {
			return comment, err
		}
		posted, _, err = p.client.Issues.CreateComment(ctx, p.event.Owner, p.event.Repo, p.target.PullRequest, &github.IssueComment{Body: &body})
		if err != nil {
			return nil, err
		}
	}
}

// settle leaves one of our comments, with the body of the latest run. All jobs
// keep the oldest comment that can be updated, and an earlier run finishes
// what a later one has begun, so that jobs which come to this at the same time
// end with the same one. It returns nil if none can be updated.
func (p *Publisher) settle(ctx context.Context, own []*github.IssueComment, run, body string) (*github.IssueComment, error) {
	for _, c := range own {
		if laterThan(c.GetBody(), run) {
			body = c.GetBody()
			run = marker.FindStringSubmatch(body)[2]
		}
	}
	for i, c := range own {
		if !same(c.GetBody(), body) {
			edited, _, err := p.client.Issues.EditComment(ctx, p.event.Owner, p.event.Repo, c.GetID(), &github.IssueComment{Body: &body})
			if err != nil && denied(err) {
				continue
			}
			if err != nil {
				return nil, err
			}
			c = edited
		}
		for _, twin := range own[i+1:] {
			// What can't be deleted now is tried again by the next run.
			p.client.Issues.DeleteComment(ctx, p.event.Owner, p.event.Repo, twin.GetID())
		}
		return c, nil
	}
	return nil, nil
}

// same reports whether two comments say the same, whichever runs wrote them.
func same(a, b string) bool { return content(a) == content(b) }

func content(body string) string {
	body = strings.ReplaceAll(body, "\r\n", "\n")
	return strings.TrimSpace(body[len(marker.FindString(body)):])
}

// laterThan reports whether a comment is of a later run than ours: one with a
// larger number, or a later attempt.
func laterThan(body, run string) bool {
	m := marker.FindStringSubmatch(body)
	if m == nil {
		return false
	}
	there, ours := numbers(m[2]), numbers(run)
	return slices.Compare(there[:], ours[:]) > 0
}

// own returns our comments of a key, oldest first. A comment is ours if it
// starts with the marker and we wrote it: a marker alone can be pasted by
// anyone.
func (p *Publisher) own(ctx context.Context, key string) ([]*github.IssueComment, error) {
	var own []*github.IssueComment
	options := &github.IssueListCommentsOptions{ListOptions: github.ListOptions{PerPage: 100}}
	for range maxPages {
		page, response, err := p.client.Issues.ListComments(ctx, p.event.Owner, p.event.Repo, p.target.PullRequest, options)
		if err != nil {
			return nil, err
		}
		for _, c := range page {
			m := marker.FindStringSubmatch(c.GetBody())
			if m != nil && m[1] == key && wrote(p.login, c.GetUser()) {
				own = append(own, c)
			}
		}
		if response.NextPage == 0 {
			break
		}
		options.Page = response.NextPage
	}
	slices.SortFunc(own, func(a, b *github.IssueComment) int { return cmp.Compare(a.GetID(), b.GetID()) })
	return own, nil
}

// workflowLogin is who writes with the token of a workflow.
const workflowLogin = "github-actions[bot]"

// whoami finds out who we are, once. GraphQL answers that for every kind of
// token; where it does not, we are taken for the token of a workflow.
func (p *Publisher) whoami(ctx context.Context) {
	if p.login != "" {
		return
	}
	var answer struct {
		Data struct {
			Viewer struct {
				Login string `json:"login"`
			} `json:"viewer"`
		} `json:"data"`
	}
	_, err := retried(ctx, nil, func() (*github.Response, error) {
		request, err := p.client.NewRequest(http.MethodPost, p.event.GraphQLURL, map[string]string{"query": "query { viewer { login } }"})
		if err != nil {
			return nil, backoff.Permanent(err)
		}
		return p.client.Do(ctx, request, &answer)
	})
	p.login = answer.Data.Viewer.Login
	if err != nil || p.login == "" {
		p.login = workflowLogin
	}
}

// wrote reports whether an author is the one with the login. The logins of
// apps end in [bot], which only some interfaces say; those of people can't.
func wrote(login string, author *github.User) bool {
	if strings.EqualFold(author.GetLogin(), login) {
		return true
	}
	name, isBot := strings.CutSuffix(strings.ToLower(author.GetLogin()), "[bot]")
	return isBot && strings.EqualFold(name, login)
}
