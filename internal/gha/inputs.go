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

// Inputs are the inputs of the action. action.yml and the README hold the same
// table; a test compares them.
var Inputs = []Input{
	{Name: "command", Description: "Launch command of the server, split as a shell would, without a shell. Default: server.command of sealmark.yml."},
	{Name: "url", Description: "URL of a running server (Streamable HTTP), in place of a command."},
	{Name: "config", Description: "Configuration file. Default: sealmark.yml in the working directory, if there is one."},
	{Name: "working-directory", Description: "Folder in which the server is started, relative to the repository."},
	{Name: "env", Description: "Variables for the server, one NAME=VALUE per line. It inherits none of the runner's."},
	{Name: "timeout", Description: "Time limit of the whole run, in seconds or as a duration such as 10m.", Flag: "timeout"},
	{Name: "active-probes", Description: "none, safe or full: which probes are sent.", Flag: "active-probes"},
	{Name: "fail-on", Description: "error, warning, note or never: the mildest finding that fails the step.", Flag: "fail-on"},
	{Name: "min-score", Description: "Least score in per cent that passes.", Flag: "min-score"},
	{Name: "min-grade", Description: "Lowest letter (A to F) that passes.", Flag: "min-grade"},
	{Name: "min-coverage", Description: "Least share of probed tools in per cent that passes.", Flag: "min-coverage"},
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
