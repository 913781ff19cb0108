package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/explain"
	"github.com/sealmark/action/internal/suite"
)

func newExplain() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "explain [CHECK|RULE]",
		Short: "Say what a check or a rule is about, and how to mend what it finds",
		Example: `  sealmark explain
  sealmark explain robust-input
  sealmark explain robust.hang --format markdown`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeIDs,
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := explain.ParseFormat(format)
			if err != nil {
				return usage(err)
			}
			id := ""
			if len(args) == 1 {
				id = args[0]
			}
			return explained(explain.Any(cmd.OutOrStdout(), id, suite.Catalog(), config.Keys, f))
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "`form` of the output: text, markdown or json")
	return cmd
}

func newChecks() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "checks",
		Short: "List all checks",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f, err := explain.ParseFormat(format)
			if err != nil {
				return usage(err)
			}
			return explained(explain.CheckList(cmd.OutOrStdout(), suite.Catalog(), f))
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "`form` of the output: text, markdown or json")
	return cmd
}

func newRules() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "List all rules",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f, err := explain.ParseFormat(format)
			if err != nil {
				return usage(err)
			}
			return explained(explain.RuleList(cmd.OutOrStdout(), suite.Catalog(), f))
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "`form` of the output: text, markdown or json")
	return cmd
}

// explained tells an unknown id, which is the user's, from a failed write.
func explained(err error) error {
	var unknown *explain.UnknownError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &unknown):
		return usage(err)
	}
	return ownFault(err)
}

func completeIDs(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var ids []string
	for _, c := range suite.Catalog() {
		ids = append(ids, c.ID)
		for _, r := range c.Rules {
			ids = append(ids, r.ID)
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}
