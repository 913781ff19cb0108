package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/fixture"
	"github.com/sealmark/action/internal/suite"
	"github.com/sealmark/action/internal/version"
)

func newDemo() *cobra.Command {
	var f runFlags
	var fixed bool
	cmd := &cobra.Command{
		Use:   "demo [flags]",
		Short: "Question a built-in server with instructive faults",
		Long: `Demo does what run does, on a small server inside this program whose tools each
have one fault. It needs nothing else installed. With --fixed the same server is
questioned with its faults mended.

Since its faults are meant to be there, they do not fail the demo: fail_on is
never unless --fail-on says otherwise. timeout_probe_sec is 2.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			name := "demo"
			if fixed {
				name = "demo-fixed"
			}
			self, err := os.Executable()
			if err != nil {
				return ownFault(err)
			}
			// The server of the demo is not the repository's.
			for flag, value := range map[string]string{"timeout-probe": "2", "fail-on": "never", "compare": "off"} {
				if !cmd.Flags().Changed(flag) {
					cmd.Flags().Set(flag, value)
				}
			}
			f.configPath = config.NoFile
			c, err := f.config(cmd.Flags(), []string{self, "fixture", name})
			if err != nil {
				return usage(err)
			}
			if err := f.outputs.check(); err != nil {
				return usage(err)
			}
			progress := f.outputs.progress(cmd)
			res := assess(cmd.Context(), suite.Run{Config: c, Version: version.String(), Key: name, Anchor: anchor(c), Shown: []string{"sealmark", "fixture", name}, Progress: progress})
			progress.Done()
			if c.Baseline == "" {
				c.Compare = config.CompareOff // the baseline of the folder is of another server
			}
			f.pipeline(cmd).relate(cmd.Context(), c, res, nil)
			return f.finish(cmd, []tested{{job: given(c), Result: res}})
		},
	}
	f.add(cmd.Flags())
	cmd.Flags().BoolVar(&fixed, "fixed", false, "question the same server with its faults mended")
	return cmd
}

// newFixture runs one of the built-in servers over stdio; demo starts it.
func newFixture() *cobra.Command {
	return &cobra.Command{
		Use:       "fixture NAME [ARG...]",
		Short:     "Serve one of the built-in test servers over stdio",
		Hidden:    true,
		Args:      cobra.MinimumNArgs(1),
		ValidArgs: fixture.Names(),
		RunE: func(_ *cobra.Command, args []string) error {
			code, ok := fixture.Main(args[0], args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv)
			if !ok {
				return usage(errUnknownFixture(args[0]))
			}
			os.Exit(code)
			return nil
		},
	}
}

type errUnknownFixture string

func (e errUnknownFixture) Error() string { return "unknown test server " + string(e) }
