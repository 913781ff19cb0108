package suite

import (
	"context"
	"errors"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/session"
)

// lanes hands out instances, at most size at a time. If a second instance
// can't start beside the first, it falls back to one at a time for good.
type lanes struct {
	size    int64
	slots   *semaphore.Weighted
	open    func(context.Context, check.How) (*session.Session, error)
	live    atomic.Int64
	started atomic.Int64
	peak    atomic.Int64
	single  atomic.Bool
	// first is the time in seconds from launch to the initialize reply of the
	// first instance, which is started before any other.
	first float64
}

func newLanes(size int, open func(context.Context, check.How) (*session.Session, error)) *lanes {
	return &lanes{size: int64(size), slots: semaphore.NewWeighted(int64(size)), open: open}
}

// share is how many slots an instance takes: one, or all where none may run
// beside another.
func (l *lanes) share() int64 {
	if l.single.Load() {
		return l.size
	}
	return 1
}

func (l *lanes) Open(ctx context.Context, how check.How) (*check.Instance, error) {
	slots := l.share()
	if err := l.slots.Acquire(ctx, slots); err != nil {
		return nil, err
	}
	beside := l.live.Load() > 0
	instance, err := l.start(ctx, how, slots)
	var failed *session.StartError
	if err == nil || !beside || !errors.As(err, &failed) || how.Version != "" && failed.Kind == session.Refused {
		return instance, err
	}
	if err := l.slots.Acquire(ctx, l.size); err != nil {
		return nil, err
	}
	instance, err = l.start(ctx, how, l.size)
	if err == nil {
		l.OneAtATime()
	}
	return instance, err
}

// start starts an instance on slots that are already acquired and releases
// them when it can't, or when the instance ends.
func (l *lanes) start(ctx context.Context, how check.How, slots int64) (*check.Instance, error) {
	s, err := l.open(ctx, how)
	if err != nil {
		l.slots.Release(slots)
		return nil, err
	}
	l.note(s)
	return check.NewInstance(s, func() {
		l.live.Add(-1)
		l.slots.Release(slots)
	}), nil
}

func (l *lanes) note(s *session.Session) {
	live := l.live.Add(1)
	for peak := l.peak.Load(); live > peak && !l.peak.CompareAndSwap(peak, live); peak = l.peak.Load() {
	}
	if l.started.Add(1) == 1 {
		l.first = s.StartTime().Seconds()
	}
}

func (l *lanes) Alone(ctx context.Context, fn func(open func(context.Context) (*check.Instance, error))) error {
	if err := l.slots.Acquire(ctx, l.size); err != nil {
		return err
	}
	var open *check.Instance
	fn(func(ctx context.Context) (*check.Instance, error) {
		s, err := l.open(ctx, check.How{})
		if err != nil {
			return nil, err
		}
		l.note(s)
		var instance *check.Instance
		instance = check.NewInstance(s, func() {
			l.live.Add(-1)
			if open == instance {
				open = nil
			}
		})
		open = instance
		return instance, nil
	})
	if open == nil {
		l.slots.Release(l.size)
		return nil
	}
	kept := l.share()
	l.slots.Release(l.size - kept)
	*open = *check.NewInstance(open.Session, func() {
		l.live.Add(-1)
		l.slots.Release(kept)
	})
	return nil
}

func (l *lanes) OneAtATime() { l.single.Store(true) }

func (l *lanes) Hold(ctx context.Context) (func(), error) {
	slots := l.share()
	if err := l.slots.Acquire(ctx, slots); err != nil {
		return nil, err
	}
	l.started.Add(1)
	return func() { l.slots.Release(slots) }, nil
}
