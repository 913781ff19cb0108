module example.com/hull/tools/mcp

go 1.21

require github.com/modelcontextprotocol/go-sdk v1.0.0

replace github.com/modelcontextprotocol/go-sdk => ./third_party/go-sdk
