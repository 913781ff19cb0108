package target

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/result"
)

// language is what source code of one language looks like that serves MCP, or
// uses another's server.
type language struct {
	extensions []string
	// server and client are what only a server, and only a client, writes.
	server, client *regexp.Regexp
	// stdio, http and sse are what serves over that transport.
	stdio, http, sse *regexp.Regexp
	// port is a variable that the port is read from, listen a port that is
	// written in the code, route the path under which MCP is served.
	port, listen, route *regexp.Regexp
}

// evidence is what the source of a program shows.
type evidence struct {
	// server and client are places that show it, with an empty path for none.
	server, client result.Why
	// own: the server speaks the protocol without an SDK.
	own bool

	stdio, http, sse bool
	// port is the variable for the port and listen a port in the code, route
	// the path.
	port, listen, route string
	portAt              result.Why
}

// maxSources bounds how many files of a program are read.
const maxSources = 500

// look reads files for what they show.
func (f *finder) look(l *language, files []string) evidence {
	var e evidence
	read := 0
	for _, file := range files {
		if !slices.Contains(l.extensions, path.Ext(file)) || isTest(file) {
			continue
		}
		if read++; read > maxSources || f.late() {
			break
		}
		e.merge(f.lookAt(l, file))
	}
	if !e.stdio && !e.http && !e.sse {
		e.stdio = true
	}
	return e
}

// lookedAt is a file, read as one of a language.
type lookedAt struct {
	language *language
	file     string
}

// lookAt looks at one file, once.
func (f *finder) lookAt(l *language, file string) evidence {
	key := lookedAt{l, file}
	e, known := f.looked[key]
	if !known {
		e = l.read(file, f.source(file))
		f.looked[key] = e
	}
	return e
}

// read looks for what a file shows.
func (l *language) read(file string, data []byte) (e evidence) {
	data = withoutLineComments(data)
	if at := l.server.FindIndex(data); at != nil {
		e.server = mention(file, data, at)
	} else if at := ownServer(data); at != nil {
		e.server, e.own = mention(file, data, at), true
	}
	if at := l.client.FindIndex(data); at != nil {
		e.client = mention(file, data, at)
	}
	e.stdio, e.http, e.sse = l.stdio.Match(data), l.http.Match(data), l.sse.Match(data)
	if l.port == nil {
		return e
	}
	if m := l.port.FindSubmatchIndex(data); m != nil {
		e.port = string(data[m[2]:m[3]])
		e.portAt = mention(file, data, m[:2])
	}
	if m := l.listen.FindSubmatch(data); m != nil {
		e.listen = string(m[1])
	}
	if m := l.route.FindSubmatch(data); m != nil {
		e.route = string(slices.Concat(m[1:]...))
	}
	return e
}

// merge adds what another file shows.
func (e *evidence) merge(o evidence) {
	if e.server.Path == "" {
		e.server, e.own = o.server, o.own
	}
	if e.client.Path == "" {
		e.client = o.client
	}
	e.stdio, e.http, e.sse = e.stdio || o.stdio, e.http || o.http, e.sse || o.sse
	if e.port == "" {
		e.port, e.portAt = o.port, o.portAt
	}
	e.listen = cmp.Or(e.listen, o.listen)
	e.route = cmp.Or(e.route, o.route)
}

// ownServer finds a server that is written without an SDK: it knows the
// methods and what an answer to initialize holds, and does not introduce
// itself as a client.
func ownServer(data []byte) []int {
	text := string(data)
	for _, word := range []string{"protocolVersion", "serverInfo"} {
		if !strings.Contains(text, word) {
			return nil
		}
	}
	at := strings.Index(text, "tools/list")
	if at < 0 || strings.Contains(text, "clientInfo") {
		return nil
	}
	return []int{at, at + len("tools/list")}
}

// lineComment is a line that only holds a comment.
var lineComment = regexp.MustCompile(`(?m)^[ \t]*(//|#[^!\[]|\*).*$`)

// withoutLineComments blanks the lines that hold nothing but a comment, and
// keeps all offsets.
func withoutLineComments(data []byte) []byte {
	return lineComment.ReplaceAllFunc(data, func(line []byte) []byte {
		if strings.HasPrefix(strings.TrimSpace(string(line)), "#include") {
			return line
		}
		return []byte(strings.Repeat(" ", len(line)))
	})
}

// mention is the place of a match, with its words.
func mention(file string, data []byte, at []int) result.Why {
	line := 1 + strings.Count(string(data[:at[0]]), "\n")
	return why(file, line, "%s", shown(string(data[at[0]:at[1]])))
}

// isTest reports whether a source file is one of tests.
func isTest(file string) bool {
	base := path.Base(file)
	stem := strings.TrimSuffix(base, path.Ext(base))
	for _, end := range []string{"_test", ".test", ".spec", "Test", "Tests"} {
		if strings.HasSuffix(stem, end) {
			return true
		}
	}
	return strings.HasPrefix(base, "test_") || base == "conftest.py" || strings.HasSuffix(base, ".d.ts")
}

// isServer and isClient say what was shown.
func (e evidence) isServer() bool { return e.server.Path != "" }
func (e evidence) isClient() bool { return e.client.Path != "" }

// launch fills in how a server of the command is reached: over stdio if its
// source serves that, else over HTTP at the port and path that the source
// names.
func (e evidence) launch(command []string, port string) Launch {
	l := Launch{Command: command, Transport: Stdio}
	if e.stdio {
		return l
	}
	l.Transport = StreamableHTTP
	route := "/mcp"
	if !e.http {
		l.Transport, route = SSE, "/sse"
	}
	if e.route != "" {
		route = e.route
	}
	if e.listen != "" {
		port = e.listen
	}
	if e.port != "" {
		port = PortPlaceholder
		l.Env = []Variable{{Name: e.port, Value: PortPlaceholder, Why: result.Why{Path: e.portAt.Path, Line: e.portAt.Line, Text: "the source reads its port from here"}}}
	}
	l.URL = "http://127.0.0.1:" + port + route
	return l
}
