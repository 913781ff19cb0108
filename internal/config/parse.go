package config

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/sealmark/action/internal/rule"
)

// maxTokens bounds the YAML tokens of a file apart from comments. It bounds the
// parser's time, which grows with their square, and its depth.
const maxTokens = 10_000

// Parse checks the text of a configuration file. Its error is an *Error, or
// several joined.
func Parse(name string, data []byte, checks []rule.Check) (file *File, err error) {
	whole := Origin{File: name}
	defer func() {
		if recover() != nil {
			file, err = nil, &Error{Origin: whole, Message: "the file can't be read as YAML"}
		}
	}()
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	switch {
	case len(data) > maxFile:
		return nil, &Error{Origin: whole, Message: "the file is over 1 MiB"}
	case !utf8.Valid(data):
		return nil, &Error{Origin: whole, Message: "the file is not UTF-8 text"}
	}
	tokens := lexer.Tokenize(string(data))
	if count(tokens) > maxTokens {
		return nil, &Error{Origin: whole, Message: "the file holds more than 10,000 YAML tokens"}
	}
	tree, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, yamlError(name, err)
	}
	r := &reader{file: emptyFile(name), checks: checks}
	var body ast.Node
	for _, doc := range tree.Docs {
		switch {
		case doc.Body == nil, doc.Body.Type() == ast.DirectiveType, doc.Body.Type() == ast.CommentType, doc.Body.Type() == ast.NullType:
		case body != nil:
			r.fail(doc.Body, "", "the file holds more than one YAML document")
		default:
			body = doc.Body
		}
	}
	if body != nil {
		r.top(body)
	}
	if err := r.faults.err(); err != nil {
		return nil, err
	}
	return r.file, nil
}

func count(tokens token.Tokens) int {
	n := 0
	for _, t := range tokens {
		if t.Type != token.CommentType {
			n++
		}
	}
	return n
}

// yamlError shortens an error of the YAML parser to one line with its place.
func yamlError(name string, err error) error {
	var syntax yaml.Error
	if !errors.As(err, &syntax) || syntax.GetToken() == nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return &Error{Origin: Origin{File: name}, Message: brief(first)}
	}
	at := syntax.GetToken().Position
	return &Error{Origin: Origin{File: name, Line: at.Line, Column: at.Column}, Message: message(syntax)}
}

// message says a syntax error as a person would, where the parser's words
// don't help.
func message(e yaml.Error) string {
	text := e.GetMessage()
	if strings.ContainsRune(text, '\t') || strings.HasPrefix(text, "tab character") {
		return "a tab can't indent YAML: use blanks"
	}
	return brief(strings.Join(strings.Fields(text), " "))
}
