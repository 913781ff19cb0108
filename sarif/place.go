package sarif

import (
	"net/url"
	"path"
	"strings"

	"github.com/sealmark/action/internal/rule"
)

// fallback is where a finding goes when the result names no usable place.
const fallback = "sealmark.yml"

// place is the first of the places that lies within the repository, as a
// percent-encoded URI relative to its root, and a line of at least 1.
func place(places []rule.Location) (uri string, line int) {
	for _, l := range places {
		if uri, ok := relative(l.Path); ok {
			return uri, min(max(1, l.Line), 1<<30)
		}
	}
	return fallback, 1
}

func relative(file string) (uri string, ok bool) {
	if file == "" || len(file) > 1000 || strings.ContainsRune(file, 0) {
		return "", false
	}
	file = path.Clean(file)
	if path.IsAbs(file) || file == "." || file == ".." || strings.HasPrefix(file, "../") {
		return "", false
	}
	// A colon in the first segment would read as a scheme.
	return strings.ReplaceAll((&url.URL{Path: file}).EscapedPath(), ":", "%3A"), true
}
