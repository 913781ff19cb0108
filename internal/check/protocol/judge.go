package protocol

import (
	"encoding/json"
	"fmt"

	"github.com/sealmark/action/internal/rawjson"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
)

// judgement is what an answer shows.
type judgement struct {
	rule     string
	severity rule.Severity // "" for the rule's own
	message  string
	match    string
	// kind names the kind of internals, "" for other rules.
	kind string
}

// judge reads the answer to a probe. An error is a clean rejection, be it of
// JSON-RPC or of the transport; what it says may still show internals.
func judge(pr probe, s *session.Snapshot, a reply.Answer) []judgement {
	var found []judgement
	switch {
	case a.Kind == reply.Answered:
		found = unexpected(pr, s, a)
		if match, kind := reply.Internals(a, a.Request); match != "" {
			found = append(found, judgement{rule: leaks, match: match, kind: kind.ID,
				message: fmt.Sprintf("The answer to the probe %s shows %s.", pr.id, kind.Text)})
		}
	case a.Kind != reply.Hung:
	case pr.id == arrayParams:
		found = append(found, judgement{rule: "protocol.probe-accepted-unanswered", severity: rule.Note,
			message: "A request whose params are an array got no answer. A client that sends one waits in vain; an error would tell it why."})
	case pr.silence == 0:
		found = append(found, judgement{rule: "protocol.probe-accepted-unanswered",
			message: fmt.Sprintf("The probe %s got no answer (%s), neither a result nor an error.", pr.id, a.Detail)})
	}
	return found
}

// unexpected judges an answer that should have been an error.
func unexpected(pr probe, s *session.Snapshot, a reply.Answer) []judgement {
	if a.Error != nil || a.Result == nil {
		return nil
	}
	if pr.list != "" {
		return []judgement{mismatch(pr, a.Result)}
	}
	if pr.tolerated != nil && pr.tolerated(s, a.Result) {
		return nil
	}
	j := judgement{rule: "protocol.probe-unexpected-answer", message: fmt.Sprintf("The probe %s was answered with success, although %s.", pr.id, pr.because)}
	if pr.id == arrayParams {
		j.severity = rule.Note
	}
	return []judgement{j}
}

// mismatch judges the list of a capability that is not advertised.
func mismatch(pr probe, result json.RawMessage) judgement {
	j := judgement{rule: "protocol.capability-mismatch", message: fmt.Sprintf("The server answers %s although it does not advertise %s.", pr.method, pr.list)}
	if len(rawjson.Array(rawjson.Object(result)[pr.list])) == 0 {
		j.severity = rule.Note
		j.message = fmt.Sprintf("The server answers %s with an empty list although it does not advertise %s.", pr.method, pr.list)
	}
	return j
}
