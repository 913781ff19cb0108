package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/sealmark/action/internal/suite"
)

// The parts of the way from the start of the program to the first probe, which
// is the message initialize.
const (
	beginning   = "start of the program"
	configuring = "configuration"
	detecting   = "detection"
	copying     = "copy of the checkout"
	building    = "build"
	preparing   = "preparation"
	launching   = "launch"
	listening   = "launch, until it listens"
	asking      = "first message"
)

// own and theirs say whose time a part takes: Sealmark's or the repository's.
const (
	own    = true
	theirs = false
)

// clock measures the way to the first probe of the first server. A nil clock
// measures nothing.
type clock struct {
	now   func() time.Time
	since time.Time // when the part that is under way began
	open  span
	spans []span
	done  bool
}

// span is a part of the way.
type span struct {
	name string
	own  bool
	took time.Duration
}

// newClock returns the clock of a program that has run for a while.
func newClock(now func() time.Time, age time.Duration) *clock {
	return &clock{now: now, since: now().Add(-age), open: span{name: beginning, own: own}}
}

// next begins a part, which ends the one before.
func (c *clock) next(name string, own bool) {
	if c == nil || c.done {
		return
	}
	now := c.now()
	c.open.took = now.Sub(c.since)
	c.keep(c.open)
	c.since, c.open = now, span{name: name, own: own}
}

// keep adds a part, to the one of its name if there is one.
func (c *clock) keep(s span) {
	for i := range c.spans {
		if c.spans[i].name == s.name {
			c.spans[i].took += s.took
			return
		}
	}
	c.spans = append(c.spans, s)
}

// moment is what the suite tells of; served says that the server comes to
// listen, which takes it a while.
func (c *clock) moment(served bool) func(suite.Moment) {
	if c == nil {
		return nil
	}
	return func(m suite.Moment) {
		switch m {
		case suite.Launching:
			if served {
				c.next(listening, theirs)
			} else {
				c.next(launching, own)
			}
		case suite.Launched:
			c.next(asking, own)
		case suite.Asking:
			c.next("", own)
			c.done = true
		}
	}
}

// total is how long all parts took, and how much of it is Sealmark's own.
func (c *clock) total() (all, share time.Duration) {
	for _, s := range c.spans {
		all += s.took
		if s.own {
			share += s.took
		}
	}
	return all, share
}

// print writes the parts.
func (c *clock) print(w io.Writer) {
	if c == nil {
		return
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, s := range c.spans {
		whose := "the repository's"
		if s.own {
			whose = "Sealmark's own"
		}
		fmt.Fprintf(table, "%s\t%.1f ms\t  %s\n", s.name, milliseconds(s.took), whose)
	}
	table.Flush()
	all, share := c.total()
	end := "to the first probe"
	if !c.done {
		end = "until it ended, without a probe"
	}
	fmt.Fprintf(w, "timings: %.1f ms %s, of which %.1f ms are Sealmark's own\n", milliseconds(all), end, milliseconds(share))
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
