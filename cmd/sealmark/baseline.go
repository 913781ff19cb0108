package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/sealmark/action/internal/compare"
	"github.com/sealmark/action/internal/result"
)

func newBaseline() *cobra.Command {
	output := filepath.FromSlash(committed)
	cmd := &cobra.Command{
		Use:   "baseline [flags] RESULT.json",
		Short: "Keep of a result what later runs are compared with",
		Long: `Baseline writes what a comparison needs of a result: no evidence, no texts of
rules, no times. The same behaviour of the server gives the same bytes, so that
the file can be committed. sealmark run compares with ` + committed + `
of the repository whenever it is there.`,
		Example: `  sealmark run --json result.json -- node dist/index.js
  sealmark baseline result.json
  git add ` + committed,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := openResult(args[0])
			if err != nil {
				return usage(err)
			}
			if r.Status != result.Assessed {
				return usage(fmt.Errorf("%s: the server was not assessed, so nothing can be compared with it", args[0]))
			}
			if output == filepath.FromSlash(committed) {
				if err := os.MkdirAll(filepath.Dir(output), 0o755); err != nil {
					return ownFault(err)
				}
			}
			if err := writable(output); err != nil {
				return usage(err)
			}
			document, err := compare.Baseline(r).Marshal()
			if err != nil {
				return ownFault(err)
			}
			if err := save(cmd.OutOrStdout(), output, document); err != nil {
				return ownFault(err)
			}
			if output != "-" {
				fmt.Fprintf(cmd.ErrOrStderr(), "wrote %s; commit it, so that later runs are compared with it\n", filepath.ToSlash(output))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&output, "output", output, "write the baseline to `file`, - for standard output")
	return cmd
}
