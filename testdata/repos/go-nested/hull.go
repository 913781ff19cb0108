// Package hull is no server.
package hull

// Planks is how many there are.
const Planks = 12
