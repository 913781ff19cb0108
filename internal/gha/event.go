package gha

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
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
	// PullRequest is the number of the pull request that the event is about, 0
	// for none; HeadSHA is its head commit and MergeSHA its test merge, "" if
	// they are not known.
	PullRequest       int
	HeadSHA, MergeSHA string
	// BaseSHA is the commit that the change starts from: the tip of the branch
	// that a pull request or a merge queue goes into, or what a branch was
	// before a push; "" if it is not known.
	BaseSHA string
	// Fork: the pull request comes from another repository.
	Fork bool
	// Dependabot started the run. Its token only reads unless the workflow
	// itself gives it more.
	Dependabot bool
	// Comment: the event is a comment on a pull request. The workflow then runs
	// on the default branch.
	Comment bool
	// Trigger is the run whose end made a workflow_run event, nil for others.
	Trigger *Trigger
	// ServerURL, APIURL and GraphQLURL are the addresses of GitHub and its API.
	ServerURL, APIURL, GraphQLURL string
	// Workspace is the folder of the checkout, CheckedOut the commit that was
	// checked out there when the event was read, "" if it is not known.
	Workspace, CheckedOut string
	// RunID and RunAttempt are the numbers of the workflow run; later runs have
	// larger ones.
	RunID, RunAttempt string
}

// Trigger is a workflow run that has ended.
type Trigger struct {
	// ID and Attempt are its numbers.
	ID, Attempt string
	// Event is what made it run.
	Event string
	// HeadSHA, HeadBranch and HeadRepository (OWNER/NAME) say what it ran on;
	// HeadRepository is "" if it is gone.
	HeadSHA, HeadBranch, HeadRepository string
}

const maxPayload = 32 << 20

// Event reads the event from the environment and its payload.
func (r *Runner) Event() (Event, error) {
	e := Event{
		Name: r.getenv("GITHUB_EVENT_NAME"), SHA: r.getenv("GITHUB_SHA"), Ref: r.getenv("GITHUB_REF"),
		ServerURL: orDefault(r.getenv("GITHUB_SERVER_URL"), "https://github.com"),
		APIURL:    orDefault(r.getenv("GITHUB_API_URL"), "https://api.github.com"), GraphQLURL: orDefault(r.getenv("GITHUB_GRAPHQL_URL"), "https://api.github.com/graphql"),
		Workspace: r.getenv("GITHUB_WORKSPACE"), RunID: r.getenv("GITHUB_RUN_ID"), RunAttempt: r.getenv("GITHUB_RUN_ATTEMPT"),
		Dependabot: r.getenv("GITHUB_ACTOR") == "dependabot[bot]",
	}
	e.Owner, e.Repo, _ = strings.Cut(r.getenv("GITHUB_REPOSITORY"), "/")
	e.CheckedOut = checkedOut(checkoutOf(e.Workspace, r.Input("working-directory")))
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
	if err := e.read(data); err != nil {
		return e, fmt.Errorf("the event %s can't be read: %w", e.Name, err)
	}
	return e, nil
}

// repository is a repository in a payload.
type repository struct {
	FullName string `json:"full_name"`
}

// read takes from a payload what the environment does not say. Only the part
// that belongs to the event is looked at.
func (e *Event) read(data []byte) error {
	var payload struct {
		PullRequest json.RawMessage `json:"pull_request"`
		WorkflowRun json.RawMessage `json:"workflow_run"`
		Issue       json.RawMessage `json:"issue"`
		MergeGroup  struct {
			BaseSHA string `json:"base_sha"`
		} `json:"merge_group"`
		Before string `json:"before"`
	}
	if err := json.Unmarshal(data, &payload); err != nil {
		return err
	}
	switch e.Name {
	case "pull_request", "pull_request_target", "pull_request_review", "pull_request_review_comment":
		return e.readPullRequest(payload.PullRequest)
	case "workflow_run":
		return e.readTrigger(payload.WorkflowRun)
	case "merge_group":
		e.BaseSHA = commitOrNone(payload.MergeGroup.BaseSHA)
	case "push":
		// A branch that is new was nothing before: the id is all zeros.
		if e.BaseSHA = commitOrNone(payload.Before); strings.Trim(e.BaseSHA, "0") == "" {
			e.BaseSHA = ""
		}
	case "issue_comment":
		var issue struct {
			PullRequest *struct{} `json:"pull_request"`
		}
		err := json.Unmarshal(payload.Issue, &issue)
		e.Comment = issue.PullRequest != nil
		return err
	}
	return nil
}

func (e *Event) readPullRequest(data []byte) error {
	var pull struct {
		Number   int    `json:"number"`
		MergeSHA string `json:"merge_commit_sha"`
		Head     struct {
			SHA  string      `json:"sha"`
			Repo *repository `json:"repo"`
		} `json:"head"`
		Base struct {
			SHA  string     `json:"sha"`
			Repo repository `json:"repo"`
		} `json:"base"`
	}
	if err := json.Unmarshal(data, &pull); err != nil {
		return err
	}
	e.PullRequest, e.HeadSHA, e.MergeSHA = max(0, pull.Number), commitOrNone(pull.Head.SHA), commitOrNone(pull.MergeSHA)
	e.BaseSHA = commitOrNone(pull.Base.SHA)
	e.Fork = pull.Head.Repo == nil || !strings.EqualFold(pull.Head.Repo.FullName, pull.Base.Repo.FullName)
	return nil
}

func (e *Event) readTrigger(data []byte) error {
	var run struct {
		ID             int64       `json:"id"`
		Attempt        int64       `json:"run_attempt"`
		Event          string      `json:"event"`
		HeadSHA        string      `json:"head_sha"`
		HeadBranch     string      `json:"head_branch"`
		HeadRepository *repository `json:"head_repository"`
	}
	if err := json.Unmarshal(data, &run); err != nil {
		return err
	}
	e.Trigger = &Trigger{
		ID: strconv.FormatInt(max(0, run.ID), 10), Attempt: strconv.FormatInt(max(1, run.Attempt), 10),
		Event: run.Event, HeadSHA: commitOrNone(run.HeadSHA), HeadBranch: run.HeadBranch,
	}
	if run.HeadRepository != nil {
		e.Trigger.HeadRepository = run.HeadRepository.FullName
	}
	return nil
}

func orDefault(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

var objectID = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// commitOrNone returns a commit's id, "" for anything else.
func commitOrNone(s string) string {
	if objectID.MatchString(s) {
		return s
	}
	return ""
}

// Repository is OWNER/NAME of the event's repository.
func (e Event) Repository() string { return e.Owner + "/" + e.Repo }

// Foreign reports whether the run that made a workflow_run event ran on the
// code of another repository.
func (e Event) Foreign() bool {
	return e.Trigger != nil && !strings.EqualFold(e.Trigger.HeadRepository, e.Repository())
}

// Proposed reports whether the run may be on a change that is not in yet, whose
// files anybody may have written.
func (e Event) Proposed() bool {
	return e.PullRequest > 0 || e.Name == "merge_group" || e.Trigger != nil || e.Comment
}

// Untrusted says why the code that is checked out must not be run for this
// event: anybody can send it, and the job has a token that can write and the
// repository's secrets. It is "" if nothing speaks against it.
func (e Event) Untrusted() string {
	elsewhere := e.CheckedOut != e.SHA // or not known
	switch {
	case e.Name == "pull_request_target":
		return "pull_request_target would run code that anybody can send"
	case e.Foreign() && elsewhere:
		return "workflow_run would run the code of a fork, where that is checked out"
	case e.Comment && elsewhere:
		return "issue_comment would run the code of a pull request, where that is checked out"
	}
	return ""
}

// checkoutOf is the checkout that holds a folder of the workspace: there may be
// several.
func checkoutOf(workspace, folder string) string {
	if workspace == "" || !filepath.IsLocal(folder) {
		return workspace
	}
	for dir := filepath.Clean(folder); dir != "."; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(workspace, dir, ".git")); err == nil {
			return filepath.Join(workspace, dir)
		}
	}
	return workspace
}

// checkedOut reads the commit of a checkout from its .git folder, without
// running git, which refuses a folder of another user.
func checkedOut(workspace string) string {
	if workspace == "" {
		return ""
	}
	head := readSmall(filepath.Join(workspace, ".git", "HEAD"))
	if ref, ok := strings.CutPrefix(head, "ref: "); ok && filepath.IsLocal(ref) {
		head = readSmall(filepath.Join(workspace, ".git", filepath.FromSlash(ref)))
	}
	return commitOrNone(head)
}

func readSmall(path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, 4096))
	return strings.TrimSpace(string(data))
}
