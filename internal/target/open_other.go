//go:build !unix

package target

const nonblock = 0
