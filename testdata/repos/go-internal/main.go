package main

import (
	"log"

	"example.com/mast/internal/serve"
)

func main() {
	if err := serve.Stdio(); err != nil {
		log.Fatal(err)
	}
}
