package main

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"example.org/sivu/generator"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/page"
)

func newNew() *cobra.Command {
	var flags pageFlags
	var asked generator.NewPage
	command := &cobra.Command{
		Use:   "new LANGUAGE/PATH",
		Short: "start a source page with a fresh id and the keys of its kind",
		Long: `new writes a source page that builds as it is: with a fresh id, the keys that
its kind must have, and a place for the text. It never replaces a page. The
ending of PATH chooses the format; without one the page is Markdown. With
--all-languages, the pages of the other languages are drafts: until "draft" is
taken out, they are stubs to be translated, and no pages of the site.`,
		Example: `  sivu new fi/asuminen
  sivu new en/housing/deposit.html --kind article --all-languages`,
		Args: takes(1, 1, "one argument", "fi/asuminen"),
		ValidArgsFunction: func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			return completePage(flags.options, args, typed)
		},
		RunE: func(command *cobra.Command, args []string) error {
			asked.Path = args[0]
			report, added, err := generator.AddPages(flags.options, asked)
			if err != nil {
				return err
			}
			if report.Errors > 0 {
				if err := printProblems(command.ErrOrStderr(), report, "sivu check --all prints every one"); err != nil {
					return err
				}
				return errProblems
			}
			written := 0
			for _, a := range added {
				name := diag.Name(path.Join(flags.options.Content, a.Path))
				if a.Existed {
					say(command.ErrOrStderr(), "%s is there already and stays as it is", name)
					continue
				}
				written++
				fmt.Fprintln(command.OutOrStdout(), name)
			}
			if written == 0 {
				return errors.New("no page was written")
			}
			return nil
		},
	}
	flags.addContent(command)
	asked.Kind = page.Kinds[0].Name
	addChoice(command, &asked.Kind, "kind", "kind of the page: ", page.KindNames(), "")
	command.Flags().BoolVar(&asked.AllLanguages, "all-languages", false, "write one page for every language of the site, those of the others as drafts")
	return command
}

// completePage completes LANGUAGE/PATH: with the languages of the site, then with
// pages that the language does not have yet.
func completePage(o generator.Options, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	language, _, ok := strings.Cut(typed, "/")
	languages, paths, err := generator.Untranslated(o, language)
	if len(args) > 0 || err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	if ok {
		for i := range paths {
			paths[i] = language + "/" + paths[i]
		}
		return paths, cobra.ShellCompDirectiveNoFileComp
	}
	var folders []string
	for _, l := range languages {
		folders = append(folders, l+"/")
	}
	return folders, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
