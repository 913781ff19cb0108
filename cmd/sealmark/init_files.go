package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/target"
)

// initFiles are the files that init writes for a plan, one of all those of the
// repository at root.
func initFiles(root string, plan target.Plan, all []target.Plan) []newFile {
	return []newFile{
		{name: "sealmark.yml", text: configText(plan, all), others: []string{"sealmark.yaml"}},
		{name: ".github/workflows/sealmark.yml", text: workflowText(plan, defaultBranch(root)), others: []string{".github/workflows/sealmark.yaml"}},
	}
}

const repository = "https://github.com/sealmark/action"

// configText is sealmark.yml for a plan.
func configText(p target.Plan, all []target.Plan) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# yaml-language-server: $schema=https://raw.githubusercontent.com/sealmark/action/main/docs/sealmark.schema.json")
	line("# How Sealmark tests the MCP server of this repository. Every key is explained in")
	line("# %s/blob/main/docs/configuration.md", repository)
	line("")
	line("# The server %s was found by sealmark detect:", p.Name)
	for _, w := range p.Why {
		line("#   %s  %s", placeOf(w.Path, w.Line), w.Text)
	}
	switch {
	case oneFolder(p):
		serverText(line, p)
	case p.Name == all[0].Name:
		line("# It is built in one folder and launched in another, which sealmark finds out")
		line("# anew at each run; sealmark detect prints the commands. To set your own:")
		line("# server:")
		line("#   build: [[npm, ci], [npm, run, build]]")
		line("#   command: [node, path/to/server.js]")
	default:
		line("# It is built in one folder and launched in another, which sealmark finds out")
		line("# anew at each run; sealmark detect prints the commands.")
		line("servers:")
		line("  - name: %s", yamlWord(p.Name))
	}
	if len(all) > 1 {
		line("")
		line("# This repository holds %d servers, and this one is tested. To test each of them,", len(all))
		line("# with a result of its own, put this in the place of it:")
		line("# servers: all")
	}
	line("")
	line("# The mildest finding that fails a run: error, warning, note or never.")
	line("fail_on: error")
	line("")
	line("# Calls of your tools that are known to succeed, or to be refused. They are what")
	line("# shows most of a server; see %s#known-calls", repository)
	line("# probes:")
	line("#   - { tool: NAME, args: {}, expect: ok }")
	line("#   - { tool: NAME, args: { count: -1 }, expect: invalid }")
	return b.String()
}

// oneFolder reports whether a plan is built and launched in one folder, as the
// configuration can say it.
func oneFolder(p target.Plan) bool {
	return !slices.ContainsFunc(p.Build, func(s target.Step) bool { return s.Dir != p.Directory })
}

func serverText(line func(string, ...any), p target.Plan) {
	line("server:")
	if p.Directory != "." {
		line("  # Where the server is built and started, relative to this file.")
		line("  working_directory: %s", yamlWord(escaped(p.Directory)))
	}
	if len(p.Build) > 0 {
		line("  # The commands that build it, each without a shell.")
		line("  build:")
		for _, step := range p.Build {
			line("    - %s", yamlWords(step.Args))
		}
	}
	line("  # The command that starts it, without a shell.")
	line("  command: %s", yamlWords(p.Command))
	if p.URL != "" {
		line("  # Where it answers then. ${PORT} is a free port.")
		line("  url: %s", yamlWord(p.URL))
	}
	if len(p.Env) == 0 {
		return
	}
	given := slices.ContainsFunc(p.Env, func(v target.Variable) bool { return v.Value != "" })
	line("  # Its variables. ${NAME} reads the environment of Sealmark; use values that do no")
	line("  # harm. The server inherits no others.")
	if given {
		line("  env:")
	} else {
		line("  # env:")
	}
	comment := "  #   "
	if given {
		comment = "    # "
	}
	for _, v := range p.Env {
		place := placeOf(v.Why.Path, v.Why.Line)
		if v.Required {
			place = "required: " + place
		}
		if v.Value != "" {
			line("    %s: %s # %s", v.Name, yamlWord(escaped(v.Value)), place)
			continue
		}
		line("%s%s: ${%s} # %s", comment, v.Name, v.Name, place)
	}
}

// imageHolds are the programs that are in the image of the action.
var imageHolds = []string{"node", "npm", "npx", "pnpm", "yarn", "uv", "python3", "go", "git"}

// defaultBranch is the branch that the remote calls its own, else main, or master
// if that is what is checked out.
func defaultBranch(root string) string {
	for _, place := range []struct{ file, prefix string }{{"refs/remotes/origin/HEAD", "ref: refs/remotes/origin/"}, {"HEAD", "ref: refs/heads/"}} {
		data, err := os.ReadFile(filepath.Join(root, ".git", filepath.FromSlash(place.file)))
		name, ok := strings.CutPrefix(strings.TrimSpace(string(data)), place.prefix)
		if err == nil && ok && (place.file != "HEAD" || name == "master") {
			return name
		}
	}
	return "main"
}

// workflowText is the workflow that tests the server, and each push to a branch.
func workflowText(p target.Plan, branch string) string {
	var b strings.Builder
	b.WriteString(`# Tests the MCP server of this repository on each push and pull request.
# Settings stand in sealmark.yml.
name: sealmark
on:
  push:
    branches: [` + yamlWord(branch) + `]
  pull_request:
permissions:
  contents: read # the checkout
  security-events: write # code scanning
  pull-requests: write # the comment
concurrency: # one run per branch, so that an older one does not comment late
  group: sealmark-${{ github.ref }}
  cancel-in-progress: true
jobs:
  sealmark:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
      - uses: actions/checkout@v4
      - uses: sealmark/action@v1
`)
	var secret []string
	for _, v := range p.Env {
		if v.Value == "" && (v.Secret || v.Required) {
			secret = append(secret, v.Name)
		}
	}
	if len(secret) > 0 {
		b.WriteString("        # Secrets are not there on pull requests from forks. Harmless values are tried\n        # in their place when the server asks for them.\n        # with:\n        #   env: |\n")
		for _, name := range secret {
			fmt.Fprintf(&b, "        #     %s=${{ secrets.%s }}\n", name, name)
		}
	}
	var missing []string
	for _, program := range p.Toolchains {
		if !slices.Contains(imageHolds, program) {
			missing = append(missing, program)
		}
	}
	if len(missing) > 0 {
		fmt.Fprintf(&b, "        # The image of the action does not hold %s, which the server needs:\n        # %s#in-a-workflow says how to add it.\n", strings.Join(missing, ", "), repository)
	}
	return b.String()
}

// escaped writes ${ so that the configuration reads no variable there, but for
// the port.
func escaped(text string) string {
	parts := strings.Split(text, target.PortPlaceholder)
	for i := range parts {
		parts[i] = strings.ReplaceAll(parts[i], "${", "$${")
	}
	return strings.Join(parts, target.PortPlaceholder)
}

func yamlWords(words []string) string {
	written := make([]string, len(words))
	for i, word := range words {
		written[i] = yamlWord(escaped(word))
	}
	return "[" + strings.Join(written, ", ") + "]"
}

// plainYAML are texts that YAML takes for themselves.
var plainYAML = regexp.MustCompile(`^(--?[A-Za-z]|\.{0,2}/|\.?[A-Za-z_])[A-Za-z0-9._/=+-]*$`)

// wordsYAML are words that YAML takes for something else.
var wordsYAML = []string{"true", "false", "yes", "no", "on", "off", "null", "y", "n", ".nan", ".inf", "-.inf"}

// yamlWord writes a text as YAML, quoted where that is needed.
func yamlWord(text string) string {
	if plainYAML.MatchString(text) && !slices.Contains(wordsYAML, strings.ToLower(text)) {
		return text
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(text) != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}
