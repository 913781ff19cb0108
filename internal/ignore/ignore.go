// Package ignore reads .gitignore files: those of all folders on the way to a
// path, the deeper ones first, and of each the last rule that fits. It takes
// no notice of what the index of Git holds all the same.
package ignore

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// maxRules and maxPattern bound what is read of one file, since nobody vouches
// for it: rules beyond, and rules that long, are left out.
const (
	maxRules   = 2000
	maxPattern = 500
)

// Rules are the rules that hold in a folder. The nil Rules ignore nothing.
type Rules struct {
	parent *Rules
	// dir is where the file lies, relative to the root, "" for the root.
	dir  string
	list []rule
}

type rule struct {
	pattern string
	negated bool
	// folders: it fits folders only. name: it is held against the last part
	// of a path.
	folders, name bool
}

// In returns the rules that hold in a folder: r, which hold in the folder
// above, and those of the folder's own .gitignore file. dir is relative to the
// root of the checkout, with forward slashes, "" for the root.
func (r *Rules) In(dir string, file []byte) *Rules {
	in := &Rules{parent: r, dir: dir}
	for line := range strings.Lines(strings.TrimPrefix(string(file), "\ufeff")) {
		if one, ok := parse(line); ok && len(in.list) < maxRules {
			in.list = append(in.list, one)
		}
	}
	if len(in.list) == 0 && r != nil {
		return r
	}
	return in
}

func parse(line string) (one rule, ok bool) {
	line = trimmed(strings.TrimRight(line, "\r\n"))
	if line == "" || line[0] == '#' || len(line) > maxPattern {
		return one, false
	}
	if rest, cut := strings.CutPrefix(line, "!"); cut {
		one.negated, line = true, rest
	}
	line, one.folders = strings.CutSuffix(line, "/")
	one.name = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if strings.HasSuffix(line, "/**") {
		line += "/*" // what lies in a folder, not the folder itself
	}
	// Braces mean nothing in .gitignore.
	one.pattern = strings.NewReplacer(`\{`, `\{`, `\}`, `\}`, `{`, `\{`, `}`, `\}`).Replace(line)
	return one, line != "" && doublestar.ValidatePattern(one.pattern)
}

// trimmed takes the blanks from the end that are not escaped.
func trimmed(line string) string {
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	return line
}

// Match reports whether a path of the folder, relative to the root, is
// ignored. What lies in an ignored folder is ignored too, so a folder that is
// must not be entered.
func (r *Rules) Match(name string, folder bool) bool {
	for ; r != nil; r = r.parent {
		rel := name
		if r.dir != "" {
			rel = strings.TrimPrefix(name, r.dir+"/")
		}
		for i := len(r.list) - 1; i >= 0; i-- {
			if one := r.list[i]; one.fits(rel, folder) {
				return !one.negated
			}
		}
	}
	return false
}

func (one rule) fits(rel string, folder bool) bool {
	if one.folders && !folder {
		return false
	}
	if one.name {
		rel = path.Base(rel)
	}
	return doublestar.MatchUnvalidated(one.pattern, rel)
}
