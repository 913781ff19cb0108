package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/sealmark/action/internal/rule"
)

// maxFile bounds a configuration file, in bytes.
const maxFile = 1 << 20

// fileNames are the names that a configuration file is looked for by.
var fileNames = []string{"sealmark.yml", "sealmark.yaml"}

// Load reads and checks a configuration file. Its error is an *Error, or
// several joined.
func Load(path string, checks []rule.Check) (*File, error) {
	data, err := read(path)
	if err != nil {
		return nil, &Error{Origin: Origin{File: path}, Message: err.Error()}
	}
	return Parse(path, data, checks)
}

func read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, errors.New("the file does not exist")
	case err != nil:
		return nil, errors.New("the file can't be read: " + cause(err))
	case info.IsDir():
		return nil, errors.New("this is a folder, not a file")
	case !info.Mode().IsRegular() && !named(path):
		return nil, errors.New("this is no regular file")
	case leadsToProcess(path):
		return nil, errors.New("this is a link to a running process, not a file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, errors.New("the file can't be read: " + cause(err))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, errors.New("the file can't be read: " + cause(err))
	}
	return data, nil
}

// leadsToProcess reports whether a path is a link into /proc. The file comes
// with the code under test, and errors quote it: a link to our own environment
// would print it.
func leadsToProcess(path string) bool {
	if named(path) {
		return false
	}
	real, err := filepath.EvalSymlinks(path)
	return err != nil || strings.HasPrefix(real, "/proc/")
}

// named reports whether a path is one of a device or a process, which only a
// user can have named.
func named(path string) bool {
	return strings.HasPrefix(path, "/proc/") || strings.HasPrefix(path, "/dev/")
}

// escapes reports whether a path that looks to be in a folder is led out of it
// by a link.
func escapes(within, path string) bool {
	_, looks := under(within, path)
	return looks && !leadsInto(within, path)
}

// leadsInto reports whether a path that exists is in a folder when all links are
// followed.
func leadsInto(within, path string) bool {
	folder, err := filepath.EvalSymlinks(within)
	if err != nil {
		return false
	}
	at, err := filepath.Abs(path)
	if err == nil {
		at, err = filepath.EvalSymlinks(at)
	}
	_, ok := under(folder, at)
	return err == nil && ok
}

func cause(err error) string {
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}

// find looks for the configuration file in a folder, then in the current one.
// It returns "" if there is none.
func find(folder string) (string, error) {
	folders := []string{"."}
	if folder != "" {
		folders = []string{folder, "."}
	}
	for _, folder := range folders {
		var found []string
		for _, name := range fileNames {
			path := filepath.Join(folder, name)
			if _, err := os.Lstat(path); err == nil {
				found = append(found, path)
			}
		}
		switch len(found) {
		case 1:
			return found[0], nil
		case 2:
			return "", &Error{Message: fmt.Sprintf("both %s and %s exist: keep one of them", found[0], found[1])}
		}
	}
	return "", nil
}
