package main

import "github.com/modelcontextprotocol/go-sdk/mcp"

func main() {
	mcp.NewClient(&mcp.Implementation{Name: "gull"}, nil)
}
