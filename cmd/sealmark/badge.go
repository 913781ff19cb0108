package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/sealmark/action/internal/badge"
)

func newBadge() *cobra.Command {
	var label, svg, endpoint string
	cmd := &cobra.Command{
		Use:   "badge [flags] RESULT.json",
		Short: "Make a badge of a result, for a README",
		Long: `Badge writes what a result says in two words: letter and score, or that the
server was not assessed. As a picture (SVG) it can be kept in a branch or on
a page; as JSON at a public address it is drawn by shields.io
(https://shields.io/badges/endpoint-badge). Without a flag the picture goes to
standard output.`,
		Example: `  sealmark badge result.json --svg sealmark.svg
  sealmark badge result.json --endpoint sealmark.json --label "desk server"`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if svg == "-" && endpoint == "-" {
				return usage(errors.New("only one of --svg and --endpoint can go to standard output"))
			}
			if svg == "" && endpoint == "" {
				svg = "-"
			}
			for _, path := range []string{svg, endpoint} {
				if path == "" {
					continue
				}
				if err := writable(path); err != nil {
					return usage(err)
				}
			}
			r, err := openResult(args[0])
			if err != nil {
				return usage(err)
			}
			b := badge.Of(r, label)
			out := cmd.OutOrStdout()
			if err := errors.Join(save(out, svg, b.SVG()), save(out, endpoint, b.Endpoint())); err != nil {
				return ownFault(err)
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&svg, "svg", "", "write the picture to `file`, - for standard output")
	flags.StringVar(&endpoint, "endpoint", "", "write the JSON for shields.io to `file`, - for standard output")
	flags.StringVar(&label, "label", "sealmark", "`text` on the left, for a repository of several servers")
	return cmd
}
