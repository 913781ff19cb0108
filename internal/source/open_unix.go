//go:build unix

package source

import "syscall"

// nonblock keeps a pipe in the place of a file from holding us up.
const nonblock = syscall.O_NONBLOCK
