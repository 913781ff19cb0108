package target

import (
	"go/build/constraint"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/sealmark/action/internal/result"
)

// goServerSDKs are packages that only a server imports. goSDKs hold both sides.
var (
	goServerSDKs = []string{
		"github.com/mark3labs/mcp-go/server", "github.com/ThinkInAIXYZ/go-mcp/server", "github.com/viant/mcp/server",
		"github.com/modelcontextprotocol/go-sdk/server", "github.com/localrivet/gomcp/server",
	}
	goSDKs = []string{
		"github.com/modelcontextprotocol/go-sdk/mcp", "github.com/metoro-io/mcp-golang", "trpc.group/trpc-go/trpc-mcp-go",
		"github.com/mark3labs/mcp-go/client", "github.com/mark3labs/mcp-go/mcp", "github.com/ThinkInAIXYZ/go-mcp/client",
	}
)

// goPackage is a package of a module.
type goPackage struct {
	dir   string
	main  bool
	files []string
	// imports are where packages are imported.
	imports map[string]result.Why
	// mainAt is func main.
	mainAt result.Why
}

var moduleLine = regexp.MustCompile(`(?m)^module[ \t]+"?([^\s"]+)"?`)

func findGo(f *finder, file string) {
	dir := path.Dir(file)
	m := moduleLine.FindSubmatch(f.source(file))
	if m == nil {
		f.reject(weightBroken, why(file, 0, "names no module"))
		return
	}
	module := string(m[1])
	packages := f.goPackages(dir)
	found := 0
	client, library := result.Why{}, result.Why{}
	for _, name := range sortedKeys(packages) {
		if f.late() {
			break
		}
		p := packages[name]
		reached := []string{p.dir}
		if p.main {
			reached = reachGo(packages, module, dir, p)
		}
		e := f.lookGo(packages, reached)
		if e.isServer() && library.Path == "" {
			library = e.server
		}
		if e.isClient() && client.Path == "" {
			client = e.client
		}
		if !p.main || !e.isServer() || isAside(path.Join(p.dir, "x")) {
			continue
		}
		found++
		f.addGo(file, module, p, e)
	}
	switch {
	case found > 0:
	case library.Path != "":
		f.reject(weightLibrary, why(file, 0, "is a library: %s makes a server, but no main package reaches it", place(library)))
	case client.Path != "":
		f.reject(weightClient, why(file, 0, "is a client: %s uses the client side of MCP, and nothing in its source makes a server", place(client)))
	default:
		f.reject(weightNoSDK, why(file, 0, "no main package reaches an MCP SDK, and none answers initialize"))
	}
}

func (f *finder) addGo(file, module string, p *goPackage, e evidence) {
	dir := path.Dir(file)
	rel := from(dir, p.dir)
	name := path.Base(p.dir)
	argument := "./" + rel
	if p.dir == dir {
		argument = "."
		name = lastElement(module)
	}
	if own := ownName(lastElement(module) + "/" + name); p.dir != dir {
		name = own
	}
	binary := ".sealmark/bin/" + executable(cleanName(name))
	c := &candidate{ecosystem: "go", published: module, aliases: []string{name}, entry: p.dir}
	c.Name, c.Detector, c.Directory, c.Rank = name, "go.mod", dir, rankGo
	c.Build = []Step{{Args: []string{"go", "build", "-o", binary, argument}, Dir: dir}}
	c.Launch = e.launch([]string{binary}, "8080")
	c.Why = []result.Why{p.mainAt, serverWhy(e), why(file, 1, "the module is built with go")}
	f.add(c)
}

// lastElement is the name of the program that go makes of a module.
func lastElement(module string) string {
	if major := regexp.MustCompile(`^v[0-9]+$`); major.MatchString(path.Base(module)) {
		module = path.Dir(module)
	}
	return ownName(module)
}

// goPackages reads the packages of a module.
func (f *finder) goPackages(dir string) map[string]*goPackage {
	packages := map[string]*goPackage{}
	for _, file := range f.below(dir, f.holding("go.mod")) {
		base := path.Base(file)
		if path.Ext(file) != ".go" || strings.HasSuffix(base, "_test.go") || strings.HasPrefix(base, "_") || inTestdata(file) {
			continue
		}
		folder := path.Dir(file)
		p := packages[folder]
		if p == nil {
			p = &goPackage{dir: folder, imports: map[string]result.Why{}}
			packages[folder] = p
		}
		p.read(file, f.source(file))
	}
	return packages
}

func inTestdata(file string) bool { return slices.Contains(strings.Split(file, "/"), "testdata") }

// read adds a file to a package, if it is built here.
func (p *goPackage) read(file string, data []byte) {
	if len(data) == 0 || !built(file, data) {
		return
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, "", data, parser.SkipObjectResolution|parser.ImportsOnly)
	if err != nil {
		return
	}
	p.files = append(p.files, file)
	for _, spec := range parsed.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if _, known := p.imports[name]; err == nil && !known {
			p.imports[name] = why(file, set.Position(spec.Pos()).Line, "imports %s", shown(name))
		}
	}
	if parsed.Name.Name != "main" {
		return
	}
	if at := funcMain.FindIndex(data); at != nil {
		p.main = true
		p.mainAt = mention(file, data, at)
		p.mainAt.Text = "a main package"
	}
}

var funcMain = regexp.MustCompile(`(?m)^func main\(\)`)

// built reports whether a file is built on this system, as far as its build
// constraint says it.
func built(file string, data []byte) bool {
	stem := strings.TrimSuffix(path.Base(file), ".go")
	for _, system := range []string{"windows", "darwin", "linux", "js", "wasip1", "plan9", "freebsd", "android", "ios"} {
		if strings.HasSuffix(stem, "_"+system) && system != runtime.GOOS {
			return false
		}
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "package ") {
			return true
		}
		if !constraint.IsGoBuild(line) {
			continue
		}
		expression, err := constraint.Parse(line)
		return err != nil || expression.Eval(func(tag string) bool {
			return tag == runtime.GOOS || tag == runtime.GOARCH || tag == "unix" && runtime.GOOS != "windows" || tag == "cgo" || strings.HasPrefix(tag, "go1.")
		})
	}
	return true
}

// reachGo are the folders of the packages of the module that a package is made
// of.
func reachGo(packages map[string]*goPackage, module, dir string, p *goPackage) []string {
	var reached []string
	seen := map[string]bool{p.dir: true}
	for queue := []*goPackage{p}; len(queue) > 0 && len(reached) < maxReached; queue = queue[1:] {
		p := queue[0]
		reached = append(reached, p.dir)
		for _, name := range sortedKeys(p.imports) {
			rest, ok := strings.CutPrefix(name, module)
			if !ok || rest != "" && rest[0] != '/' {
				continue
			}
			next := packages[path.Join(dir, rest)]
			if next != nil && !seen[next.dir] {
				seen[next.dir] = true
				queue = append(queue, next)
			}
		}
	}
	return reached
}

// lookGo looks at the files of packages. What makes a server counts only in a
// package that imports an SDK.
func (f *finder) lookGo(packages map[string]*goPackage, dirs []string) evidence {
	var e evidence
	for _, dir := range dirs {
		p := packages[dir]
		sdk := result.Why{}
		for _, name := range sortedKeys(p.imports) {
			if slices.Contains(goServerSDKs, name) {
				if e.server.Path == "" {
					e.server = p.imports[name]
				}
				sdk = p.imports[name]
			}
			if slices.Contains(goSDKs, name) {
				sdk = p.imports[name]
			}
		}
		for _, file := range p.files {
			one := f.lookAt(golang, file)
			if !one.own && sdk.Path == "" {
				one.server, one.client, one.stdio, one.http, one.sse = result.Why{}, result.Why{}, false, false, false
			}
			e.merge(one)
		}
	}
	if !e.stdio && !e.http && !e.sse {
		e.stdio = true
	}
	return e
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
