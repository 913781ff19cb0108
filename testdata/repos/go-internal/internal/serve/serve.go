// Package serve makes the server.
package serve

import "github.com/mark3labs/mcp-go/server"

// Stdio serves on standard input and output.
func Stdio() error { return server.ServeStdio(server.NewMCPServer("mast", "1.0.0")) }
