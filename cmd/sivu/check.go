package main

import (
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"example.org/sivu/generator"
)

func newCheck() *cobra.Command {
	var flags pageFlags
	var markers bool
	command := &cobra.Command{
		Use:   "check [FILE]...",
		Short: "find the problems of the content folder, and count translations",
		Long: `check finds every problem of the pages and of site.yaml that build would find, writes
nothing, and ends with how many topics each language has. In a git repository it also
finds pages whose text changed, in the last commit or since, while their field
"modified" did not. A missing base address, and limits of a host, are problems of the
output, which it does not look at.

With source pages as FILE, all pages are read, as links lead to them, but only the
problems of these pages and of the site as a whole are printed, counted and part of
the exit status. Their names are relative to the working directory or to the content
folder.

With --markers, it lists the template markers of the pages in place of the problems:
shortcodes, Liquid, containers and components, with counts, what becomes of each, and an
example. Which are looked for, "generator" in site.yaml says.`,
		Example: `  sivu check
  sivu check --all
  sivu check content/fi/asuminen.md content/en/*.md
  sivu check --markers --format json`,
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault),
		RunE: func(command *cobra.Command, args []string) error {
			if markers && flags.format == "github" {
				return hinted("give text or json", "--markers has no --format github")
			}
			if markers && len(args) > 0 {
				return hinted("leave out the names", "--markers is about all pages")
			}
			for _, name := range args {
				flags.options.Only = append(flags.options.Only, sourceName(flags.options.Content, name))
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

// sourceName returns the path below the content folder of a file, whose name is relative
// to the working directory or to the content folder.
func sourceName(content, name string) string {
	if statOf(name) != nil {
		name = nameFrom(content, name)
	}
	return path.Clean(filepath.ToSlash(name))
}
