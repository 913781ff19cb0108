// Command openapi-subset cuts the operations that Sealmark uses out of
// GitHub's OpenAPI description, with all that they refer to. The tests check
// the requests and answers of a fake GitHub against the outcome.
//
//	dir=$(scripts/octokit)
//	go run ./scripts/openapi-subset $dir/generated-api.github.com.json internal/publish/fakegithub/testdata/github-subset.json
//	go run ./scripts/openapi-subset $dir/generated-ghes-3.17.json internal/publish/fakegithub/testdata/ghes-subset.json
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// operations are those that internal/publish uses.
var operations = map[string][]string{
	"/repos/{owner}/{repo}/code-scanning/sarifs":            {"post"},
	"/repos/{owner}/{repo}/code-scanning/sarifs/{sarif_id}": {"get"},
	"/repos/{owner}/{repo}/issues/{issue_number}/comments":  {"get", "post"},
	"/repos/{owner}/{repo}/issues/comments/{comment_id}":    {"patch", "delete"},
	"/repos/{owner}/{repo}/pulls":                           {"get"},
	"/repos/{owner}/{repo}/pulls/{pull_number}":             {"get"},
}

type object = map[string]any

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: openapi-subset DESCRIPTION.json SUBSET.json")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "openapi-subset:", err)
		os.Exit(1)
	}
}

func run(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var whole object
	if err := json.Unmarshal(data, &whole); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	subset, err := cut(whole)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(subset); err != nil {
		return err
	}
	return os.WriteFile(to, b.Bytes(), 0o644)
}

// cut returns a description of the operations alone.
func cut(whole object) (object, error) {
	paths := object{}
	all, _ := whole["paths"].(object)
	for path, methods := range operations {
		item, _ := all[path].(object)
		kept := object{}
		for _, method := range methods {
			operation, ok := item[method].(object)
			if !ok {
				return nil, fmt.Errorf("there is no %s %s", method, path)
			}
			kept[method] = slim(operation)
		}
		paths[path] = kept
	}
	components := object{}
	if err := collect(whole, paths, components); err != nil {
		return nil, err
	}
	return object{
		"openapi": whole["openapi"], "info": whole["info"], "paths": paths, "components": components,
	}, nil
}

// slim leaves out prose, examples and extensions, which check nothing.
func slim(value any) any {
	switch v := value.(type) {
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = slim(item)
		}
		return list
	case object:
		kept := object{}
		for key, item := range v {
			_, isText := item.(string)
			prose := isText && (key == "summary" || key == "example")
			if prose || key == "examples" || key == "externalDocs" || strings.HasPrefix(key, "x-") {
				continue
			}
			kept[key] = slim(item)
		}
		return kept
	}
	return value
}

// collect copies into components all that value refers to.
func collect(whole object, value any, components object) error {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			if err := collect(whole, item, components); err != nil {
				return err
			}
		}
	case object:
		if ref, ok := v["$ref"].(string); ok {
			return resolve(whole, ref, components)
		}
		for _, item := range v {
			if err := collect(whole, item, components); err != nil {
				return err
			}
		}
	}
	return nil
}

// resolve copies the component that a reference names.
func resolve(whole object, ref string, components object) error {
	parts := strings.Split(ref, "/")
	if len(parts) != 4 || parts[0] != "#" || parts[1] != "components" {
		return fmt.Errorf("unexpected reference %s", ref)
	}
	kind, name := parts[2], parts[3]
	group, _ := components[kind].(object)
	if group == nil {
		group = object{}
		components[kind] = group
	}
	if _, done := group[name]; done {
		return nil
	}
	all, _ := whole["components"].(object)
	source, _ := all[kind].(object)
	component, ok := source[name]
	if !ok {
		return fmt.Errorf("%s leads nowhere", ref)
	}
	group[name] = slim(component)
	return collect(whole, group[name], components)
}
