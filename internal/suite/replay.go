package suite

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/session"
)

// Replay sends recorded requests, oldest first, to a fresh server under new
// ids and returns what came of the last one, redacted. After an answer it asks
// for tools/list, so that silence or a late death shows.
func Replay(ctx context.Context, r Run, requests []string) (reply.Answer, error) {
	run := r.runner()
	version := offered(requests)
	s, err := run.openAsking(ctx, check.How{Version: version})
	var failed *session.StartError
	if version != "" && errors.As(err, &failed) {
		return cleaned(run.env.Redact, reply.Answer{Kind: reply.Closed, Raw: failed.Reply, Detail: failed.Detail, Stderr: failed.Exit.Stderr}), nil
	}
	if err != nil {
		return reply.Answer{}, run.cleanError(err)
	}
	defer s.Close(ctx)
	if version != "" {
		return cleaned(run.env.Redact, reply.Answer{Kind: reply.Answered, Raw: s.Initialize}), nil
	}
	limit := run.env.HangLimit("robust-input")
	var answer reply.Answer
	for _, recorded := range requests {
		if !json.Valid([]byte(recorded)) {
			return answer, errors.New("the recorded request was cut short and can't be sent again")
		}
		answer = s.Raw(ctx, "replay", func(id string) []byte { return renumbered(restored(r.Config, recorded), id) }, limit)
		if answer.Kind != reply.Answered {
			return cleaned(run.env.Redact, answer), nil
		}
	}
	if !s.Alive(ctx, "tools/list", limit) {
		answer.Detail = "then tools/list got no answer"
		if s.Ended() {
			answer.Detail = "then it " + s.Exit().String()
		}
	}
	return cleaned(run.env.Redact, answer), nil
}

// offered is the protocol version that a recorded initialize offers, "" if
// another message is recorded.
func offered(requests []string) string {
	var request struct {
		Method string
		Params struct{ ProtocolVersion string }
	}
	if len(requests) != 1 || json.Unmarshal([]byte(requests[0]), &request) != nil || request.Method != "initialize" {
		return ""
	}
	return request.Params.ProtocolVersion
}

// ownID matches the start of a message that Sealmark made.
var ownID = regexp.MustCompile(`^\{"jsonrpc":"2\.0","id":(?:"[^"]*"|\d+)`)

// renumbered returns a recorded message with another id, otherwise byte for
// byte.
func renumbered(recorded, id string) []byte {
	return ownID.ReplaceAllLiteral([]byte(recorded), []byte(`{"jsonrpc":"2.0","id":`+id))
}

func cleaned(r *redact.Redactor, a reply.Answer) reply.Answer {
	const most = 20_000
	a.Raw = []byte(r.Text(string(a.Raw), most))
	a.Detail = r.Line(a.Detail, 500)
	a.Stderr = r.Text(a.Stderr, most)
	return a
}

// restored puts the values of variables back into the arguments of a recorded
// call, which otherwise stays as it is. Only those are put in that the
// configuration gives to the very tool, so that a server can't ask for others
// by a mark of its own.
func restored(c *config.Config, recorded string) string {
	var request struct {
		Params struct {
			Name      string
			Arguments json.RawMessage
		}
	}
	if json.Unmarshal([]byte(recorded), &request) != nil {
		return recorded
	}
	arguments := string(request.Params.Arguments)
	for _, p := range c.Probes {
		if p.Tool != request.Params.Name {
			continue
		}
		for _, name := range p.Secrets {
			if value, err := json.Marshal(c.Secrets[name]); err == nil {
				arguments = strings.ReplaceAll(arguments, "[redacted:"+name+"]", string(value[1:len(value)-1]))
			}
		}
	}
	return strings.Replace(recorded, string(request.Params.Arguments), arguments, 1)
}
