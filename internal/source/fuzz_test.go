package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzFile: whatever a file holds, looking into it ends, and what is found is a
// place in it.
func FuzzFile(f *testing.F) {
	names, _ := filepath.Glob("testdata/repos/*.txtar")
	for _, name := range names {
		r := unpack(f, name)
		for _, w := range r.want {
			if w.file == "" {
				continue
			}
			src, err := os.ReadFile(filepath.Join(r.options.Root, filepath.FromSlash(w.file)))
			if err != nil {
				f.Fatal(err)
			}
			_, subject, _ := strings.Cut(w.subject, ":")
			f.Add(filepath.Ext(w.file), src, subject, w.argument)
		}
	}
	f.Fuzz(func(t *testing.T, end string, src []byte, name, argument string) {
		one := &file{path: "a" + end, src: string(src), family: familyOf(end)}
		if one.family == 0 || len(src) > 64<<10 {
			return
		}
		x := &index{files: []*file{one}, homes: map[string]*home{}, trees: map[*file]*tree{}, cost: meter{all: maxAllSteps}}
		x.group()
		lines := strings.Split(one.src, "\n")
		for _, kind := range []string{kindTool, kindPrompt, kindResource, kindServer} {
			l := x.locate(kind+":"+name, argument)
			if l == nil {
				continue
			}
			if l.Line < 1 || l.Line > len(lines) || l.Column < 1 || l.Column > len([]rune(lines[l.Line-1])) {
				t.Errorf("%s %q is at %+v", kind, name, l)
			}
		}
	})
}

// FuzzManifest: whatever a manifest and a source hold, it is known what uses
// what.
func FuzzManifest(f *testing.F) {
	f.Add("package.json", []byte(`{"name":"@all/first","dependencies":{"@all/second":"*"}}`), []byte(`import "@all/second";`))
	f.Add("pyproject.toml", []byte("[project]\nname = \"first\"\n"), []byte("from ..second import x"))
	f.Add("go.mod", []byte("module example.com/first\n"), []byte("use second::x;"))
	f.Fuzz(func(t *testing.T, manifest string, data, src []byte) {
		name := nameIn(manifest, data)
		homes := map[string]*home{"": {manifest: string(data)}, "a/" + "second": {dir: "a/second", name: name, manifest: string(src)}}
		reached := reach("", homes, []*file{{path: "x.ts", src: string(src)}})
		if !reached[""] {
			t.Error("a package does not reach itself")
		}
	})
}
