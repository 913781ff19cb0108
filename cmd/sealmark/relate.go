package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sealmark/action/internal/accept"
	"github.com/sealmark/action/internal/compare"
	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/suite"
)

// committed is where a repository keeps the result of its base.
const committed = ".sealmark/baseline.json"

// again builds and tests the server of a result as it was in the base, and
// says which commit that is.
type again func() (base *result.Result, commit string, err error)

// relate compares a result with its base, marks what is accepted of it, and
// makes score and gate of what is left.
func relate(c *config.Config, r *result.Result, build again) {
	base, source, commit, err := findBase(c, r, build)
	switch {
	case err != nil:
		r.Notices = append(r.Notices, "There is no comparison with the base: "+(*redact.Redactor)(nil).Line(err.Error(), 500)+".")
	case base != nil:
		compare.Apply(r, base, source, commit)
	}
	if c.NewOnly && (r.Comparison == nil || !r.Comparison.FindingsCompared) {
		r.Notices = append(r.Notices, "new_only has no base whose findings can be compared, so the gate counts all findings.")
	} else if c.NewOnly && len(r.Comparison.Unsure) > 0 {
		r.Notices = append(r.Notices, fmt.Sprintf("It can't be told of %d findings whether they are new, since the base did not look for them; the gate does not count them.", len(r.Comparison.Unsure)))
	}
	root := repositoryRoot()
	accept.Apply(r, c.Accept, r.Volatile.Started, func(path string) (string, bool) { return inside(root, path) })
	suite.Settle(r, c)
}

// findBase finds the result to compare with: nil for none, which is no error.
func findBase(c *config.Config, r *result.Result, build again) (base *result.Result, source, commit string, err error) {
	switch {
	case c.Compare == config.CompareOff:
		return nil, "", "", nil
	case c.Compare == config.CompareBuild:
		switch {
		case r.Status != result.Assessed:
			return nil, "", "", errors.New("the server was not assessed, so the merge base was not built")
		case build == nil:
			return nil, "", "", errors.New("compare: build needs a server that is built and launched")
		}
		base, commit, err = build()
		return base, result.FromBuild, commit, err
	case c.Baseline != "":
		base, err = readBase(c.Baseline, r.Server.Key)
		return base, result.FromBaseline, commitOf(base), err
	}
	path := filepath.Join(repositoryRoot(), filepath.FromSlash(committed))
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil, "", "", nil
	}
	base, err = readBase(path, r.Server.Key)
	return base, result.FromCommitted, commitOf(base), err
}

func commitOf(r *result.Result) string {
	if r == nil {
		return ""
	}
	return r.Volatile.Commit
}

// namedBase checks the baseline that a flag names: whoever types it wants to
// know at once that it can't be used.
func namedBase(c *config.Config) error {
	if c.Origin("baseline").Flag == "" || c.Baseline == "" {
		return nil
	}
	if info, err := os.Stat(c.Baseline); err == nil && info.IsDir() {
		return nil
	}
	_, err := readBase(c.Baseline, "")
	return err
}

// readBase reads the result of the base from a file, or from a folder: its one
// result, or of several the one of the server.
func readBase(path, key string) (*result.Result, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("the baseline %s does not exist", filepath.ToSlash(path))
	case err != nil:
		return nil, fmt.Errorf("the baseline can't be read: %w", err)
	case !info.IsDir():
		return openResult(path)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, fmt.Errorf("the baseline can't be read: %w", err)
	}
	var files []string
	for _, e := range entries {
		if name := e.Name(); strings.HasPrefix(name, "result") && filepath.Ext(name) == ".json" && len(files) < maxResults {
			files = append(files, filepath.Join(path, name))
		}
	}
	for _, file := range files {
		r, err := openResult(file)
		if len(files) == 1 || err == nil && r.Server.Key == key {
			return r, err
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("the folder %s holds no result.json", filepath.ToSlash(path))
	}
	return nil, fmt.Errorf("none of the results in %s is of the server %q", filepath.ToSlash(path), key)
}
