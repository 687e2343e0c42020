package main

import (
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"example.org/sivu/generator"
)

func newCheck() *cobra.Command {
	var flags pageFlags
	command := &cobra.Command{
		Use:   "check [FILE]...",
		Short: "find the problems of the content folder, and count translations",
		Long: `check finds every problem of the pages and of site.yaml that build would find, writes
nothing, and ends with how many topics each language has. A missing base address, and
limits of a host, are problems of the output, which it does not look at.

With source pages as FILE, all pages are read, as links lead to them, but only the
problems of these pages and of the site as a whole are printed, counted and part of
the exit status. Their names are relative to the working directory or to the content
folder.`,
		Example: `  sivu check
  sivu check --all
  sivu check content/fi/asuminen.md content/en/*.md`,
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault),
		RunE: func(command *cobra.Command, args []string) error {
			for _, name := range args {
				flags.options.Only = append(flags.options.Only, sourceName(flags.options.Content, name))
			}
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

// sourceName returns the path below the content folder of a file, whose name is relative
// to the working directory or to the content folder.
func sourceName(content, name string) string {
	if statOf(name) != nil {
		name = nameFrom(content, name)
	}
	return path.Clean(filepath.ToSlash(name))
}
