// Package mcp stands in for the SDK, so that the sample builds without a
// network.
package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
)

// Implementation is the name of a server.
type Implementation struct{ Name, Version string }

// StdioTransport is standard input and output.
type StdioTransport struct{}

// Server is a server without tools.
type Server struct{ name, version string }

// NewServer makes a server.
func NewServer(i *Implementation, _ any) *Server { return &Server{i.Name, i.Version} }

// Run answers until its input ends.
func (s *Server) Run(context.Context, *StdioTransport) error {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 16<<20)
	for in.Scan() {
		var request struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				ProtocolVersion string `json:"protocolVersion"`
			} `json:"params"`
		}
		if err := json.Unmarshal(in.Bytes(), &request); err != nil || request.ID == nil {
			continue
		}
		reply := map[string]any{"jsonrpc": "2.0", "id": request.ID}
		switch request.Method {
		case "initialize":
			reply["result"] = map[string]any{
				"protocolVersion": request.Params.ProtocolVersion,
				"capabilities":    map[string]any{"tools": map[string]any{}},
				"serverInfo":      map[string]any{"name": s.name, "version": s.version},
			}
		case "ping":
			reply["result"] = map[string]any{}
		case "tools/list":
			reply["result"] = map[string]any{"tools": []any{}}
		default:
			reply["error"] = map[string]any{"code": -32601, "message": "unknown method " + request.Method}
		}
		if err := json.NewEncoder(os.Stdout).Encode(reply); err != nil {
			return err
		}
	}
	return in.Err()
}
