package main

import (
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"example.org/sivu/generator/diag"
	"example.org/sivu/templates"
)

func newSchema() *cobra.Command {
	files, _ := fs.Glob(templates.Schemas(), "*.json") // the pattern is good
	names := mapped(files, func(file string) string { return strings.TrimSuffix(file, ".json") })
	return &cobra.Command{
		Use:   "schema NAME",
		Short: "print a JSON Schema: of site.yaml, of reports or of diagnostics",
		Long: `schema prints a JSON Schema (2020-12): site for site.yaml, report for the file
of build --report, and diagnostics for what --format json prints. Editors that
know YAML complete and check site.yaml with the first. What a schema cannot say,
such as that a default language is one of the languages, sivu check says.`,
		Example:   "  sivu schema site > site.schema.json",
		Args:      takes(1, 1, "one argument", "site"),
		ValidArgs: names,
		RunE: func(command *cobra.Command, args []string) error {
			text, err := fs.ReadFile(templates.Schemas(), args[0]+".json")
			if err != nil {
				return hinted(didYouMean(args[0], names, "", "give "+choices(names)), "unknown schema %s", diag.Quote(args[0]))
			}
			_, err = command.OutOrStdout().Write(text)
			return err
		},
	}
}
