//go:build unix

package confine

import "syscall"

// careful opens no link at the end of a path and waits for no pipe.
const careful = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
