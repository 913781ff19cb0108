package gha

import (
	"fmt"
	"regexp"
)

// Target is what results are about, and where on GitHub they go.
type Target struct {
	// Commit is the commit that a reader knows: the head of a pull request if
	// that or its merge is tested, else the one that is checked out; "" if it
	// is not known.
	Commit string
	// SHA and Ref are what an analysis is uploaded for. NoUpload says why there
	// is none, "" if there is one.
	SHA, Ref, NoUpload string
	// PullRequest is the one to comment on, 0 for none. NoComment says why
	// there is none although the event is about one.
	PullRequest int
	NoComment   string
	// Run is RUN.ATTEMPT of the workflow run that made the results: later
	// results have larger numbers.
	Run string
	// RunURL is the address of that run, "" if it is not known.
	RunURL string
}

var fullRef = regexp.MustCompile(`^refs/(heads|tags|pull)/.+$`)

// Target is what a server that is tested for this event is about. An analysis
// of a pull request is one of its test merge, or of its head if another commit
// than the merge is checked out.
func (e Event) Target() Target {
	t := Target{Commit: commitOrNone(e.HeadSHA), PullRequest: e.PullRequest, SHA: e.SHA, Ref: e.Ref, Run: e.RunID + "." + orDefault(e.RunAttempt, "1")}
	if t.Commit == "" {
		t.Commit = commitOrNone(e.SHA)
	}
	t.RunURL = e.runURL(e.RunID, e.RunAttempt)
	if e.Name == "pull_request_target" {
		e.aim(&t)
	} else if there := e.CheckedOut; there != "" && there != t.SHA {
		t.Commit, t.SHA, t.Ref = there, there, fmt.Sprintf("refs/pull/%d/head", e.PullRequest)
		if e.PullRequest == 0 {
			t.NoUpload = "the commit that is checked out is not the one of the event"
		}
	}
	switch {
	case e.Name == "merge_group":
		t.NoUpload = "code scanning takes no analysis of a merge queue"
	case e.Owner == "" || e.Repo == "":
		t.NoUpload = "the repository is not known"
	case t.NoUpload == "" && (!objectID.MatchString(t.SHA) || !fullRef.MatchString(t.Ref)):
		t.NoUpload = "the commit or the ref of this event is not known"
	}
	if t.NoUpload != "" {
		t.SHA, t.Ref = "", ""
	}
	return t
}

// aim sets what is tested for pull_request_target, whose own commit and ref
// are those of the base branch: nothing that a pull request's code made may
// pass for a result of that branch.
func (e Event) aim(t *Target) {
	switch there := e.CheckedOut; {
	case there != "" && there == e.HeadSHA:
		t.SHA, t.Ref = there, fmt.Sprintf("refs/pull/%d/head", e.PullRequest)
	case there != "" && there == e.MergeSHA:
		t.SHA, t.Ref = there, fmt.Sprintf("refs/pull/%d/merge", e.PullRequest)
	default:
		t.NoUpload = "neither the head nor the merge of the pull request is checked out"
		t.NoComment, t.Commit, t.PullRequest = t.NoUpload, there, 0
	}
}

var number = regexp.MustCompile(`^[0-9]{1,19}$`)

// runURL is the address of a workflow run of the repository, "" if it is not
// known.
func (e Event) runURL(id, attempt string) string {
	if !number.MatchString(id) || e.ServerURL == "" || e.Owner == "" {
		return ""
	}
	address := fmt.Sprintf("%s/%s/%s/actions/runs/%s", e.ServerURL, e.Owner, e.Repo, id)
	if number.MatchString(attempt) {
		address += "/attempts/" + attempt
	}
	return address
}

// Triggered is what the results of the run that made a workflow_run event are
// about, as far as its payload says: the pull request is still to be found.
func (e Event) Triggered() Target {
	run := e.Trigger
	return Target{Commit: run.HeadSHA, SHA: run.HeadSHA, Run: run.ID + "." + run.Attempt, RunURL: e.runURL(run.ID, run.Attempt)}
}
