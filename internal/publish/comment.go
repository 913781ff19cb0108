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
	comment, err := retried(ctx, nil, func() (*github.IssueComment, error) { return p.upsert(ctx, login, mine[1], mine[2], body) })
	switch {
	case err == nil:
		return comment.GetHTMLURL(), ""
	case denied(err):
		return "", "No comment was posted: " + p.missing("pull-requests: write") + " GitHub says: " + p.reason(err)
	}
	return "", "No comment was posted. GitHub says: " + p.reason(err)
}

// upsert updates the oldest comment of the key that can be updated and deletes
// the others, or posts the first one. Two jobs may post at once, so a new
// comment is followed by a second look.
func (p *Publisher) upsert(ctx context.Context, login, key, run, body string) (*github.IssueComment, error) {
	var posted *github.IssueComment
	for {
		own, err := p.own(ctx, login, key)
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
		posted, _, err = p.client.Issues.CreateComment(ctx, p.event.Owner, p.event.Repo, p.event.PullRequest, &github.IssueComment{Body: &body})
		if err != nil {
			return nil, err
		}
	}
}

// settle leaves one of our comments, with the body unless a later run wrote
// one. It returns nil if none of them can be updated.
func (p *Publisher) settle(ctx context.Context, own []*github.IssueComment, run, body string) (*github.IssueComment, error) {
	for _, c := range own {
		if newer(marker.FindStringSubmatch(c.GetBody())[2], run) {
			return c, nil
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
			if m != nil && m[1] == key && wrote(login, c.GetUser()) {
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

// wrote reports whether an author is the one with the login. The logins of
// apps end in [bot], which only some interfaces say; those of people can't.
func wrote(login string, author *github.User) bool {
	if strings.EqualFold(author.GetLogin(), login) {
		return true
	}
	name, isBot := strings.CutSuffix(strings.ToLower(author.GetLogin()), "[bot]")
	return isBot && strings.EqualFold(name, login)
}
