module example.com/anchor

go 1.21

require github.com/mark3labs/mcp-go v1.0.0

replace github.com/mark3labs/mcp-go => ./third_party/mcp-go
