module example.com/sail

go 1.21

require github.com/mark3labs/mcp-go v1.0.0
