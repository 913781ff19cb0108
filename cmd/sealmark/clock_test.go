package main

import (
	"strings"
	"testing"
	"time"

	"github.com/sealmark/action/internal/suite"
)

// TestClock: parts of one name are one, time after the first probe does not
// count, and the repository's time is none of Sealmark's.
func TestClock(t *testing.T) {
	now := time.Unix(0, 0)
	pass := func(ms int) { now = now.Add(time.Duration(ms) * time.Millisecond) }
	for _, tt := range []struct {
		served bool
		want   string
	}{
		{false, `  start of the program    10.0 ms  Sealmark's own
         configuration     5.0 ms  Sealmark's own
           preparation     3.0 ms  Sealmark's own
                 build  4000.0 ms  the repository's
                launch    20.0 ms  Sealmark's own
         first message     1.0 ms  Sealmark's own
timings: 4039.0 ms to the first probe, of which 39.0 ms are Sealmark's own
`},
		{true, `      start of the program    10.0 ms  Sealmark's own
             configuration     5.0 ms  Sealmark's own
               preparation     3.0 ms  Sealmark's own
                     build  4000.0 ms  the repository's
  launch, until it listens    20.0 ms  the repository's
             first message     1.0 ms  Sealmark's own
timings: 4039.0 ms to the first probe, of which 19.0 ms are Sealmark's own
`},
	} {
		c := newClock(func() time.Time { return now }, 10*time.Millisecond)
		c.next(configuring, own)
		pass(5)
		c.next(preparing, own)
		pass(1)
		c.next(building, theirs)
		pass(4000)
		c.next(preparing, own)
		pass(2)
		tell := c.moment(tt.served)
		tell(suite.Launching)
		pass(20)
		tell(suite.Launched)
		pass(1)
		tell(suite.Asking)
		pass(1000)
		c.next(detecting, own)
		var b strings.Builder
		c.print(&b)
		if b.String() != tt.want {
			t.Errorf("got\n%s\nwant\n%s", &b, tt.want)
		}
	}
	var b strings.Builder
	none := (*clock)(nil)
	none.next(building, theirs)
	if none.print(&b); none.moment(true) != nil || b.Len() > 0 {
		t.Error("a clock that nobody asked for measures")
	}
	newClock(time.Now, 0).print(&b)
	if !strings.Contains(b.String(), "until it ended, without a probe") {
		t.Error(b.String())
	}
}
