package main

import (
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"example.org/sivu/generator"
	"example.org/sivu/generator/diag"
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
			for _, arg := range args {
				name, err := sourceName(flags.options.Content, arg)
				if err != nil {
					return err
				}
				flags.options.Only = append(flags.options.Only, name)
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
	return command
}

// sourceName returns the path below the content folder of a file, whose name is relative
// to the working directory or to the content folder.
func sourceName(content, name string) (string, error) {
	info := statOf(name)
	below := path.Clean(filepath.ToSlash(name))
	if info != nil {
		below = nameFrom(content, name)
	} else {
		info = statOf(filepath.Join(content, name))
	}
	switch {
	case info == nil:
		return "", hinted("give a path from here, or one in the content folder "+diag.Quote(content), "there is no file %s", diag.Quote(name))
	case info.IsDir():
		return "", hinted("name its pages, as in "+filepath.Join(name, "*.md")+"; without an argument all pages are checked", "%s is a folder", diag.Quote(name))
	}
	return below, nil
}
