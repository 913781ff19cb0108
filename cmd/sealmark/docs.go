package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"

	"github.com/invopop/jsonschema"
	"github.com/spf13/cobra"

	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/explain"
	"github.com/sealmark/action/internal/gha"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/suite"
)

// newDocs writes the generated documentation; a test compares it with what is
// committed.
func newDocs() *cobra.Command {
	return &cobra.Command{
		Use:    "docs DIR",
		Short:  "Write the generated pages of the documentation below DIR",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			files, err := docFiles()
			if err != nil {
				return ownFault(err)
			}
			names := make([]string, 0, len(files))
			for name := range files {
				names = append(names, name)
			}
			sort.Strings(names)
			for _, name := range names {
				path := filepath.Join(args[0], filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					return ownFault(err)
				}
				if err := os.WriteFile(path, files[name], 0o644); err != nil {
					return ownFault(err)
				}
			}
			return readme(filepath.Join(args[0], "README.md"))
		},
	}
}

// readme renews the tables in the README, if there is one.
func readme(path string) error {
	page, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return ownFault(err)
	}
	if err := os.WriteFile(path, gha.Tabulate(page), 0o644); err != nil {
		return ownFault(err)
	}
	return nil
}

// docFiles are the generated files, by path from the repository's root.
func docFiles() (map[string][]byte, error) {
	files := explain.DocFiles(suite.Catalog(), config.Keys, slices.Concat(config.AllKeys(suite.Catalog()), config.AcceptKeys, config.ProbeKeys))
	schema, err := config.Schema(suite.Catalog())
	if err != nil {
		return nil, err
	}
	files["docs/sealmark.schema.json"] = schema
	files["action.yml"], files["setup/action.yml"] = gha.ActionYML(), gha.SetupYML()
	files["docs/result.schema.json"], err = resultSchema()
	return files, err
}

// resultSchema is the JSON Schema of the result document, made from its Go
// types. A later minor version may add members.
func resultSchema() ([]byte, error) {
	reflector := jsonschema.Reflector{AllowAdditionalProperties: true, Anonymous: true}
	schema := reflector.Reflect(&result.Result{})
	schema.Title = "Result of sealmark run --json, schema version " + result.SchemaVersion
	data, err := json.MarshalIndent(schema, "", "  ")
	return append(data, '\n'), err
}
