package main

import (
	"log"
	"os"

	"github.com/mark3labs/mcp-go/server"
)

func main() {
	if len(os.Args) < 2 || os.Args[1] != "stdio" {
		log.Fatal("usage: keel stdio")
	}
	if err := server.ServeStdio(server.NewMCPServer("keel", "1.0.0")); err != nil {
		log.Fatal(err)
	}
}
