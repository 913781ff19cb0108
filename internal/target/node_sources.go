package target

import (
	"path"
	"regexp"
	"strings"
)

// outputs are the folders that builds of JavaScript write into, sources those
// that they read from.
var (
	outputs = []string{"dist", "build", "lib", "out", "bin", ".build", "esm", "cjs"}
	sources = []string{"src", "", "source", "lib"}
)

// sourceOf finds the source of a program that a build makes: dist/index.js is
// made of src/index.ts. It returns "" if none is found.
func (f *finder) sourceOf(dir, program string) string {
	if f.exists(program) && !inOutput(from(dir, program)) {
		return program
	}
	rel := strings.TrimSuffix(from(dir, program), path.Ext(program))
	for _, out := range outputs {
		rest, ok := strings.CutPrefix(rel, out+"/")
		if !ok {
			continue
		}
		// dist/cjs/index.js, dist/src/index.js
		rests := []string{rest}
		if first, below, ok := strings.Cut(rest, "/"); ok && (first == "src" || first == "esm" || first == "cjs") {
			rests = append(rests, below)
		}
		for _, rest := range rests {
			for _, source := range sources {
				if found := f.module(path.Join(dir, source, rest)); found != "" {
					return found
				}
			}
		}
	}
	if found := f.module(path.Join(dir, rel)); found != "" {
		return found
	}
	if f.exists(program) {
		return program
	}
	return ""
}

func inOutput(rel string) bool {
	first, _, below := strings.Cut(rel, "/")
	return below && (first == "dist" || first == "build" || first == "out")
}

// module finds the file that an import of a path without extension means.
func (f *finder) module(stem string) string {
	for _, end := range []string{"", "/index"} {
		for _, extension := range javascript.extensions {
			if name := stem + end + extension; f.exists(name) {
				return name
			}
		}
	}
	return ""
}

var importPath = regexp.MustCompile(`(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*["'` + "`" + `]([^"'` + "`\n" + `]+)["'` + "`" + `]`)

// maxReached bounds how many files of a program are followed.
const maxReached = 300

// reach are the source files that a program is made of, as far as its imports
// can be followed within the repository.
func (f *finder) reach(program string) []string {
	var files []string
	seen := map[string]bool{program: true}
	for queue := []string{program}; len(queue) > 0 && len(files) < maxReached && !f.late(); queue = queue[1:] {
		file := queue[0]
		files = append(files, file)
		for _, next := range f.imports(file) {
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return files
}

// imports are the source files that a file of JavaScript imports.
func (f *finder) imports(file string) []string {
	if found, known := f.imported[file]; known {
		return found
	}
	var found []string
	for _, m := range importPath.FindAllSubmatch(f.source(file), -1) {
		if next := f.importOf(path.Dir(file), string(m[1])); next != "" {
			found = append(found, next)
		}
	}
	f.imported[file] = found
	return found
}

// importOf finds the source file that an import means, "" if it is none of the
// repository.
func (f *finder) importOf(dir, name string) string {
	if !strings.HasPrefix(name, ".") {
		return f.importedPackage(name)
	}
	target, ok := join(dir, name)
	if !ok {
		return ""
	}
	if found := f.module(strings.TrimSuffix(target, path.Ext(target))); found != "" && path.Ext(target) != "" {
		return found
	}
	if f.exists(target) {
		return target
	}
	return f.module(target)
}

// importedPackage finds the entry of another package of the repository.
func (f *finder) importedPackage(name string) string {
	dir, ok := f.packageDirs()[name]
	if !ok {
		return ""
	}
	p := f.nodeProject(dir)
	if p == nil {
		return ""
	}
	if entry := p.main(); entry != "" {
		return f.sourceOf(dir, entry)
	}
	return f.module(path.Join(dir, "src/index"))
}
