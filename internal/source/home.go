package source

import (
	"encoding/json"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// manifests are the files that make a folder a package, by their end.
var manifests = []string{"package.json", "pyproject.toml", "setup.py", "go.mod", "Cargo.toml", "pom.xml", "build.gradle", "build.gradle.kts", ".csproj", "composer.json", "Gemfile", ".gemspec", "Package.swift", "deno.json"}

var (
	tomlName = regexp.MustCompile(`(?m)^name\s*=\s*["']([^"'\n]+)["']`)
	goModule = regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)`)
)

// home reads the manifest of a folder, nil if it has none.
func (w *walker) home(dir string, list []fs.DirEntry) *home {
	for _, m := range manifests {
		for _, e := range list {
			if !strings.HasSuffix(e.Name(), m) || m[0] != '.' && e.Name() != m || !e.Type().IsRegular() {
				continue
			}
			data, err := w.read(path.Join(dir, e.Name()))
			if err != nil {
				continue
			}
			h := &home{dir: dir}
			if len(w.homes) < maxHomes {
				h.name, h.manifest = nameIn(m, data), string(data)
			}
			return h
		}
	}
	return nil
}

// nameIn is the name that a manifest gives a package, "" if it gives none.
func nameIn(manifest string, data []byte) string {
	switch manifest {
	case "package.json", "composer.json", "deno.json":
		var d struct{ Name string }
		json.Unmarshal(data, &d) // what is no JSON names nothing
		return d.Name
	case "pyproject.toml", "Cargo.toml":
		if m := tomlName.FindSubmatch(data); m != nil {
			return string(m[1])
		}
	case "go.mod":
		if m := goModule.FindSubmatch(data); m != nil {
			return string(m[1])
		}
	}
	return ""
}

// uses reports whether a text refers to a package: by its name, or by the way
// to its folder.
func (h *home) uses(text string, manifest bool) bool {
	if len(h.name) > 2 && (imports(text, h.name, manifest) || strings.Contains(h.name, "-") && imports(text, strings.ReplaceAll(h.name, "-", "_"), manifest)) {
		return true
	}
	base := path.Base(h.dir)
	if len(base) < 3 {
		return false
	}
	if strings.Contains(text, "../"+base) || strings.Contains(text, "/"+base+"/") && strings.Contains(text, "../") {
		return true
	}
	return manifest && h.name == "" && strings.Contains(text, base)
}

// imports reports whether a text has the name of a package as a whole, and,
// unless it is a manifest, where one is imported or called into.
func imports(text string, name string, manifest bool) bool {
	isPart := func(at int) bool { return at >= 0 && at < len(text) && (isWord(text[at]) || text[at] == '-') }
	for at := 0; ; at++ {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		at += i
		end := at + len(name)
		if isPart(at-1) || isPart(end) {
			continue
		}
		const longest = 300
		line := text[max(0, at-longest):at]
		line = strings.TrimLeft(line[strings.LastIndexByte(line, '\n')+1:], " \t")
		if manifest || at > 0 && strings.IndexByte("\"'`", text[at-1]) >= 0 || strings.HasPrefix(text[end:], "::") || imported.MatchString(line) {
			return true
		}
	}
}

var imported = regexp.MustCompile(`^(pub |export )?(import|from|use|using|require|@import)\b`)

// reach returns the packages that a package uses, itself among them, those
// that they use, and the ones that it lies in.
func reach(from string, homes map[string]*home, files []*file) map[string]bool {
	reached := map[string]bool{from: true}
	for dir := from; dir != "" && dir != "."; {
		if dir = path.Dir(dir); dir == "." {
			dir = ""
		}
		reached[dir] = true
	}
	texts := map[string][]*file{}
	for _, f := range files {
		texts[f.home] = append(texts[f.home], f)
	}
	others := slices.Sorted(maps.Keys(homes))
	queue, left := []string{from}, maxReach
	for len(queue) > 0 && len(homes) <= maxHomes {
		dir := queue[0]
		queue = queue[1:]
		for _, other := range others {
			if reached[other] {
				continue
			}
			h := homes[other]
			used := homes[dir] != nil && h.uses(homes[dir].manifest, true)
			for _, f := range texts[dir] {
				if used || left < 0 {
					break
				}
				left -= len(f.src)
				used = h.uses(f.src, false)
			}
			if used {
				reached[other] = true
				queue = append(queue, other)
			}
		}
	}
	return reached
}

// How many packages a repository may have for their uses to be looked at, and
// how many bytes are searched for them at most.
const (
	maxHomes = 500
	maxReach = 2 << 30
)
