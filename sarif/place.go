package sarif

import (
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/sealmark/action/internal/rule"
)

// fallbacks are where a finding goes when the result names no usable place:
// the first that is in the checkout, or the first of all.
var fallbacks = []string{"sealmark.yml", "sealmark.yaml", "server.json", "package.json", "pyproject.toml", "go.mod", "Cargo.toml", "README.md"}

// place is the first of the places that lies within the repository, as a
// percent-encoded URI relative to its root, with a line and a column of at
// least 1. With the folder of a checkout, it is a file there.
func place(places []rule.Location, root string) (uri string, line, column int) {
	for _, l := range places {
		file, ok := relative(l.Path)
		if ok && root != "" {
			file, ok = resolved(root, file)
		}
		if ok {
			return escapedPath(file), bounded(l.Line), bounded(l.Column)
		}
	}
	for _, name := range fallbacks {
		if root == "" {
			break
		}
		if file, ok := resolved(root, name); ok {
			return escapedPath(file), 1, 1
		}
	}
	return fallbacks[0], 1, 1
}

func bounded(n int) int { return min(max(1, n), 1<<30) }

func relative(file string) (clean string, ok bool) {
	if file == "" || len(file) > 1000 || strings.ContainsRune(file, 0) {
		return "", false
	}
	file = path.Clean(file)
	if path.IsAbs(file) || file == "." || file == ".." || strings.HasPrefix(file, "../") {
		return "", false
	}
	return file, true
}

// resolved is the path of a regular file below root after all symbolic links.
func resolved(root, file string) (real string, ok bool) {
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		return "", false
	}
	target, err := filepath.EvalSymlinks(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		return "", false
	}
	info, err := os.Stat(target)
	if err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	rel, err := filepath.Rel(root, target)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// escapedPath is a path as a relative URI. A colon in the first segment would
// read as a scheme.
func escapedPath(file string) string {
	return strings.ReplaceAll((&url.URL{Path: file}).EscapedPath(), ":", "%3A")
}
