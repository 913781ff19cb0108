package protocol

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
)

// negotiation is how the offer of a revision ended.
type negotiation struct {
	offered string
	// chosen is the server's revision, "" if it refused.
	chosen string
	// failed: the server could not be asked.
	failed bool
	early  *earlyWatch
}

// versions offers each older revision to a server of its own. A revision that
// the server chose in any negotiation is one that it supports, and must be
// chosen when it is offered. The first of these servers is kept waiting for
// notifications/initialized.
func (p *specProber) versions(ctx context.Context) {
	if p.stopped != "" {
		return
	}
	offers := revisions[:len(revisions)-1]
	all := make([]negotiation, len(offers), len(revisions))
	var asking sync.WaitGroup
	for i, offered := range offers {
		all[i].offered = offered
		if i == 0 {
			all[i].early = &earlyWatch{}
		}
		asking.Go(func() { p.negotiate(ctx, &all[i]) })
	}
	asking.Wait()
	p.probes["older-revisions"] = len(offers)
	p.probes["before-initialized"] = 1
	for _, n := range all {
		switch {
		case n.failed:
			p.missed = append(p.missed, "older-revisions with "+n.offered)
		case n.early != nil:
			p.early(n.early)
		}
	}
	if ctx.Err() != nil {
		p.stop(ctx, "")
		return
	}
	p.contradictions(append(all, negotiation{offered: session.Offered, chosen: p.env.Snapshot.ProtocolVersion}))
}

func (p *specProber) negotiate(ctx context.Context, n *negotiation) {
	how := check.How{Version: n.offered}
	if n.early != nil {
		how.Hold, how.Observer = holdTime, n.early.observe
	}
	instance, err := p.env.Lanes.Open(ctx, how)
	if err != nil {
		n.failed = !refused(err)
		return
	}
	defer instance.Close(ctx)
	// A reply without a revision is for another rule.
	n.chosen = cmp.Or(memberOf(instance.Initialize, "protocolVersion"), n.offered)
}

// contradictions adds a finding for the first offer that was not taken although
// the revision was chosen for another.
func (p *specProber) contradictions(all []negotiation) {
	for _, n := range all {
		if n.failed || n.chosen == n.offered {
			continue
		}
		for _, other := range all {
			if other.failed || other.chosen != n.offered {
				continue
			}
			got := "chooses " + p.env.Redact.Line(n.chosen, 80)
			if n.chosen == "" {
				got = "refuses"
			}
			p.findings.Add(rule.Finding{Rule: "spec.version-negotiation", Subject: "server", Probe: "older-revisions",
				Message:  fmt.Sprintf("The server %s when %s is offered, although it supports that revision: it chooses it when %s is offered.", got, n.offered, other.offered),
				Evidence: rule.Evidence{Detail: fmt.Sprintf("offered %s: %s; offered %s: chooses %s", n.offered, got, other.offered, n.offered)}})
			break
		}
	}
}

// refused reports whether a server answered initialize with an error.
func refused(err error) bool {
	var failed *session.StartError
	return errors.As(err, &failed) && failed.Kind == session.Refused && failed.Reply != nil
}
