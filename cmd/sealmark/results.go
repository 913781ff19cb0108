package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/result"
)

// maxResults is how many results are read at most.
const maxResults = 50

// readResult is a result and the file that it was read from.
type readResult struct {
	path   string
	result *result.Result
}

// readResults reads the results in files and folders, at least one. A named
// file must be a result; what is none in a folder is left out, and said to be.
func readResults(paths []string) (list []readResult, skipped []string, err error) {
	add := func(path string, named bool) error {
		r, err := openResult(path)
		if err != nil && named {
			return err
		}
		if err != nil {
			skipped = append(skipped, err.Error())
			return nil
		}
		if list = append(list, readResult{path, r}); len(list) > maxResults {
			return fmt.Errorf("there are more than %d results", maxResults)
		}
		return nil
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, nil, fmt.Errorf("the result can't be read: %w", err)
		}
		if !info.IsDir() {
			if err := add(path, true); err != nil {
				return nil, nil, err
			}
			continue
		}
		err = filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || filepath.Ext(file) != ".json" {
				return err
			}
			if len(skipped) >= maxResults {
				return fmt.Errorf("%s holds too many files that are no results", path)
			}
			return add(file, false)
		})
		if err != nil {
			return nil, nil, err
		}
	}
	if len(list) == 0 {
		return nil, nil, fmt.Errorf("there is no result in %s: %s", strings.Join(paths, ", "), (*redact.Redactor)(nil).Line(strings.Join(skipped, "; "), 500))
	}
	return list, skipped, nil
}

// openResult reads a result that anybody may have written: bounded, of the
// form that is published as its schema, and of values that can be.
func openResult(path string) (*result.Result, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, result.MaxBytes+1))
	if err != nil {
		return nil, err
	}
	return parsedResult(path, data)
}

// parsedResult reads a result from the content of a file.
func parsedResult(path string, data []byte) (*result.Result, error) {
	r, err := checkedResult(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %s", path, (*redact.Redactor)(nil).Line(err.Error(), 500))
	}
	return r, nil
}

func checkedResult(data []byte) (*result.Result, error) {
	r, err := result.Read(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	schema, err := compiledResultSchema()
	if err != nil {
		return nil, err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("this is not a sealmark result: %w", err)
	}
	if err := schema.Validate(document); err != nil {
		return nil, fmt.Errorf("this is not a sealmark result: %w", innermost(err))
	}
	return r, r.Check()
}

// innermost is the first cause of an error of the validator.
func innermost(err error) error {
	var fault *jsonschema.ValidationError
	if !errors.As(err, &fault) {
		return err
	}
	for len(fault.Causes) > 0 {
		fault = fault.Causes[0]
	}
	return fault
}

var compiledResultSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	data, err := resultSchema()
	if err != nil {
		return nil, err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	const name = "result.schema.json"
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(name, document); err != nil {
		return nil, err
	}
	return compiler.Compile(name)
})
