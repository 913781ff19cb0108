package wire

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// lookPath finds the program of a command as its child would: a name with a
// slash relative to the working directory, any other in the PATH of its
// environment.
func lookPath(command Command) (string, error) {
	name := command.Args[0]
	if name == "" {
		return "", errors.New("its name is empty")
	}
	if strings.ContainsRune(name, '/') || strings.ContainsRune(name, filepath.Separator) {
		if filepath.IsAbs(name) || command.Dir == "" {
			return executable(name)
		}
		abs, err := filepath.Abs(filepath.Join(command.Dir, name))
		if err != nil {
			return "", err
		}
		return executable(abs)
	}
	path, set := "", false
	for _, v := range command.Env {
		if name, value, _ := strings.Cut(v, "="); name == "PATH" || runtime.GOOS == "windows" && strings.EqualFold(name, "PATH") {
			path, set = value, true
		}
	}
	if !set {
		return exec.LookPath(name)
	}
	for _, dir := range filepath.SplitList(path) {
		if found, err := executable(filepath.Join(dir, name)); err == nil && filepath.IsAbs(found) {
			return found, nil
		}
	}
	return "", errors.New("it is in none of the folders of PATH")
}

// executable returns the path if it names a file that may be executed; on
// Windows with its extension.
func executable(path string) (string, error) {
	found, err := exec.LookPath(path)
	var failed *exec.Error
	if errors.As(err, &failed) {
		err = failed.Err
	}
	var at *os.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return found, err
}
