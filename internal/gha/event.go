package gha

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Event is what made the workflow run.
type Event struct {
	// Name is the event: push, pull_request, …
	Name string
	// Owner and Repo name the repository.
	Owner, Repo string
	// SHA and Ref are the commit and the ref that the workflow runs on.
	SHA, Ref string
	// PullRequest is the number of the pull request, 0 for none; HeadSHA its
	// head commit.
	PullRequest int
	HeadSHA     string
	// Fork: the pull request comes from another repository.
	Fork bool
	// APIURL and GraphQLURL are the addresses of GitHub's API.
	APIURL, GraphQLURL string
	// Workspace is the folder of the checkout.
	Workspace string
	// RunID is the number of the workflow run; later runs have larger ones.
	RunID string
}

const maxPayload = 32 << 20

// Event reads the event from the environment and its payload.
func (r *Runner) Event() (Event, error) {
	e := Event{
		Name: r.getenv("GITHUB_EVENT_NAME"), SHA: r.getenv("GITHUB_SHA"), Ref: r.getenv("GITHUB_REF"),
		APIURL: orDefault(r.getenv("GITHUB_API_URL"), "https://api.github.com"), GraphQLURL: orDefault(r.getenv("GITHUB_GRAPHQL_URL"), "https://api.github.com/graphql"),
		Workspace: r.getenv("GITHUB_WORKSPACE"), RunID: r.getenv("GITHUB_RUN_ID"),
	}
	e.Owner, e.Repo, _ = strings.Cut(r.getenv("GITHUB_REPOSITORY"), "/")
	path := r.getenv("GITHUB_EVENT_PATH")
	if path == "" {
		return e, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return e, fmt.Errorf("the event can't be read: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxPayload))
	if err != nil {
		return e, fmt.Errorf("the event can't be read: %w", err)
	}
	type repository struct {
		FullName string `json:"full_name"`
	}
	var payload struct {
		PullRequest *struct {
			Number int `json:"number"`
			Head   struct {
				SHA  string      `json:"sha"`
				Repo *repository `json:"repo"`
			} `json:"head"`
			Base struct {
				Repo repository `json:"repo"`
			} `json:"base"`
		} `json:"pull_request"`
	}
	if err := json.Unmarshal(data, &payload); err != nil {
		return e, fmt.Errorf("the event is no JSON: %w", err)
	}
	if pr := payload.PullRequest; pr != nil {
		e.PullRequest, e.HeadSHA = pr.Number, pr.Head.SHA
		e.Fork = pr.Head.Repo == nil || !strings.EqualFold(pr.Head.Repo.FullName, pr.Base.Repo.FullName)
	}
	return e, nil
}

func orDefault(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

var (
	objectID = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)
	fullRef  = regexp.MustCompile(`^refs/(heads|tags|pull)/.+$`)
)

// Commit is the commit that the event is about: the head of a pull request,
// else the commit of the ref; "" if it is not known.
func (e Event) Commit() string {
	for _, sha := range []string{e.HeadSHA, e.SHA} {
		if objectID.MatchString(sha) {
			return sha
		}
	}
	return ""
}

// Analysed is the commit and the ref that an analysis is uploaded for. A pull
// request is analysed as its merge, or as its head if another commit than the
// merge is checked out. why says why nothing can be uploaded, "" if it can.
func (e Event) Analysed() (sha, ref, why string) {
	sha, ref = e.SHA, e.Ref
	there := checkedOut(e.Workspace)
	other := there != "" && there != sha
	if e.PullRequest > 0 && other {
		sha, ref = there, fmt.Sprintf("refs/pull/%d/head", e.PullRequest)
	}
	switch {
	case e.Name == "merge_group":
		return "", "", "code scanning takes no analysis of a merge queue"
	case e.Owner == "" || e.Repo == "":
		return "", "", "the repository is not known"
	case !objectID.MatchString(sha) || !fullRef.MatchString(ref):
		return "", "", "the commit or the ref of this event is not known"
	case e.PullRequest == 0 && other:
		return "", "", "the commit that is checked out is not the one of the event"
	}
	return sha, ref, ""
}

// checkedOut reads the commit of a checkout from its .git folder, without
// running git, which refuses a folder of another user.
func checkedOut(workspace string) string {
	head := readSmall(filepath.Join(workspace, ".git", "HEAD"))
	if ref, ok := strings.CutPrefix(head, "ref: "); ok && filepath.IsLocal(ref) {
		head = readSmall(filepath.Join(workspace, ".git", filepath.FromSlash(ref)))
	}
	if objectID.MatchString(head) {
		return head
	}
	return ""
}

func readSmall(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, 4096))
	return strings.TrimSpace(string(data))
}
