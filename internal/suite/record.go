package suite

import (
	"context"
	"errors"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/check/core"
	"github.com/sealmark/action/internal/session"
)

// Record starts a server, or connects to one, and returns its snapshot as the
// document that session.ReadRecording reads, without secrets and without the
// values that were planted in its environment.
func Record(ctx context.Context, r Run) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, r.Config.Timeout)
	defer cancel()
	run := r.runner()
	s, err := run.openAsking(ctx, check.How{})
	if err != nil {
		return nil, run.cleanError(err)
	}
	snap, err := s.Snapshot(ctx)
	s.Close(ctx)
	if err != nil {
		return nil, run.cleanError(err)
	}
	return snap.Record(r.Version, run.env.Redact.JSON)
}

// openAsking is open, and once more with harmless values for the variables that
// a server asks for which ends at its start.
func (r *runner) openAsking(ctx context.Context, how check.How) (*session.Session, error) {
	s, err := r.open(ctx, how)
	var failed *session.StartError
	if !errors.As(err, &failed) || len(core.GiveCanaries(r.env, failed)) == 0 {
		return s, err
	}
	if s, again := r.open(ctx, how); again == nil {
		return s, nil
	}
	return nil, err
}

// cleanError is an error that may repeat what a server said, fit to be shown.
func (r *runner) cleanError(err error) error {
	return errors.New(r.env.Redact.Line(err.Error(), 500))
}
