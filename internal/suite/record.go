package suite

import (
	"context"
	"errors"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/config"
)

// Record starts a server, or connects to one, and returns its snapshot as the
// document that session.ReadRecording reads, without secrets and without the
// values that were planted in its environment. version is that of Sealmark.
func Record(ctx context.Context, c *config.Config, version string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	run := Run{Config: c}.runner()
	s, err := run.open(ctx, check.How{})
	if err != nil {
		return nil, run.cleanError(err)
	}
	snap, err := s.Snapshot(ctx)
	s.Close(ctx)
	if err != nil {
		return nil, run.cleanError(err)
	}
	return snap.Record(version, run.env.Redact.JSON)
}

// cleanError is an error that may repeat what a server said, fit to be shown.
func (r *runner) cleanError(err error) error {
	return errors.New(r.env.Redact.Line(err.Error(), 500))
}
