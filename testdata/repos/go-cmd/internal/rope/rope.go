// Package rope measures rope.
package rope

// Length is in metres.
const Length = 40
