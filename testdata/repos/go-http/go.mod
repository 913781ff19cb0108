module example.com/tug

go 1.21

require github.com/modelcontextprotocol/go-sdk v1.0.0
