package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/sealmark/action/internal/fixture"
)

// TestSARIFOfFixtures: each result about a test server is at a file of the
// repository. With SEALMARK_SARIF=DIR the documents stay in that folder, for
// scripts/sarif-multitool.sh.
func TestSARIFOfFixtures(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every test server")
	}
	folder := os.Getenv("SEALMARK_SARIF")
	if folder == "" {
		if os.Getenv("CI") != "" {
			t.Fatal("SEALMARK_SARIF is not set: it is a folder, whose files .ci/run validates after the tests")
		}
		folder = t.TempDir()
	}
	program, root := build(t), repositoryRoot()
	const atOnce = 8
	var all sync.WaitGroup
	free := make(chan struct{}, atOnce)
	for _, name := range fixture.Names() {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			if err := sarifOf(t.Context(), program, name, root, filepath.Join(folder, name+".sarif")); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	all.Wait()
}

// sarifOf writes the SARIF document of a run against a test server to a file,
// and says which of its results are at no file of the repository. Most servers
// let their client wait, and what is found in less time is as good for this.
func sarifOf(ctx context.Context, program, name, root, path string) error {
	cmd := exec.CommandContext(ctx, program, "run", "-q", "--timeout", "10", "--timeout-start", "3", "--timeout-probe", "0.3", "--lanes", "1",
		"--sarif", path, "--", program, "fixture", name)
	cmd.Dir = root
	var exit *exec.ExitError
	out, err := cmd.CombinedOutput()
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != exitGate && exit.ExitCode() != exitNotAssessed) {
		return fmt.Errorf("%w\n%s", err, out)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return inRepository(data, root)
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
