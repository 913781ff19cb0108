package main

import (
	"log"
	"os"

	"github.com/mark3labs/mcp-go/server"
)

func main() {
	if len(os.Args) < 2 || os.Args[1] != "serve" {
		log.Fatal("usage: sextant serve")
	}
	if err := server.ServeStdio(server.NewMCPServer("sextant", "1.0.0")); err != nil {
		log.Fatal(err)
	}
}
