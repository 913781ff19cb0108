package main

import (
	"log"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "tug", Version: "1.0.0"}, nil)
	http.Handle("/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("TUG_PORT"), nil))
}
