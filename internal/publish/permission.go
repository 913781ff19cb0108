package publish

// grant is what a job needs for all that is delivered, as it stands in a
// workflow, on one line.
const grant = "permissions: { contents: read, security-events: write, pull-requests: write }"

// forks is where the way for pull requests of forks is described: in words,
// since addresses in notices are broken like those of others.
const forks = "see docs/forks.md in the repository sealmark/action on github.com."

// missing says why a token was refused, and what to do.
func (p *Publisher) missing() string {
	switch {
	case p.event.Fork:
		return "the token of a fork's pull request only reads. A second workflow can do it, " + forks
	case p.event.Dependabot && p.event.Name == "push":
		return "a push by Dependabot has a token that only reads. Run on pull_request for its branches."
	case p.event.Dependabot:
		return "a run that Dependabot starts has a token that only reads, and no secrets, unless the workflow itself gives more. Add this to the job: " + grant
	case p.event.Trigger != nil:
		return "the token lacks a permission. Add this to the job: permissions: { actions: read, security-events: write, pull-requests: write }"
	}
	return "the token lacks a permission. Add this to the job: " + grant
}
