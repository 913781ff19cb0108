package protocol

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sealmark/action/internal/check"
	probing "github.com/sealmark/action/internal/check/probe"
	"github.com/sealmark/action/internal/rawjson"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
)

// version offers a revision that no server can speak to an instance of its
// own, since a second initialize in one session is undefined. An error is a
// clean rejection; the specification's own example is one.
func (p *prober) version(ctx context.Context) {
	release, err := p.env.Lanes.Hold(ctx)
	if err != nil {
		p.stopped = check.Interrupted
		return
	}
	p.probes[unsupportedVersion]++
	result, err := p.offer(ctx)
	release()
	var failed *session.StartError
	if errors.As(err, &failed) && startFault(failed) != "" {
		result, failed = p.again(ctx, failed)
	}
	switch {
	case ctx.Err() != nil:
		p.stopped = check.Interrupted
	case result != "":
		p.negotiated(result)
	case failed != nil && startFault(failed) != "":
		o := outcome{answer: reply.Answer{Request: []byte(offered), Detail: failed.Detail, Stderr: failed.Exit.Stderr}, died: failed.Exit.String() + " instead of answering"}
		p.addFault(probe{id: unsupportedVersion, subject: "method:initialize"}, startFault(failed), o, nil, false)
	}
}

// again offers the revision once more while no other instance is left. If the
// fault shows again and the server starts otherwise, the failure is returned.
func (p *prober) again(ctx context.Context, seen *session.StartError) (result string, failed *session.StartError) {
	p.env.Lanes.Alone(ctx, func(open func(context.Context) (*check.Instance, error)) {
		var err error
		if result, err = p.offer(ctx); err == nil {
			// It works alone, so instances disturb each other.
			p.env.Lanes.OneAtATime()
			return
		}
		instance, gone := open(ctx)
		if gone != nil {
			p.lose("the server could not be started again: " + p.env.Redact.Line(gone.Error(), 300))
			return
		}
		instance.Kill()
		if !errors.As(err, &failed) || startFault(failed) != startFault(seen) {
			failed = nil
		}
	})
	return result, failed
}

// offer returns the result of initialize for an impossible revision. Its
// caller holds a lane.
func (p *prober) offer(ctx context.Context) (string, error) {
	s, err := p.env.Own(ctx, check.How{Version: impossible})
	if err != nil {
		return "", err
	}
	defer s.Close(ctx)
	return string(s.Initialize), nil
}

// offered is the request as the session sends it.
const offered = `{"jsonrpc":"2.0","id":1001,"method":"initialize","params":{"capabilities":{},"clientInfo":{"name":"sealmark","version":"1"},"protocolVersion":"` + impossible + `"}}`

// startFault names the fault that a failed start shows, "" for a rejection.
func startFault(e *session.StartError) string {
	switch e.Kind {
	case session.Exited:
		return "protocol.probe-connection-died"
	case session.Timeout:
		return "protocol.probe-accepted-unanswered"
	}
	return ""
}

// negotiated judges the version that the server answered with.
func (p *prober) negotiated(result string) {
	version, _ := rawjson.Text(rawjson.Object([]byte(result))["protocolVersion"])
	message := ""
	switch {
	case version == impossible:
		message = fmt.Sprintf("The server accepts the protocol version %s, which does not exist, without negotiating.", impossible)
	case slices.Contains(revisions, version) || dateShaped.MatchString(version):
		return
	default:
		message = fmt.Sprintf("Offered a protocol version that does not exist, the server answers with %q, which is no revision either.", p.env.Redact.Line(version, 40))
	}
	if version == p.env.Snapshot.ProtocolVersion {
		// Whatever it is offered, the server answers with the same.
		return
	}
	p.findings.Add(rule.Finding{Rule: "protocol.probe-unexpected-answer", Subject: "method:initialize", Message: message, Probe: unsupportedVersion,
		Evidence: rule.Evidence{Request: offered, Reply: p.env.Redact.Text(result, probing.MaxEvidence)}})
}
