package suite

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/reply"
)

// Replay sends recorded requests, oldest first, to a fresh server under new
// ids and returns what came of the last one, redacted. After an answer it asks
// for tools/list, so that silence or a late death shows.
func Replay(ctx context.Context, c *config.Config, requests []string) (reply.Answer, error) {
	run := &runner{Run: Run{Config: c}}
	run.prepare()
	s, err := run.open(ctx, check.How{})
	if err != nil {
		return reply.Answer{}, err
	}
	defer s.Close(ctx)
	limit := run.env.HangLimit("robust-input")
	var answer reply.Answer
	for _, recorded := range requests {
		var request struct {
			Method string          `json:"method"`
			Params json.RawMessage `json:"params"`
		}
		if err := json.Unmarshal([]byte(recorded), &request); err != nil {
			return answer, fmt.Errorf("the recorded request was cut short and can't be sent again: %w", err)
		}
		answer = s.Request(ctx, request.Method, restored(c, request.Params), limit)
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

func cleaned(r *redact.Redactor, a reply.Answer) reply.Answer {
	const most = 20_000
	a.Raw = []byte(r.Text(string(a.Raw), most))
	a.Detail = r.Line(a.Detail, 500)
	a.Stderr = r.Text(a.Stderr, most)
	return a
}

// restored puts the values of variables back into the arguments of a call. Only
// those are put in that the configuration gives to the very tool, so that a
// server can't ask for others by a mark of its own.
func restored(c *config.Config, params json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	var tool string
	if json.Unmarshal(params, &members) != nil || json.Unmarshal(members["name"], &tool) != nil {
		return params
	}
	arguments := members["arguments"]
	for _, p := range c.Probes {
		if p.Tool != tool {
			continue
		}
		for _, name := range p.Secrets {
			value, err := json.Marshal(c.Secrets[name])
			if err != nil {
				continue
			}
			arguments = bytes.ReplaceAll(arguments, []byte("[redacted:"+name+"]"), value[1:len(value)-1])
		}
	}
	if bytes.Equal(arguments, members["arguments"]) {
		return params
	}
	members["arguments"] = arguments
	data, err := json.Marshal(members)
	if err != nil {
		return params
	}
	return data
}
