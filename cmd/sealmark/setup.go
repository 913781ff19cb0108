package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/confine"
	"github.com/sealmark/action/internal/gha"
	"github.com/sealmark/action/internal/target"
)

// setUp runs the commands of the input setup with the rights of the container.
// They come from the workflow, which could run them in a step of its own; the
// token and the files of the runner are kept from them all the same.
func setUp(ctx context.Context, runner *gha.Runner, limit time.Duration) error {
	var steps []target.Step
	for _, line := range lines(runner.Input("setup")) {
		list, err := config.Steps(line)
		if err != nil {
			return usage(fmt.Errorf("input setup: %w", err))
		}
		for _, args := range list {
			steps = append(steps, target.Step{Args: args, Dir: "."})
		}
	}
	if len(steps) == 0 {
		return nil
	}
	box, err := confine.New(ctx, confine.Options{})
	if err != nil {
		return ownFault(err)
	}
	defer box.Close()
	out, end := runner.Group("Set up")
	_, err = target.Build(ctx, steps, nil, box, target.BuildOptions{Env: forTools, Limit: limit, Out: out})
	end()
	var failed *target.BuildError
	switch {
	case err == nil || !errors.As(err, &failed):
		return err
	case failed.Missing != nil:
		return usage(fmt.Errorf("input setup: %s is not installed", failed.Missing.Program))
	}
	return usage(fmt.Errorf("input setup: %s", failed.Error()))
}

// forTools are the variables by which installers ask nothing, and put programs
// where they are found.
var forTools = map[string]string{
	"DEBIAN_FRONTEND": "noninteractive", "UV_TOOL_BIN_DIR": "/usr/local/bin", "UV_TOOL_DIR": "/usr/local/share/uv-tools",
}
