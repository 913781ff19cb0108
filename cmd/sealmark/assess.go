package main

import (
	"context"
	"time"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/source"
	"github.com/sealmark/action/internal/suite"
)

// assess questions a server and returns the result as it is rendered: facts
// first, then their places, what is accepted of them, and what changed.
func assess(ctx context.Context, run suite.Run) *result.Result {
	r := run.Do(ctx)
	locate(ctx, run, r)
	return r
}

// locate finds the places of the findings in the repository. The server of a
// demo has none.
func locate(ctx context.Context, run suite.Run, r *result.Result) {
	root := repositoryRoot()
	directory, ok := inside(root, run.Config.Directory)
	if p := r.Server.Plan; p != nil {
		directory, ok = p.Directory, true
	}
	if !ok || run.Shown != nil {
		return
	}
	begin := time.Now()
	err := source.Fill(ctx, r, source.Options{Root: root, Directory: directory, Command: run.Config.Command, Own: r.Server.Plan != nil})
	r.Volatile.SourceSeconds = time.Since(begin).Seconds()
	if err != nil && ctx.Err() == nil {
		r.Volatile.Remarks = append(r.Volatile.Remarks, "The findings have no lines: "+err.Error()+".")
	}
}
