// Package gha is the runner of GitHub Actions: inputs, outputs, annotations,
// job summary, masks, and the event. It is the only importer of
// go-githubactions.
package gha

import (
	"fmt"
	"strings"
)

// Input is an input of the action.
type Input struct {
	Name        string
	Description string
	// Default is the default in action.yml.
	Default string
	// Flag is the general setting that the input sets, by the name of its
	// flag, "" for none.
	Flag string
}

// Inputs are the inputs of the action. The metadata files and the table in the
// README are generated from them.
var Inputs = []Input{
	{Name: "command", Description: "Launch command of the server, split as a shell would, without a shell. Default: server.command of sealmark.yml, else what is found in the repository."},
	{Name: "url", Description: "URL of the server (Streamable HTTP). With a command it is started first, and ${PORT} in both is a free port; without one it must be running."},
	{Name: "build", Description: "Commands that build the server, one per line. Default: server.build of sealmark.yml, else what is found in the repository."},
	{Name: "server", Description: "Name of the server to test, of servers in sealmark.yml or of those that are found; all tests each."},
	{Name: "config", Description: "Configuration file. Default: sealmark.yml in the working directory, if there is one."},
	{Name: "working-directory", Description: "Folder in which the server is built and started, relative to the repository."},
	{Name: "env", Description: "Variables for the server, one NAME=VALUE per line. It inherits none of the runner's. Secrets are masked."},
	{Name: "build-env", Description: "Variables for the build alone, one NAME=VALUE per line, such as the credentials of a private registry. Secrets are masked."},
	{Name: "env-canaries", Description: "auto or off: whether a server that asks for variables is started once more with harmless values for them.", Flag: "env-canaries"},
	{Name: "setup", Description: "Commands to run as root before the build, one per line without a shell, to install further toolchains. They come from the workflow, never from the repository's configuration."},
	{Name: "cache-dir", Description: "Folder in the checkout for the caches of npm, pnpm, yarn, uv, pip and Go, to be kept with actions/cache."},
	{Name: "network", Description: "on or off: whether the server may use the network while it is tested. The build always may.", Flag: "network"},
	{Name: "timeout", Description: "Time limit of the whole run, in seconds or as a duration such as 10m.", Flag: "timeout"},
	{Name: "timeout-build", Description: "Time limit of the build, in seconds or as a duration such as 10m.", Flag: "timeout-build"},
	{Name: "active-probes", Description: "none, safe or full: which probes are sent.", Flag: "active-probes"},
	{Name: "fail-on", Description: "error, warning, note or never: the mildest finding that fails the step.", Flag: "fail-on"},
	{Name: "min-score", Description: "Least score in per cent that passes.", Flag: "min-score"},
	{Name: "min-grade", Description: "Lowest letter (A to F) that passes.", Flag: "min-grade"},
	{Name: "min-coverage", Description: "Least share of probed tools in per cent that passes.", Flag: "min-coverage"},
	{Name: "compare", Description: "file, build or off: what the run is compared with. file is the baseline, or .sealmark/baseline.json in the checkout, if there is one; build builds and runs the merge base too, and needs fetch-depth: 0 at actions/checkout.", Flag: "compare"},
	{Name: "baseline", Description: "Result of the base, as a file or a folder that holds result.json, relative to the checkout; an earlier step brings it.", Flag: "baseline"},
	{Name: "new-only", Description: "true or false: only findings that the base does not have, or has with a milder severity, fail the step.", Flag: "new-only"},
	{Name: "comment", Description: "Post or update one comment on the pull request.", Default: "true"},
	{Name: "upload-sarif", Description: "Upload the findings to code scanning.", Default: "true"},
	{Name: "annotations", Description: "Annotate the findings in the log and the changed files.", Default: "true"},
	{Name: "category", Description: "Code-scanning category and key of the comment. Needed where several jobs test the same server. Default: sealmark/ and the server's key."},
	{Name: "publish", Description: "Result files or folders of them, one per line, to publish in place of a run: for a workflow_run that comments on pull requests of forks."},
	{Name: "allow-pull-request-target", Description: "Run on pull_request_target all the same, and on workflow_run or issue_comment with a pull request's code checked out. Read docs/forks.md first.", Default: "false"},
	{Name: "token", Description: "Token for code scanning and the comment. It never reaches the server.", Default: "${{ github.token }}"},
}

// Output is an output of the action.
type Output struct{ Name, Description string }

// Outputs are the outputs of the action.
var Outputs = []Output{
	{"score", "Score in per cent with one decimal, empty if the server was not assessed. Of several servers, the worst one's."},
	{"grade", "Letter from A to F, empty if the server was not assessed. Of several servers, the worst one's."},
	{"coverage", "none, hygiene only, partial or full; the least of several servers."},
	{"findings", "Number of findings, without accepted ones."},
	{"result-file", "Path of the result as JSON, relative to the checkout; one line per server."},
	{"sarif-file", "Path of the findings as SARIF, relative to the checkout; one line per server."},
	{"comment-url", "Address of the comment, empty if there is none; one line per server."},
}

// Tables writes the inputs and the outputs as Markdown tables for the README.
func Tables() (inputs, outputs string) {
	var b strings.Builder
	b.WriteString("| Input | Default | Meaning |\n|---|---|---|\n")
	for _, in := range Inputs {
		value := ""
		if in.Default != "" {
			value = "`" + in.Default + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", in.Name, value, in.Description)
	}
	inputs = b.String()
	b.Reset()
	b.WriteString("| Output | Meaning |\n|---|---|\n")
	for _, out := range Outputs {
		fmt.Fprintf(&b, "| `%s` | %s |\n", out.Name, out.Description)
	}
	return inputs, b.String()
}
