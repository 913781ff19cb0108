package check

import "context"

// Interrupted is why nothing more is sent when the context ends.
const Interrupted = "the run was cut short"

// Restart starts an instance for a check that has none, or none any more. why
// says why there is none, "" if there is one.
func (e *Env) Restart(ctx context.Context) (instance *Instance, why string) {
	instance, err := e.Lanes.Open(ctx, How{})
	switch {
	case err == nil:
		return instance, ""
	case ctx.Err() != nil:
		return nil, Interrupted
	}
	return nil, "the server could not be started again: " + e.Redact.Line(err.Error(), 300)
}
