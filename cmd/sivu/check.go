package main

import (
	"github.com/spf13/cobra"

	"example.org/sivu/generator"
)

func newCheck() *cobra.Command {
	var flags pageFlags
	var markers bool
	command := &cobra.Command{
		Use:   "check",
		Short: "find the problems of the content folder, and count translations",
		Long: `check finds every problem of the pages and of site.yaml that build would find, writes
nothing, and ends with how many topics each language has. A missing base address, and
limits of a host, are problems of the output, which it does not look at.

With --markers, it lists the template markers of the pages in place of the problems:
shortcodes, Liquid, containers and components, with counts, what becomes of each, and an
example. Which are looked for, "generator" in site.yaml says.`,
		Example: `  sivu check
  sivu check --markers --format json`,
		Args: noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			if markers && flags.format == "github" {
				return hinted("give text or json", "--markers has no --format github")
			}
			screen := flags.begin(command, markers)
			result, err := generator.Check(command.Context(), flags.options)
			screen.end()
			if err != nil {
				return interrupted(command.Context(), err, "nothing was written")
			}
			if markers {
				return ending(result.Failed, printMarkers(command.OutOrStdout(), result.Markers, flags.format))
			}
			return flags.show(screen, result)
		},
	}
	flags.add(command)
	flags.addStrict(command)
	command.Flags().BoolVar(&markers, "markers", false, "list template markers in place of problems")
	addNow(command, &flags.options.Now)
	return command
}
