//go:build unix

package target

import "syscall"

const nonblock = syscall.O_NONBLOCK
