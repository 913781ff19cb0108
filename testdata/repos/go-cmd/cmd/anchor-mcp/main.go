package main

import (
	"log"

	"github.com/mark3labs/mcp-go/server"
)

func main() {
	if err := server.ServeStdio(server.NewMCPServer("anchor", "1.0.0")); err != nil {
		log.Fatal(err)
	}
}
