package main

import (
	"context"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/suite"
)

// assess questions a server and returns the result as it is rendered: facts
// first, then their places, what is accepted of them, and what changed.
func assess(ctx context.Context, run suite.Run) *result.Result {
	return run.Do(ctx)
}
