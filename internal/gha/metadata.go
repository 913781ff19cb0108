package gha

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

const warning = "# Generated from internal/gha/inputs.go: go run ./cmd/sealmark docs .\n"

const branding = `author: Sealmark
branding:
  icon: award
  color: blue
`

// ActionYML is the metadata of the container action. The image of a release
// is named by scripts/release-tree, in the commit that is tagged.
func ActionYML() []byte {
	var b bytes.Buffer
	b.WriteString(warning)
	b.WriteString("name: Sealmark\ndescription: Launch your MCP server, question it, and see what it gets wrong in code scanning and the pull request.\n" + branding)
	writeInputs(&b)
	writeOutputs(&b, "")
	b.WriteString("runs:\n  using: docker\n  image: Dockerfile\n")
	return b.Bytes()
}

// SetupYML is the metadata of the action for runners without containers: the
// same inputs and outputs, from a program that it installs in the job.
func SetupYML() []byte {
	var b bytes.Buffer
	b.WriteString(warning)
	b.WriteString("name: Sealmark without a container\ndescription: Install Sealmark on a runner that has no containers (Windows, macOS, some clusters), and run it in the job itself.\n" + branding)
	writeInputs(&b)
	writeOutputs(&b, "run")
	b.WriteString(`runs:
  using: composite
  steps:
    - id: install
      shell: bash
      run: bash "$GITHUB_ACTION_PATH/install"
    - id: run
      shell: bash
      run: exec "$SEALMARK" action
      env:
        SEALMARK: ${{ steps.install.outputs.path }}
`)
	for _, in := range Inputs {
		fmt.Fprintf(&b, "        %s: ${{ inputs.%s }}\n", plain(in.Name), in.Name)
	}
	return b.Bytes()
}

func writeInputs(b *bytes.Buffer) {
	b.WriteString("inputs:\n")
	for _, in := range Inputs {
		fmt.Fprintf(b, "  %s:\n    description: %s\n    required: false\n    default: %s\n", in.Name, quoted(in.Description), quoted(in.Default))
	}
}

// writeOutputs writes the outputs; those of a composite action are those of
// one of its steps.
func writeOutputs(b *bytes.Buffer, step string) {
	b.WriteString("outputs:\n")
	for _, out := range Outputs {
		fmt.Fprintf(b, "  %s:\n    description: %s\n", out.Name, quoted(out.Description))
		if step != "" {
			fmt.Fprintf(b, "    value: ${{ steps.%s.outputs.%s }}\n", step, out.Name)
		}
	}
}

// quoted is a text as a single-quoted scalar of YAML.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// Tabulate replaces the tables of inputs and outputs of a Markdown page, which
// stand between <!-- inputs --> and <!-- /inputs --> (outputs likewise).
func Tabulate(page []byte) []byte {
	inputs, outputs := Tables()
	for name, table := range map[string]string{"inputs": inputs, "outputs": outputs} {
		between := regexp.MustCompile(`(?s)(<!-- ` + name + ` -->\n).*?(<!-- /` + name + ` -->)`)
		page = between.ReplaceAllFunc(page, func(old []byte) []byte {
			parts := between.FindSubmatch(old)
			return bytes.Join([][]byte{parts[1], []byte(table), parts[2]}, nil)
		})
	}
	return page
}
