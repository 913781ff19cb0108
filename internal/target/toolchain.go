package target

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// MissingError says that a program which the build or the launch needs is not
// there.
type MissingError struct {
	// Program is its name.
	Program string
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("%s is not installed, which the server needs", e.Program)
}

// Next says how to get the program.
func (e *MissingError) Next() string {
	how := toolchains[e.Program]
	if how == "" {
		return fmt.Sprintf("Install %s. In the action the input setup may do that, or an own image that is made from the one of the action.", e.Program)
	}
	return fmt.Sprintf("Install %s. In the action the input setup may do that, with %q, or an own image that is made from the one of the action.", e.Program, how)
}

// toolchains are the commands that install the usual programs in the image of
// the action.
var toolchains = map[string]string{
	"bun":      "npm install --global bun",
	"bundle":   "apt-get update && apt-get install -y bundler",
	"cargo":    "apt-get update && apt-get install -y cargo",
	"composer": "apt-get update && apt-get install -y composer",
	"deno":     "npm install --global deno",
	"dotnet":   "apt-get update && apt-get install -y dotnet-sdk-8.0",
	"gradle":   "apt-get update && apt-get install -y gradle",
	"hatch":    "uv tool install hatch",
	"java":     "apt-get update && apt-get install -y default-jdk-headless",
	"make":     "apt-get update && apt-get install -y make",
	"mvn":      "apt-get update && apt-get install -y maven",
	"pdm":      "uv tool install pdm",
	"php":      "apt-get update && apt-get install -y php-cli",
	"pip":      "apt-get update && apt-get install -y python3-pip",
	"pnpm":     "corepack enable",
	"poetry":   "uv tool install poetry",
	"ruby":     "apt-get update && apt-get install -y ruby",
	"yarn":     "corepack enable",
}

// lookFor returns the first program that is not there: of those that are
// needed, then of the steps.
func lookFor(needs []string, steps []Step, env []string) *MissingError {
	names := slices.Clone(needs)
	for _, step := range steps {
		names = append(names, step.Args[0])
	}
	for _, name := range names {
		if strings.ContainsAny(name, `/\`) {
			continue // a file of the repository, which an earlier step may make
		}
		if _, err := lookPath(name, "", env); err != nil {
			return &MissingError{name}
		}
	}
	return nil
}

// lookPath finds a program as its process would: one with a slash relative to
// its folder, any other in the PATH of its environment.
func lookPath(name, dir string, env []string) (string, error) {
	if strings.ContainsAny(name, `/\`) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		return exec.LookPath(name)
	}
	path := ""
	for _, pair := range env {
		if key, value, _ := strings.Cut(pair, "="); key == "PATH" || runtime.GOOS == "windows" && strings.EqualFold(key, "PATH") {
			path = value
		}
	}
	for _, folder := range filepath.SplitList(path) {
		if found, err := exec.LookPath(filepath.Join(folder, name)); err == nil && filepath.IsAbs(found) {
			return found, nil
		}
	}
	return "", errors.New(name + " is in none of the folders of PATH")
}
