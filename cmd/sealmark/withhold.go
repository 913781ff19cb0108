package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// runnerFiles are the variables that name files of the runner: the event, and
// those by which a step sets variables, outputs and the summary.
var runnerFiles = []string{"GITHUB_EVENT_PATH", "GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STATE", "GITHUB_STEP_SUMMARY"}

// containerHome is where the runner mounts a home for container actions, in
// which earlier steps may have left credentials.
const containerHome = "/github/home"

// withhold closes the folders of the runner to other users, such as those as
// whom servers run, until restore is called. A folder that holds the workspace
// stays as it is. The error names what could not be closed.
func withhold(getenv func(string) string, workspace string) (restore func(), err error) {
	folders := map[string]bool{getenv("RUNNER_TEMP"): true}
	for _, name := range runnerFiles {
		if path := getenv(name); path != "" {
			folders[filepath.Dir(path)] = true
		}
	}
	if getenv("HOME") == containerHome {
		folders[containerHome] = true
	}
	delete(folders, "")
	before := map[string]fs.FileMode{}
	var errs []error
	for folder := range folders {
		if _, ok := inside(folder, workspace); ok {
			continue
		}
		info, err := os.Stat(folder)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			before[folder] = info.Mode()
			err = os.Chmod(folder, info.Mode()&^0o007)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("a folder of the runner stays open to the server: %w", err))
		}
	}
	return func() {
		for folder, mode := range before {
			os.Chmod(folder, mode)
		}
	}, errors.Join(errs...)
}
