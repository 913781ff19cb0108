// Package server stands in for the SDK, so that the sample builds without a
// network.
package server

import (
	"bufio"
	"encoding/json"
	"os"
)

// MCPServer is a server without tools.
type MCPServer struct{ name, version string }

// NewMCPServer makes a server.
func NewMCPServer(name, version string) *MCPServer { return &MCPServer{name, version} }

// ServeStdio answers until its input ends.
func ServeStdio(s *MCPServer) error {
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
