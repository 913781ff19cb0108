package check

import (
	"context"
	"time"

	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/session"
	"github.com/sealmark/action/internal/wire"
)

// Env is what a running check may use.
type Env struct {
	Config *config.Config
	// Server says how the server is started and reached. Launch adds the
	// variables that it can't do without.
	Server wire.Server
	// Needs are the variables that the server's manifest requires.
	Needs []string
	// Given are the variables that the server got harmless values for, since it
	// did not start without them.
	Given []string
	// Snapshot is what the server says of itself. Launch sets it; it is nil
	// only for launch.
	Snapshot *session.Snapshot
	// Recorded: Snapshot was read from a file, and there is no server.
	Recorded bool
	Lanes    Lanes
	Tape     *Tape
	// Calls records the calls of tools for the checks that read answers.
	Calls  *Calls
	Redact *redact.Redactor
	// Canaries holds the planted environment values by name; empty for a
	// server that Sealmark did not start.
	Canaries map[string]string
	// Own starts an instance that takes no lane of its own; its caller holds
	// one.
	Own func(ctx context.Context, how How) (*session.Session, error)
	// Report returns how a check ended that this one comes after; ok is false
	// if it did not run.
	Report func(checkID string) (report Report, ok bool)
	// Progress tells the user what a check is doing.
	Progress func(checkID, text string)

	first *Instance
}

// Lanes hands out running instances of the server. Each live instance
// occupies a lane until it is closed.
type Lanes interface {
	// Open starts an instance and waits for a free lane first. Its error is a
	// *session.StartError or the context's.
	Open(ctx context.Context, how How) (*Instance, error)
	// Alone waits until no other instance is left, keeps it so while fn runs,
	// and lets fn start instances one after the other. The caller must have
	// closed its own. An instance that fn leaves open stays open and keeps one
	// lane.
	Alone(ctx context.Context, fn func(open func(context.Context) (*Instance, error))) error
	// OneAtATime lets no instance run beside another from now on.
	OneAtATime()
	// Hold occupies a lane without an instance until release is called.
	Hold(ctx context.Context) (release func(), err error)
}

// How says what is special about an instance.
type How struct {
	// Dir is the working directory in place of the configured one.
	Dir string
	// Phase is put before the phases of the instance on the tape.
	Phase string
	// Version is the protocol revision that is offered, "" for the usual one.
	Version string
	// Hold is how long to wait between the reply to initialize and the
	// notification that follows it.
	Hold time.Duration
	// Observer is told of everything that goes over the wire, beside the tape.
	Observer func(session.Event)
}

// Instance is a running server with a session of its own.
type Instance struct {
	*session.Session
	release func()
}

// NewInstance returns an instance that calls release once when it is closed
// or killed.
func NewInstance(s *session.Session, release func()) *Instance {
	return &Instance{Session: s, release: release}
}

// Close ends the server politely and frees its lane.
func (i *Instance) Close(ctx context.Context) {
	i.Session.Close(ctx)
	i.free()
}

// Kill ends the server at once and frees its lane.
func (i *Instance) Kill() {
	i.Session.Kill()
	i.free()
}

func (i *Instance) free() {
	if i.release != nil {
		i.release()
		i.release = nil
	}
}

// Hand gives the instance that launch opened to the first check that takes
// it, which saves a cold start.
func (e *Env) Hand(i *Instance) { e.first = i }

// Take returns the handed instance, or nil once it was taken. The taker
// closes it.
func (e *Env) Take() *Instance {
	i := e.first
	e.first = nil
	return i
}

// HangLimit is how long a call may take before it counts as hanging, at least
// two seconds: hang_ms of the check, else timeout_probe_sec.
func (e *Env) HangLimit(checkID string) time.Duration {
	if ms, ok := e.Config.Int(checkID, "hang_ms"); ok {
		return time.Duration(ms) * time.Millisecond
	}
	return max(2*time.Second, e.Config.TimeoutProbe)
}
