// Package sail makes servers.
package sail

import "github.com/mark3labs/mcp-go/server"

// New makes a server.
func New() *server.MCPServer { return server.NewMCPServer("sail", "1.0.0") }
