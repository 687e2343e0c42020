package main

import (
	"github.com/spf13/cobra"

	"example.org/sivu/generator"
)

func newCheck() *cobra.Command {
	var flags pageFlags
	command := &cobra.Command{
		Use:   "check",
		Short: "find the problems of the content folder, and count translations",
		Long: `check finds every problem of the pages and of site.yaml that build would find, writes
nothing, and ends with how many topics each language has. In a git repository it also
finds pages whose text changed, in the last commit or since, while their field
"modified" did not. A missing base address, and limits of a host, are problems of the
output, which it does not look at.`,
		Args: noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			screen := flags.begin(command, false)
			result, err := generator.Check(command.Context(), flags.options)
			screen.end()
			if err != nil {
				return interrupted(command.Context(), err, "nothing was written")
			}
			return flags.show(screen, result)
		},
	}
	flags.add(command)
	flags.addStrict(command)
	addNow(command, &flags.options.Now)
	return command
}
