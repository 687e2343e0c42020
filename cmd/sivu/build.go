package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"example.org/sivu/generator"
)

func newBuild() *cobra.Command {
	var flags pageFlags
	var reportFile string
	command := &cobra.Command{
		Use:   "build",
		Short: "write the snapshot of the content folder",
		Long: `build turns the content folder into a snapshot. If any page has an error,
all errors are listed and nothing is written: the output folder holds the old
snapshot, whole, until the new one is complete.`,
		Example: `  sivu build --base-url https://api.example.org
  sivu build --dry-run
  sivu build --strict --format github --report report.json`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			flags.baseFromEnvironment()
			screen, err := newScreen(command, &flags)
			if err != nil {
				return err
			}
			result, err := generator.Build(command.Context(), flags.options)
			screen.end()
			if err != nil {
				return err
			}
			if reportFile != "" {
				if err := writeReport(reportFile, result, flags.options.DryRun); err != nil {
					return fmt.Errorf("the build is done, but not its report: %w", err)
				}
			}
			return screen.show(result, &flags)
		},
	}
	flags.add(command)
	flags.addLinks(command)
	command.Flags().StringVar(&flags.options.Out, "out", "public", "output `folder`")
	command.Flags().BoolVar(&flags.options.DryRun, "dry-run", false, "print what would be added, changed and removed, and write nothing")
	command.Flags().StringVar(&reportFile, "report", "", "write a JSON report of the build to this `file`")
	command.MarkFlagDirname("out")
	return command
}
