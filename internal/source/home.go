package source

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"path"
	"regexp"
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
			return &home{dir: dir, name: nameIn(m, data), manifest: data}
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
func (h *home) uses(text []byte, manifest bool) bool {
	if len(h.name) > 2 && (imports(text, h.name, manifest) || strings.Contains(h.name, "-") && imports(text, strings.ReplaceAll(h.name, "-", "_"), manifest)) {
		return true
	}
	base := path.Base(h.dir)
	if len(base) < 3 {
		return false
	}
	if bytes.Contains(text, []byte("../"+base)) || bytes.Contains(text, []byte("/"+base+"/")) && bytes.Contains(text, []byte("../")) {
		return true
	}
	return manifest && h.name == "" && bytes.Contains(text, []byte(base))
}

// imports reports whether a text has the name of a package as a whole, and,
// unless it is a manifest, where one is imported or called into.
func imports(text []byte, name string, manifest bool) bool {
	isPart := func(at int) bool { return at >= 0 && at < len(text) && (isWord(text[at]) || text[at] == '-') }
	for at := 0; ; at++ {
		i := bytes.Index(text[at:], []byte(name))
		if i < 0 {
			return false
		}
		at += i
		end := at + len(name)
		if isPart(at-1) || isPart(end) {
			continue
		}
		line := bytes.TrimLeft(text[bytes.LastIndexByte(text[:at], '\n')+1:at], " \t")
		if manifest || at > 0 && strings.IndexByte("\"'`", text[at-1]) >= 0 || bytes.HasPrefix(text[end:], []byte("::")) || imported.Match(line) {
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
	queue := []string{from}
	for len(queue) > 0 && len(homes) <= maxHomes {
		dir := queue[0]
		queue = queue[1:]
		for other, h := range homes {
			if reached[other] {
				continue
			}
			used := homes[dir] != nil && h.uses(homes[dir].manifest, true)
			for _, f := range texts[dir] {
				if used {
					break
				}
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

// maxHomes is how many packages a repository may have for their uses to be
// looked at.
const maxHomes = 500
