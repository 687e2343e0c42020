package main

import (
	"fmt"
	"path"

	"github.com/spf13/cobra"

	"example.org/sivu/generator"
	"example.org/sivu/generator/diag"
)

func newIDs() *cobra.Command {
	var flags pageFlags
	var write bool
	command := &cobra.Command{
		Use:   "ids",
		Short: "list pages whose id is derived, or write the ids into them",
		Long: `ids lists the pages that give no id and so have one derived from their language
and path: such an id changes when the page is moved. With --write each gets its
id as a field of its own, and nothing else in the source changes. Pages of a rendered site
cannot keep one: their ids go into ids.yaml beside site.yaml, where a page that moved
and left a redirect takes over the id of its old address.`,
		Args: noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			run, left := generator.DerivedIDs, "nothing was written"
			if write {
				run, left = generator.WriteIDs, "run it again to give the rest of the pages their ids"
			}
			screen := flags.begin(command, true)
			result, ids, err := run(command.Context(), flags.options)
			screen.end()
			for _, derived := range ids {
				fmt.Fprintf(screen.out, "%s %s\n", derived.ID, diag.Name(path.Join(flags.options.Content, derived.Path)))
			}
			if err != nil {
				return interrupted(command.Context(), err, left)
			}
			if result.Failed {
				return flags.show(screen, result)
			}
			if !flags.quiet {
				told := "without an id of its own"
				switch {
				case write && len(ids) == 1:
					told = "given its id"
				case write:
					told = "given their ids"
				}
				fmt.Fprintf(screen.err, "%s %s\n", plural(len(ids), "page"), told)
			}
			return nil
		},
	}
	flags.add(command)
	command.Flags().BoolVar(&write, "write", false, "write the ids into the sources")
	return command
}
