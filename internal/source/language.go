package source

import (
	"path"
	"strings"
)

// family is a group of languages that are read in one way.
type family uint8

const (
	script family = iota + 1 // JavaScript and TypeScript
	python
	golang
	java
	kotlin
	csharp
	rust
	ruby
	php
	swift
	document // JSON and YAML
)

// syntax says how strings and comments are written.
type syntax struct {
	line   []string // what begins a comment up to the end of the line
	block  bool     // /* */
	nested bool     // /* /* */ */
	quotes string
	triple string // quotes that may come three times
	// many: an ordinary string may hold newlines.
	many bool
	// inside begins an expression within a string, "" for none.
	inside string
	// pattern: a slash may begin a regular expression.
	pattern bool
}

var syntaxes = map[family]syntax{
	script:   {line: []string{"//"}, block: true, quotes: "'\"`", inside: "${", pattern: true},
	python:   {line: []string{"#"}, quotes: `'"`, triple: `'"`},
	golang:   {line: []string{"//"}, block: true, quotes: "\"`'"},
	java:     {line: []string{"//"}, block: true, quotes: `"'`, triple: `"`},
	kotlin:   {line: []string{"//"}, block: true, nested: true, quotes: `"'`, triple: `"`, inside: "${"},
	csharp:   {line: []string{"//"}, block: true, quotes: `"'`, triple: `"`},
	rust:     {line: []string{"//"}, block: true, nested: true, quotes: `"`, many: true},
	ruby:     {line: []string{"#"}, quotes: `'"`, inside: "#{", many: true, pattern: true},
	php:      {line: []string{"//", "#"}, block: true, quotes: `'"`, many: true},
	swift:    {line: []string{"//"}, block: true, nested: true, quotes: `"`, triple: `"`, inside: `\(`},
	document: {line: []string{"//", "#"}, block: true, quotes: `'"`},
}

var families = map[string]family{
	".ts": script, ".tsx": script, ".js": script, ".jsx": script, ".mjs": script, ".cjs": script, ".mts": script, ".cts": script,
	".py": python, ".go": golang, ".java": java, ".kt": kotlin, ".kts": kotlin, ".cs": csharp, ".rs": rust, ".rb": ruby,
	".php": php, ".swift": swift, ".json": document, ".yaml": document, ".yml": document,
}

// familyOf returns how a file is read, 0 if it is not.
func familyOf(name string) family { return families[strings.ToLower(path.Ext(name))] }
