package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/fixture"
	"github.com/sealmark/action/internal/suite"
	"github.com/sealmark/action/sarif"
)

// TestSARIFOfFixtures: each result about a test server is at a file of the
// repository. With SEALMARK_SARIF=DIR the documents stay in that folder, for
// scripts/sarif-multitool.sh.
func TestSARIFOfFixtures(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every test server")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := os.Getenv("SEALMARK_SARIF")
	if folder == "" {
		if os.Getenv("CI") != "" {
			t.Fatal("SEALMARK_SARIF is not set: it is a folder, whose files .ci/run validates after the tests")
		}
		folder = t.TempDir()
	}
	root := repositoryRoot()
	// Most servers let their client wait, and what is found in less time is as
	// good for this.
	settings := map[string]string{"timeout": "10s", "timeout-start": "3s", "timeout-probe": "300ms", "lanes": "1"}
	const atOnce = 8
	var all sync.WaitGroup
	free := make(chan struct{}, atOnce)
	for _, name := range fixture.Names() {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			data, err := sarifOf(t.Context(), self, name, root, settings)
			if err == nil {
				err = errors.Join(os.WriteFile(filepath.Join(folder, name+".sarif"), data, 0o644), inRepository(data, root))
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	all.Wait()
}

// sarifOf is the SARIF document of a run against a test server.
func sarifOf(ctx context.Context, self, name, root string, settings map[string]string) ([]byte, error) {
	c, err := config.Build(config.Sources{Path: config.NoFile, Command: []string{self}, Env: []string{fixture.Variable + "=" + name}, Flags: settings}, suite.Catalog())
	if err != nil {
		return nil, err
	}
	document, err := assess(ctx, suite.Run{Config: c, Version: "test", Key: name}).Marshal()
	if err != nil {
		return nil, err
	}
	return toSARIF(document, sarif.Options{Indent: true, Root: root})
}

// inRepository says which results of a document are at no file of the
// repository.
func inRepository(data []byte, root string) error {
	var d struct {
		Runs []struct {
			Results []struct {
				RuleID    string
				Locations []struct {
					PhysicalLocation struct{ ArtifactLocation struct{ URI string } }
				}
			}
		}
	}
	if err := json.Unmarshal(data, &d); err != nil {
		return err
	}
	var faults []error
	for _, run := range d.Runs {
		for _, result := range run.Results {
			if len(result.Locations) == 0 {
				faults = append(faults, fmt.Errorf("a result of %s has no location", result.RuleID))
			}
			for _, l := range result.Locations {
				uri := l.PhysicalLocation.ArtifactLocation.URI
				file, err := url.PathUnescape(uri)
				if err != nil || !filepath.IsLocal(file) {
					faults = append(faults, fmt.Errorf("a result of %s is at %q", result.RuleID, uri))
					continue
				}
				if info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(file))); err != nil || !info.Mode().IsRegular() {
					faults = append(faults, fmt.Errorf("a result of %s is at %q, which is no file of the repository", result.RuleID, uri))
				}
			}
		}
	}
	return errors.Join(faults...)
}
