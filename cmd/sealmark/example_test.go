package main

import (
	"path/filepath"
	"testing"

	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/suite"
)

// TestExample: the example in the documentation is a configuration file.
func TestExample(t *testing.T) {
	c, err := config.Build(config.Sources{Path: filepath.Join("..", "..", "docs", "example.sealmark.yml")}, suite.Catalog())
	if err != nil || len(c.Probes) != 5 {
		t.Fatalf("%v: %+v", err, c)
	}
}
