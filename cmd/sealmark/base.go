package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/mergebase"
	"github.com/sealmark/action/internal/result"
)

// committed is where a repository keeps the result of its base.
const committed = ".sealmark/baseline.json"

// found is a base: none, which is no fault, if result is nil.
type found struct {
	result *result.Result
	// source and commit say where it comes from and which commit it is of, ""
	// if that is not known.
	source, commit string
	notices        []string
}

// findBase finds the result to compare with.
func (p *pipeline) findBase(ctx context.Context, c *config.Config, r *result.Result, build again) (base found, err error) {
	open := func(file string) (*result.Result, error) { return p.openBase(ctx, file, &base.notices) }
	switch {
	case c.Compare == config.CompareOff:
		return base, nil
	case c.Compare == config.CompareBuild:
		switch {
		case r.Status != result.Assessed:
			return base, errors.New("the server was not assessed, so the merge base was not built")
		case build == nil:
			return base, errors.New("compare: build needs a server that is built and launched")
		}
		base.source = result.FromBuild
		base.result, base.commit, err = build()
		return base, err
	case c.Baseline != "":
		base.source = result.FromBaseline
		base.result, err = readBase(c.Baseline, r.Server.Key, open)
	default:
		base.source = result.FromCommitted
		if base.result, err = open(filepath.Join(p.root, filepath.FromSlash(committed))); errors.Is(err, fs.ErrNotExist) {
			return found{}, nil
		}
	}
	if base.result != nil {
		base.commit = base.result.Volatile.Commit
	}
	return base, err
}

// openBase reads the result of a base. Who proposes a change could write what
// it is compared with into the same change: of a file that is committed, the
// base's version counts then, where it can be had.
func (p *pipeline) openBase(ctx context.Context, file string, notices *[]string) (*result.Result, error) {
	rel, within := inside(p.root, file)
	if !p.proposed || !within {
		return openResult(file)
	}
	repository := mergebase.Repository{Root: p.root}
	here, err := repository.At(ctx, "HEAD", rel)
	if err == nil && here.ID == "" && exists(file) {
		return openResult(file) // an earlier step brought it
	}
	var there mergebase.Entry
	if err == nil {
		there, err = p.atBase(ctx, repository, rel)
	}
	var data []byte
	if err == nil && there.ID != "" {
		if data, err = repository.Read(ctx, there, result.MaxBytes); err != nil && !errors.Is(err, mergebase.ErrShallow) {
			return nil, fmt.Errorf("%s of the base can't be read: %w", rel, err)
		}
	}
	switch {
	case errors.Is(err, mergebase.ErrSame):
		return openResult(file)
	case err != nil && !exists(file):
		return nil, fs.ErrNotExist
	case err != nil:
		*notices = append(*notices, fmt.Sprintf("The baseline %s is the one in this change, which may have altered it; that of the base can't be had: %v.", rel, err))
		return openResult(file)
	case there.ID == "" && here.ID == "":
		return nil, fs.ErrNotExist
	case there.ID == "":
		return nil, fmt.Errorf("this change adds %s, which counts from the next one on", rel)
	case here.ID == "":
		*notices = append(*notices, fmt.Sprintf("This change removes the baseline %s; it is compared with that of the base.", rel))
	case here != there:
		*notices = append(*notices, fmt.Sprintf("This change alters the baseline %s; it is compared with that of the base.", rel))
	}
	return parsedResult(rel+" of the base", data)
}

// atBase returns what the merge base holds at a path.
func (p *pipeline) atBase(ctx context.Context, repository mergebase.Repository, path string) (mergebase.Entry, error) {
	commit, err := repository.Find(ctx, p.baseName())
	if err != nil {
		return mergebase.Entry{}, err
	}
	return repository.At(ctx, commit, path)
}

// baseName is the commit or the ref that the change goes into, "" if it is to
// be found out.
func (p *pipeline) baseName() string {
	if branch := os.Getenv("GITHUB_BASE_REF"); p.base == "" && branch != "" {
		return "refs/remotes/origin/" + branch
	}
	return p.base
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
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
	_, err := readBase(c.Baseline, "", openResult)
	return err
}

// readBase reads the result of the base from a file, or from a folder: its one
// result, or of several the one of the server.
func readBase(path, key string, open func(file string) (*result.Result, error)) (*result.Result, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("the baseline %s does not exist", filepath.ToSlash(path))
	case err != nil:
		return nil, fmt.Errorf("the baseline can't be read: %w", err)
	case !info.IsDir():
		return open(path)
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
		r, err := open(file)
		if len(files) == 1 || err == nil && r.Server.Key == key {
			return r, err
		}
	}
	switch {
	case len(files) == 0:
		return nil, fmt.Errorf("the folder %s holds no result.json", filepath.ToSlash(path))
	case key == "":
		return nil, fmt.Errorf("the folder %s holds several results: name one of them", filepath.ToSlash(path))
	}
	return nil, fmt.Errorf("none of the results in %s is of the server %q", filepath.ToSlash(path), key)
}
