package main

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// tick is the unit of starttime in proc(5): the kernel shows it in hundredths
// of a second on every architecture that Go runs on.
const tick = time.Second / 100

// age is how long this program has run, as exactly as the kernel says it; 0 if
// it does not.
func age() time.Duration {
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0
	}
	// The second field is the name, which may hold anything.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	var now unix.Timespec
	if len(fields) < 20 || unix.ClockGettime(unix.CLOCK_BOOTTIME, &now) != nil {
		return 0
	}
	started, err := strconv.ParseInt(string(fields[19]), 10, 64)
	if err != nil {
		return 0
	}
	return max(0, time.Duration(now.Nano())-time.Duration(started)*tick)
}
