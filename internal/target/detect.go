package target

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/result"
)

// Detect finds the MCP servers of the repository at root. It runs nothing, and
// reads a bounded number of files below root. An error means that root itself
// can't be read.
func Detect(root string) (Detection, error) {
	t, err := openTree(root)
	if err != nil {
		return Detection{}, fmt.Errorf("the repository can't be read: %w", err)
	}
	defer t.close()
	f := &finder{tree: t, docs: map[string]*node{}, looked: map[lookedAt]evidence{}, imported: map[string][]string{}}
	for _, d := range detectors {
		f.run(d)
	}
	f.settle()
	return f.detection(), nil
}

// maxProjects bounds how many files one detector reads.
const maxProjects = 200

func (f *finder) run(d detector) {
	read := 0
	for _, file := range f.files {
		if !d.reads(file) || isAside(file) {
			continue
		}
		if read++; read > maxProjects || f.late() {
			f.note(why(file, 0, "and what comes after it is not looked at: there are too many of its kind, or it takes too long"))
			return
		}
		d.find(f, file)
	}
}

// finder collects what the detectors find.
type finder struct {
	*tree
	docs map[string]*node
	// packages are the folders of packages by name, nil before the first use.
	packages map[string]string
	// looked is what source files show.
	looked map[lookedAt]evidence
	// imported are the files of the repository that a source file imports.
	imported map[string][]string
	// found are the servers that project files show.
	found []*candidate
	// claims are what manifests say of how a server is launched.
	claims  []claim
	notes   []result.Why
	reasons []reason
	// dockerfile is the first Dockerfile, "" for none.
	dockerfile string
}

// candidate is a server that was found, and what manifests may call it by.
type candidate struct {
	Plan
	// ecosystem and published are the registry and the name in it.
	ecosystem, published string
	// aliases are the commands that its package installs.
	aliases []string
	// entry is the program's file, or its folder, relative to the root.
	entry string
	// program is the command without arguments of the server's own.
	program []string
	// claimed: a manifest has said how it is launched; claims is how many speak
	// of it.
	claimed bool
	claims  int
}

// reason says why a part of the repository is no server. The greater weight is
// said first.
type reason struct {
	weight int
	why    result.Why
}

// Weights of reasons: how near the part came to being a server.
const (
	weightNothing = iota
	weightNoSDK
	weightForeign
	weightClient
	weightLibrary
	weightRemote
	weightBroken
)

func (f *finder) reject(weight int, why result.Why) {
	f.reasons = append(f.reasons, reason{weight, why})
}

func (f *finder) note(why result.Why) { f.notes = append(f.notes, why) }

// why is a place with what it shows. Values of the repository in text must
// come from shown.
func why(file string, line int, format string, args ...any) result.Why {
	return result.Why{Path: shownPath(file), Line: line, Text: fmt.Sprintf(format, args...)}
}

// shown makes a value of the repository fit for a sentence.
func shown(value string) string { return (*redact.Redactor)(nil).Line(value, 120) }

func shownPath(value string) string { return (*redact.Redactor)(nil).Line(value, 300) }

// parse reads a manifest. What can't be read is noted once.
func (f *finder) parse(file string, most int, read func([]byte) (*node, error)) *node {
	if n, known := f.docs[file]; known {
		return n
	}
	n, err := f.parseOnce(file, most, read)
	if err != nil {
		f.reject(weightBroken, why(file, 0, "can't be read: %s", shown(err.Error())))
		n = nil
	}
	f.docs[file] = n
	return n
}

func (f *finder) parseOnce(file string, most int, read func([]byte) (*node, error)) (*node, error) {
	data, err := f.load(file, most)
	if errors.Is(err, errTooLarge) {
		return nil, fmt.Errorf("it is larger than %d KiB", most>>10)
	}
	if err != nil {
		return nil, err
	}
	return read(data)
}

func (f *finder) json(file string) *node { return f.parse(file, maxFile, parseJSON) }
func (f *finder) toml(file string) *node { return f.parse(file, maxFile, parseTOML) }
func (f *finder) yaml(file string) *node { return f.parse(file, maxYAML, parseYAML) }

// add keeps a server that a project file shows.
func (f *finder) add(c *candidate) *candidate {
	if len(c.program) == 0 {
		c.program = c.Command
	}
	if c.Transport == "" {
		c.Transport = Stdio
	}
	f.found = append(f.found, c)
	return c
}

// maxPlans bounds how many servers are listed.
const maxPlans = 100

// detection puts what was found in order.
func (f *finder) detection() Detection {
	d := Detection{Plans: []Plan{}, Notes: f.notes}
	for _, c := range f.found {
		f.environment(c)
		c.Toolchains = programsOf(c.Plan)
		d.Plans = append(d.Plans, c.Plan)
	}
	slices.SortStableFunc(d.Plans, byRank)
	if len(d.Plans) > maxPlans {
		d.Notes = append(d.Notes, why(".", 0, "%d more servers are not listed", len(d.Plans)-maxPlans))
		d.Plans = d.Plans[:maxPlans]
	}
	giveNames(d.Plans)
	if f.cut != "" {
		d.Notes = append(d.Notes, why(".", 0, "not looked at: %s", f.cut))
	}
	if len(d.Plans) == 0 {
		d.None, d.Docker = f.none()
	}
	return d
}

// byRank orders plans: the detector's rank, then the outer folder, then a name
// that speaks of a server, then the name.
func byRank(a, b Plan) int {
	return cmp.Or(
		cmp.Compare(b.Rank, a.Rank),
		cmp.Compare(depth(a.Directory), depth(b.Directory)),
		cmp.Compare(speaks(b.Name), speaks(a.Name)),
		cmp.Compare(a.Directory, b.Directory),
		cmp.Compare(a.Name, b.Name),
	)
}

func depth(dir string) int {
	if dir == "." {
		return 0
	}
	return strings.Count(dir, "/") + 1
}

// speaks is how much a name says that it is a server's.
func speaks(name string) int {
	n := 0
	for _, word := range []string{"mcp", "server"} {
		if strings.Contains(strings.ToLower(name), word) {
			n++
		}
	}
	return n
}

// giveNames cleans the names of plans and makes them distinct: a name that is
// taken gets its folder in front, then a number.
func giveNames(plans []Plan) {
	count := map[string]int{}
	for i := range plans {
		plans[i].Name = cleanName(plans[i].Name)
		count[plans[i].Name]++
	}
	taken := map[string]bool{}
	for i := range plans {
		p := &plans[i]
		if count[p.Name] > 1 && p.Directory != "." {
			p.Name = cleanName(p.Directory + "-" + p.Name)
		}
		name := p.Name
		for n := 2; taken[p.Name]; n++ {
			p.Name = fmt.Sprintf("%s-%d", name, n)
		}
		taken[p.Name] = true
	}
}

// maxName bounds a name, in bytes, with room for a number.
const maxName = 60

// cleanName keeps what the configuration takes as the name of a server.
func cleanName(name string) string {
	name = strings.Map(func(c rune) rune {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.ContainsRune("._-", c):
			return c
		}
		return '-'
	}, name)
	name = strings.TrimLeft(name, "-._")
	if len(name) > maxName {
		name = name[:maxName]
	}
	if name = strings.TrimRight(name, "-._"); name == "" || name == "all" {
		return "server"
	}
	return name
}

// unscoped is the name of a package without its scope or host.
func unscoped(name string) string {
	if name == "" {
		return ""
	}
	return path.Base(name)
}

// ownName is the last part of a package's name, with the part before it where
// it says nothing by itself: @tide/mcp is tide-mcp.
func ownName(name string) string {
	base := unscoped(name)
	before := strings.TrimPrefix(path.Base(path.Dir(name)), "@")
	if slices.Contains([]string{"mcp", "server", "mcp-server", "cmd", "main", "app", "src"}, base) && before != "." && before != "/" {
		return before + "-" + base
	}
	return base
}

// nextStep ends each explanation of why there is no server.
const nextStep = "If there is a server all the same, name it: sealmark run -- COMMAND, server.command in sealmark.yml, or the input command of the action."

// maxReasons bounds how many reasons are given.
const maxReasons = 3

// none says why no server was found.
func (f *finder) none() (text string, docker bool) {
	if f.dockerfile != "" && !slices.ContainsFunc(f.reasons, func(r reason) bool { return r.weight > weightForeign }) {
		return fmt.Sprintf("not assessed, because it can only be run by Docker: %s is there, and nothing else says how to build and launch a server. Start the container in a step of its own, with its port published, and give its address: sealmark run --url http://127.0.0.1:PORT/mcp, or the input url of the action.", shownPath(f.dockerfile)), true
	}
	slices.SortStableFunc(f.reasons, func(a, b reason) int { return cmp.Compare(b.weight, a.weight) })
	var b strings.Builder
	b.WriteString("no server was found")
	if len(f.reasons) == 0 {
		b.WriteString(", because no file is there that says what to build or launch")
	}
	for i, r := range f.reasons {
		if i == maxReasons {
			fmt.Fprintf(&b, "; and %d more", len(f.reasons)-i)
			break
		}
		separator := "; "
		if i == 0 {
			separator = ", because "
		}
		b.WriteString(separator + place(r.why) + " " + r.why.Text)
	}
	if shows := f.showcases(); shows != "" {
		fmt.Fprintf(&b, ". Folders such as %s are left out: test a server in one of them with --working-directory", shows)
	}
	b.WriteString(". " + nextStep)
	return b.String(), false
}

// place is a file with its line.
func place(w result.Why) string {
	if w.Line == 0 {
		return w.Path
	}
	return fmt.Sprintf("%s:%d", w.Path, w.Line)
}

// showcases is the first folder of examples or tests that holds a project.
func (f *finder) showcases() string {
	for _, file := range f.files {
		if isAside(file) && slices.ContainsFunc(detectors, func(d detector) bool { return d.Project && d.reads(file) }) {
			return shownPath(path.Dir(file))
		}
	}
	return ""
}
