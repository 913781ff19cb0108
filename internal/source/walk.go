package source

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/sealmark/action/internal/ignore"
)

// What is read at most. What lies beyond is left out, always the same.
const (
	maxFile    = 1 << 20
	maxBytes   = 128 << 20
	maxFiles   = 20_000
	maxEntries = 200_000
	maxDepth   = 40
)

// file is a source file.
type file struct {
	// path is relative to the root, with forward slashes.
	path   string
	src    string
	family family
	// built: it was made from other files.
	built bool
	// home is the folder of the package that it belongs to, "" for the root.
	home string
	// lower is src in lower case, made when it is needed.
	lower string
}

// lowered is the source with the letters of ASCII in lower case, so that all
// stands where it stood.
func (f *file) lowered() string {
	if f.lower == "" {
		lower := []byte(f.src)
		for i, c := range lower {
			if c >= 'A' && c <= 'Z' {
				lower[i] = c | 0x20
			}
		}
		f.lower = string(lower)
	}
	return f.lower
}

// home is a folder with a manifest: a package of its own.
type home struct {
	dir, name string
	manifest  string
}

// walker lists the files of a checkout.
type walker struct {
	ctx  context.Context
	root *os.Root
	// dir is the folder of the server, and from what is launched of it, in the
	// same folder or elsewhere. On the way to it, a folder is none of tests or
	// the like, whatever its name; on the way to dir, it is no build output.
	dir, from string
	files     []*file
	homes     map[string]*home
	entries   int
}

// walk lists a folder and those below it. built: it is build output.
func (w *walker) walk(dir string, rules *ignore.Rules, homeDir string, built bool, depth int) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if depth > maxDepth || w.entries > maxEntries {
		return nil
	}
	list, err := w.list(dir)
	if err != nil {
		return nil // what can't be read is not searched
	}
	w.entries += len(list)
	names := map[string]bool{}
	for _, e := range list {
		names[e.Name()] = true
	}
	if names[".gitignore"] {
		if data, err := w.read(path.Join(dir, ".gitignore")); err == nil {
			rules = rules.In(dir, data)
		}
	}
	if h := w.home(dir, list); h != nil {
		w.homes[dir] = h
		homeDir = dir
	}
	for _, e := range list {
		name := e.Name()
		at := path.Join(dir, name)
		if w.ctx.Err() != nil || !shows(name) || rules.Match(at, e.IsDir()) {
			continue
		}
		switch {
		case e.IsDir():
			if name[0] == '.' || foreign[name] || showing[strings.ToLower(name)] && !w.leads(at) && !strings.Contains(at, "src/main/") {
				continue
			}
			lib := (name == "lib" || name == "libs") && names["src"] && names["package.json"]
			if err := w.walk(at, rules, homeDir, built || lib || builds[name] && !within(w.dir, at), depth+1); err != nil {
				return err
			}
		case e.Type().IsRegular() && readable(name) && len(w.files) < maxFiles:
			w.files = append(w.files, &file{path: at, family: familyOf(name), built: built, home: homeDir})
		}
	}
	return nil
}

// shows reports whether a name can be shown and linked to as it is.
func shows(name string) bool {
	return utf8.ValidString(name) && !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) })
}

// leads reports whether a folder is on the way to that of the server.
func (w *walker) leads(dir string) bool { return within(w.from, dir) }

// within reports whether a path is a folder or lies in it.
func within(name, dir string) bool {
	return dir == "" || name == dir || strings.HasPrefix(name, dir+"/")
}

func (w *walker) list(dir string) ([]fs.DirEntry, error) {
	f, err := w.root.Open(orDot(dir))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list, err := f.ReadDir(maxEntries)
	if err != nil && err != io.EOF {
		return nil, err
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

func orDot(dir string) string {
	if dir == "" {
		return "."
	}
	return dir
}

// read reads a regular file of at most maxFile bytes. Links are followed
// within the root only.
func (w *walker) read(name string) ([]byte, error) {
	f, err := w.root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, fmt.Errorf("%s is no file of at most %d bytes", name, maxFile)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if len(data) > maxFile {
		return nil, fmt.Errorf("%s grows", name)
	}
	return data, err
}

// load reads the files side by side and keeps those that hold source.
func (w *walker) load() {
	var wg sync.WaitGroup
	next := make(chan *file)
	for range min(8, 2*runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for f := range next {
				if data, err := w.read(f.path); err == nil && !binary(data) && !minified(data) {
					f.src = string(data)
					f.built = f.built || isGenerated(data)
				}
			}
		})
	}
	for _, f := range w.files {
		if w.ctx.Err() == nil {
			next <- f
		}
	}
	close(next)
	wg.Wait()
	total := 0
	w.files = slices.DeleteFunc(w.files, func(f *file) bool {
		if total+len(f.src) > maxBytes {
			return true
		}
		total += len(f.src)
		return len(f.src) == 0 || f.family == document && !kindWords(f.src)
	})
}

// kindWords reports whether a document may be about tools and their like.
func kindWords(src string) bool {
	for _, word := range []string{"tool", "prompt", "resource", "operationId", "inputSchema", "input_schema"} {
		if strings.Contains(src, word) {
			return true
		}
	}
	return false
}
