package main

import (
	"github.com/spf13/cobra"

	"github.com/sealmark/action/internal/suite"
	"github.com/sealmark/action/internal/version"
)

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "sealmark",
		Short: "Question an MCP server and report what it gets wrong",
		Long: `Sealmark launches an MCP server, sends it what clients and models really send,
good and bad, and reports what it gets wrong: scored, with evidence and a fix.

  sealmark demo                          see a report, nothing else needed
  sealmark run -- node dist/index.js     question a server over stdio
  sealmark run --url http://127.0.0.1:3000/mcp
  sealmark explain robust-input          what a check does, and why
  sealmark publish result.json           post a result on a pull request

Exit codes: 0 passed; 1 a gate does not hold; 2 wrong usage or configuration;
3 not assessed, the server could not be started; 4 sealmark's own failure.`,
		Version:       version.String() + ", methodology " + suite.Methodology,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("sealmark {{.Version}}\n")
	root.AddCommand(newRun(), newDemo(), newDetect(), newInit(), newSnapshot(), newReplay(), newDiff(), newBaseline(), newExplain(), newChecks(), newRules(), newPublish(), newBadge(), newAction(), newDocs(), newFixture())
	return root
}
