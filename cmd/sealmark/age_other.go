//go:build !linux

package main

import "time"

// loaded is when this package was initialised, after those that it imports.
var loaded = time.Now()

// age is how long this program has run.
func age() time.Duration { return time.Since(loaded) }
