// Package target finds out what a repository is: which MCP servers it holds,
// and how each of them is built and launched. It only reads files. The
// repository is hostile input.
package target

import (
	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/result"
)

// Transports of a plan.
const (
	Stdio          = "stdio"
	StreamableHTTP = "streamable-http"
	SSE            = "sse"
)

// PortPlaceholder stands in commands, URLs and values of variables for a free
// port, which is chosen at launch.
const PortPlaceholder = config.Port

// Detection is what was found in a repository.
type Detection struct {
	// Plans are the servers, best first.
	Plans []Plan `json:"plans"`
	// None says why no server was found and what to do, "" if there are plans.
	None string `json:"none,omitempty"`
	// Docker says that the repository can only be run by Docker.
	Docker bool `json:"docker"`
	// Notes are files that were looked at and not used, with the reason.
	Notes []result.Why `json:"notes,omitempty"`
}

// Plan says how one server of a repository is built and launched.
type Plan struct {
	// Name tells the server from the others of the repository. It does not
	// depend on where the checkout lies.
	Name string `json:"name"`
	// Detector is the file that the launch rests on, such as package.json.
	Detector string `json:"detector"`
	// Directory is where the server is started, relative to the root, with
	// forward slashes, "." for the root.
	Directory string `json:"directory"`
	// Build are the commands that build it, in order. None needs a shell.
	Build []Step `json:"build,omitempty"`
	// Launch is the first way to launch it.
	Launch
	// Alternatives are other ways to launch it, in the order of the manifest,
	// to try when the first one does not answer.
	Alternatives []Launch `json:"alternatives,omitempty"`
	// Toolchains are the programs that build and launch need, sorted.
	Toolchains []string `json:"toolchains"`
	// Why says what the plan rests on.
	Why []result.Why `json:"why"`
	// Rank is that of the detector; the greater one comes first.
	Rank int `json:"rank"`
}

// Launch is one way to launch a server.
type Launch struct {
	// Command is the program with its arguments, without a shell. Relative
	// paths start in the plan's directory. ${PORT} stands for a free port.
	Command []string `json:"command,omitempty"`
	// URL is where the server answers once it runs, "" over stdio. ${PORT}
	// stands for the same port.
	URL string `json:"url,omitempty"`
	// Transport is stdio, streamable-http or sse.
	Transport string `json:"transport"`
	// Env are the variables that the server seems to need, sorted by name.
	Env []Variable `json:"env,omitempty"`
}

// Step is a command of a build.
type Step struct {
	// Args are the program and its arguments.
	Args []string `json:"args"`
	// Dir is where it runs, relative to the root, with forward slashes.
	Dir string `json:"dir"`
}

// Variable is a variable of the environment that a server seems to need.
type Variable struct {
	Name string `json:"name"`
	// Value is what a manifest gives, "" for none. It may hold ${PORT}. A
	// secret never has one.
	Value string `json:"value,omitempty"`
	// Required: a manifest says that the server does not run without it.
	Required bool `json:"required,omitempty"`
	// Secret: its value must not be seen.
	Secret bool `json:"secret,omitempty"`
	// Why is where it is declared.
	Why result.Why `json:"why"`
}
