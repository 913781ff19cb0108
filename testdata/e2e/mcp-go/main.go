// Command main is a small MCP server on mcp-go, for the end-to-end test, which
// builds it in a module of its own.
package main

import (
	"context"
	"log"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func main() {
	s := server.NewMCPServer("library", "1.0.0", server.WithToolCapabilities(false), server.WithResourceCapabilities(false, false))
	s.AddTool(mcp.NewTool("search_books", mcp.WithDescription("Searches the catalogue of a library."), mcp.WithReadOnlyHintAnnotation(true),
		mcp.WithString("query", mcp.Required(), mcp.Description("what to look for"))),
		func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			query, err := r.RequireString("query")
			if err != nil {
				return mcp.NewToolResultError(err.Error()), nil
			}
			return mcp.NewToolResultText("No book is about " + query + "."), nil
		})
	s.AddResource(mcp.NewResource("https://library.example/hours", "hours", mcp.WithResourceDescription("Opening hours."), mcp.WithMIMEType("text/plain")),
		func(_ context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: r.Params.URI, MIMEType: "text/plain", Text: "9 to 5"}}, nil
		})
	if err := server.ServeStdio(s); err != nil {
		log.Fatal(err)
	}
}
