// Command main is a small MCP server on the official Go SDK, for the
// end-to-end test, which builds it in a module of its own.
package main

import (
	"context"
	"log"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type search struct {
	Query string `json:"query" jsonschema:"what to look for"`
	Limit int    `json:"limit,omitempty" jsonschema:"how many results at most"`
}

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "library", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "search_books", Description: "Searches the catalogue of a library.", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(_ context.Context, _ *mcp.CallToolRequest, in search) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "No book is about " + in.Query + "."}}}, nil, nil
		})
	server.AddResource(&mcp.Resource{URI: "https://library.example/hours", Name: "hours", Description: "Opening hours.", MIMEType: "text/plain"},
		func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: "text/plain", Text: "9 to 5"}}}, nil
		})
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		log.Fatal(err)
	}
}
