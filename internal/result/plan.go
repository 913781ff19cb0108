package result

// Plan is how a server was found, built and launched.
type Plan struct {
	// Name tells it from other servers of the repository.
	Name string `json:"name"`
	// Detector is the file or tool that it was found by: server.json,
	// package.json, go.mod, …
	Detector string `json:"detector"`
	// Directory is where it is built, relative to the repository, "." for its
	// root.
	Directory string `json:"directory"`
	// Build are the commands that build it, in order.
	Build [][]string `json:"build,omitempty"`
	// Why says what the plan rests on.
	Why []Why `json:"why"`
}

// Why is a line of a file that a plan rests on.
type Why struct {
	// Path is relative to the repository, with forward slashes.
	Path string `json:"path"`
	// Line counts from 1, 0 for the file as a whole.
	Line int `json:"line,omitempty"`
	// Text says what it shows.
	Text string `json:"text"`
}

// Isolation says what a server was kept away from.
type Isolation struct {
	// User: it ran as a user of its own, without privileges.
	User bool `json:"user"`
	// Copy: it was built and run in a copy of the checkout.
	Copy bool `json:"copy"`
	// Network is "on" or "off".
	Network string `json:"network"`
	// Breaches says what the build or the server did that isolation stopped or
	// ended.
	Breaches []string `json:"breaches,omitempty"`
}
