package publish

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/google/go-github/v60/github"

	"github.com/sealmark/action/internal/gha"
)

// Place is where the user says that results belong.
type Place struct {
	// PullRequest is a number, 0 for none.
	PullRequest int
	// Commit and Ref are what an analysis is of, "" if not given.
	Commit, Ref string
}

// Locate says what results are about that were made elsewhere. For a
// workflow_run, whatever the place, that follows from the event and from what GitHub says of the
// pull request: the results can't say it, since whoever made them may lie. Else
// it is the place that the user names, and what the event says if there is
// none.
func (p *Publisher) Locate(ctx context.Context, place Place) (gha.Target, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	switch {
	case p.event.Trigger != nil:
		return p.triggered(ctx)
	case place.PullRequest > 0:
		return p.named(ctx, place)
	case place != (Place{}):
		return gha.Target{Commit: place.Commit, SHA: place.Commit, Ref: place.Ref, NoUpload: half(place), Run: p.target.Run}, nil
	}
	return p.target, nil
}

// half says what a place lacks for an analysis, "" for nothing.
func half(place Place) string {
	if place.Commit == "" || place.Ref == "" {
		return "it needs both a commit and a ref"
	}
	return ""
}

var fullName = regexp.MustCompile(`^([A-Za-z0-9._-]+)/[A-Za-z0-9._-]+$`)

// triggered finds the open pull request whose head the finished run was about.
// The payload names none for a fork, and the list of pull requests of a commit
// lacks those of forks, so it is looked for by the branch of its head.
func (p *Publisher) triggered(ctx context.Context) (gha.Target, error) {
	run, target := p.event.Trigger, p.event.Triggered()
	nothing := func(format string, args ...any) (gha.Target, error) {
		target.NoUpload = fmt.Sprintf(format, args...)
		target.NoComment = target.NoUpload
		return target, nil
	}
	owner := fullName.FindStringSubmatch(run.HeadRepository)
	switch {
	case run.Event != "pull_request":
		return nothing("the run was started by %s, not by a pull request, and can publish its results itself", run.Event)
	case owner == nil || run.HeadBranch == "" || run.HeadSHA == "":
		return nothing("the repository, the branch or the commit that the run was about is gone")
	}
	pulls, err := retried(ctx, nil, func() ([]*github.PullRequest, error) {
		list, _, err := p.client.PullRequests.List(ctx, p.event.Owner, p.event.Repo, &github.PullRequestListOptions{
			State: "open", Head: owner[1] + ":" + run.HeadBranch, ListOptions: github.ListOptions{PerPage: 100},
		})
		return list, err
	})
	if err != nil {
		return target, fmt.Errorf("the pull request of the run can't be found: %s", p.reason(err))
	}
	var current, moved []int
	for _, pull := range pulls {
		head, base := pull.GetHead(), pull.GetBase()
		switch {
		case !strings.EqualFold(head.GetRepo().GetFullName(), run.HeadRepository), head.GetRef() != run.HeadBranch,
			!strings.EqualFold(base.GetRepo().GetFullName(), p.event.Repository()):
		case head.GetSHA() == run.HeadSHA:
			current = append(current, pull.GetNumber())
		default:
			moved = append(moved, pull.GetNumber())
		}
	}
	switch {
	case len(current) > 1:
		return nothing("pull requests %v have the same head, and which of them the run was about is not known", current)
	case len(current) == 0 && len(moved) > 0:
		return nothing("pull request %d is at another commit than %s by now", moved[0], run.HeadSHA)
	case len(current) == 0:
		return nothing("no open pull request has the head %s", run.HeadSHA)
	}
	target.PullRequest, target.Ref = current[0], fmt.Sprintf("refs/pull/%d/head", current[0])
	return target, nil
}

// named is the head of the pull request that the user names.
func (p *Publisher) named(ctx context.Context, place Place) (gha.Target, error) {
	pull, err := retried(ctx, nil, func() (*github.PullRequest, error) {
		pull, _, err := p.client.PullRequests.Get(ctx, p.event.Owner, p.event.Repo, place.PullRequest)
		return pull, err
	})
	if err != nil {
		return gha.Target{}, fmt.Errorf("pull request %d can't be read: %s", place.PullRequest, p.reason(err))
	}
	head := pull.GetHead().GetSHA()
	if place.Commit != "" && place.Commit != head {
		return gha.Target{}, fmt.Errorf("pull request %d is at commit %.64q, not at %s: test that one", place.PullRequest, head, place.Commit)
	}
	target := gha.Target{Commit: head, SHA: head, Ref: place.Ref, PullRequest: place.PullRequest, Run: p.target.Run}
	if target.Ref == "" {
		target.Ref = fmt.Sprintf("refs/pull/%d/head", place.PullRequest)
	}
	return target, nil
}
