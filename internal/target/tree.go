package target

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

// Bounds of what is read of a repository.
const (
	maxEntries = 50_000           // files and folders that are looked at
	maxDepth   = 8                // folders below the root
	maxFile    = 1 << 20          // bytes of a manifest
	maxYAML    = 128 << 10        // bytes of a manifest in YAML
	maxSource  = 512 << 10        // bytes that are read of a source file
	maxRead    = 64 << 20         // bytes that are read in all
	maxTime    = 20 * time.Second // time for all of it
)

// skipped are folders that are not walked: what others wrote.
var skipped = []string{
	"node_modules", "bower_components", "vendor", "third_party", "site-packages", "venv", "Pods", "__pycache__",
}

// aside are folders in which no server of the repository is looked for: what a
// build makes, and what shows or tests something. Below a folder src only tests
// are aside: com/example is a usual package.
var (
	aside = []string{
		"dist", "build", "out", "target", "obj", "coverage", "spec",
		"example", "examples", "sample", "samples", "demo", "demos", "doc", "docs", "template", "templates",
		"benchmark", "benchmarks", "bench",
	}
	tests = []string{"test", "tests", "__tests__", "__mocks__", "testdata", "fixtures", "e2e"}
)

// isAside reports whether a path lies in a folder in which no server is looked
// for.
func isAside(name string) bool {
	source := false
	for folder := range strings.SplitSeq(path.Dir(name), "/") {
		folder = strings.ToLower(folder)
		if slices.Contains(tests, folder) || !source && slices.Contains(aside, folder) {
			return true
		}
		source = source || folder == "src"
	}
	return false
}

// editorFolders are hidden folders that may say how a server is launched.
var editorFolders = []string{".vscode", ".cursor"}

// tree is the repository as it may be read: within bounds, and only regular
// files that lie below the root.
type tree struct {
	root *os.Root
	// files are the paths of all regular files that are looked at, those of
	// outer folders first, sorted within a folder.
	files []string
	// cut says which bound ended the walk, "" for none.
	cut      string
	entries  int
	read     int
	deadline time.Time
	cache    map[string]content
	known    map[string]bool
}

type content struct {
	data []byte
	err  error
}

// openTree lists the files below root.
func openTree(dir string) (*tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	t := &tree{root: root, deadline: time.Now().Add(maxTime), cache: map[string]content{}, known: map[string]bool{}}
	if err := t.walk(); err != nil {
		root.Close()
		return nil, err
	}
	return t, nil
}

func (t *tree) close() { t.root.Close() }

// walk lists one level of folders after the other, so that a bound cuts off
// what lies deepest.
func (t *tree) walk() error {
	level := []string{"."}
	for depth := 0; len(level) > 0; depth++ {
		if depth > maxDepth {
			t.cut = fmt.Sprintf("folders more than %d levels down", maxDepth)
			return nil
		}
		var next []string
		for _, dir := range level {
			folders, err := t.list(dir)
			if err != nil && dir == "." {
				return err
			}
			next = append(next, folders...)
			if t.cut != "" {
				return nil
			}
		}
		level = next
	}
	return nil
}

// list adds the files of a folder and returns the folders in it that are
// looked at.
func (t *tree) list(dir string) (folders []string, err error) {
	f, err := t.root.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var files []string
	for t.cut == "" {
		entries, err := f.ReadDir(1000)
		for _, entry := range entries {
			switch name := path.Join(dir, entry.Name()); {
			case entry.IsDir() && walked(entry.Name()):
				folders = append(folders, name)
			case t.isRegular(name, entry.Type()):
				files = append(files, name)
			}
		}
		t.entries += len(entries)
		if t.entries > maxEntries {
			t.cut = fmt.Sprintf("what comes after %d files and folders", maxEntries)
		}
		if err != nil || len(entries) == 0 || t.late() {
			break
		}
	}
	slices.Sort(files)
	slices.Sort(folders)
	t.files = append(t.files, files...)
	return folders, nil
}

func walked(name string) bool {
	if strings.HasPrefix(name, ".") {
		return slices.Contains(editorFolders, name)
	}
	return !slices.Contains(skipped, name)
}

// isRegular reports whether an entry is a regular file, or a link to one
// below the root.
func (t *tree) isRegular(name string, mode fs.FileMode) bool {
	if mode&fs.ModeSymlink == 0 {
		return mode.IsRegular()
	}
	return t.exists(name)
}

// exists reports whether a path below the root, of a skipped folder too, is a
// regular file.
func (t *tree) exists(name string) bool {
	regular, known := t.known[name]
	if !known && fs.ValidPath(name) {
		info, err := t.root.Stat(name)
		regular = err == nil && info.Mode().IsRegular()
		t.known[name] = regular
	}
	return regular
}

// late reports whether the time is used up, and notes that it cut something
// off.
func (t *tree) late() bool {
	if time.Now().Before(t.deadline) {
		return false
	}
	if t.cut == "" {
		t.cut = cutByTime
	}
	return true
}

var cutByTime = fmt.Sprintf("what could not be read in %v", maxTime)

var (
	errTooLarge = errors.New("it is too large")
	errBudget   = errors.New("too much was read already")
)

// source returns the beginning of a file, nil if it can't be read.
func (t *tree) source(name string) []byte {
	data, err := t.load(name, maxSource)
	if err != nil && !errors.Is(err, errTooLarge) {
		return nil
	}
	return data
}

// load returns a file of at most that many bytes. Of a larger one it returns
// the beginning, with errTooLarge.
func (t *tree) load(name string, most int) ([]byte, error) {
	if c, known := t.cache[name]; known {
		return c.data, c.err
	}
	data, err := t.fetch(name, most)
	t.cache[name] = content{data, err}
	return data, err
}

func (t *tree) fetch(name string, most int) ([]byte, error) {
	if t.read >= maxRead || t.late() {
		return nil, errBudget
	}
	if !t.exists(name) {
		return nil, errors.New("it is no regular file of the repository")
	}
	// The file may be another one by now, in spite of what was known: a pipe must not make us wait.
	f, err := t.root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	data, err := io.ReadAll(io.LimitReader(f, int64(most)+1))
	t.read += len(data)
	if err != nil {
		return nil, err
	}
	if len(data) > most {
		return data[:most], errTooLarge
	}
	return data, nil
}

// own returns the files below a folder without those that are aside, and
// without those of other projects in it.
func (t *tree) own(dir string, projects map[string]bool) []string {
	return slices.DeleteFunc(t.below(dir, projects), isAside)
}

// below returns the files in a folder and the folders in it, without those of
// projects in it.
func (t *tree) below(dir string, projects map[string]bool) []string {
	var files []string
	for _, file := range t.files {
		if !inDir(dir, file) {
			continue
		}
		up := path.Dir(file)
		for up != dir && up != "." && !projects[up] {
			up = path.Dir(up)
		}
		if up == dir {
			files = append(files, file)
		}
	}
	return files
}

// holding are the folders that hold a file of one of the names, or with its
// extension for a name that begins with a dot.
func (t *tree) holding(names ...string) map[string]bool {
	dirs := map[string]bool{}
	for _, file := range t.files {
		if slices.Contains(names, path.Base(file)) || slices.Contains(names, path.Ext(file)) {
			dirs[path.Dir(file)] = true
		}
	}
	return dirs
}

// inDir reports whether a path lies in a folder or is the folder itself.
func inDir(dir, file string) bool {
	return dir == "." || file == dir || strings.HasPrefix(file, dir+"/")
}
