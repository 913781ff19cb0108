// Command sealmark questions an MCP server and reports what it finds.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// Exit codes (methodology, "Gates and exit codes").
const (
	exitOK          = 0
	exitGate        = 1
	exitUsage       = 2
	exitNotAssessed = 3
	exitOwnFault    = 4
)

// exitError ends the program with a code. An empty message means that all is
// said already.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// usage wraps an error of the person at the keyboard.
func usage(err error) error { return &exitError{exitUsage, err} }

// ownFault wraps an error that is Sealmark's or the machine's.
func ownFault(err error) error { return &exitError{exitOwnFault, err} }

func main() { os.Exit(run()) }

// run executes the command line and returns the exit code.
func run() (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(os.Stderr, "sealmark: internal error: %v\nPlease report it with the command that you ran: https://github.com/sealmark/action/issues\n", p)
			code = exitOwnFault
		}
	}()
	conceal()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := newRoot().ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	var exit *exitError
	if !errors.As(err, &exit) {
		exit = &exitError{exitUsage, err}
	}
	if text := exit.Error(); text != "" {
		fmt.Fprintln(os.Stderr, "sealmark:", text)
	}
	return exit.code
}
