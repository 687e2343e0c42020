package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"example.org/sivu/generator"
	"example.org/sivu/generator/api"
	"example.org/sivu/generator/diag"
)

// commands are all commands. A new one is one new file and one line here.
var commands = []func() *cobra.Command{
	newBuild,
	newCheck,
	newNew,
	newIDs,
	newManifest,
	newVersion,
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "sivu",
		Short: "turn a folder of multilingual source pages into a read API of plain JSON files",
		Long: `sivu turns a folder of source pages, HTML or Markdown, one file per page and
language, into a snapshot: every JSON answer of a read API, as plain files that
any static host or CDN can serve.

Exit status: 0 done, 1 pages have problems, 2 sivu could not run.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
	}
	for _, command := range commands {
		root.AddCommand(command())
	}
	return root
}

// pageFlags are the flags of all commands that read pages.
type pageFlags struct {
	options generator.Options
	format  string
	quiet   bool
}

func (f *pageFlags) add(command *cobra.Command) {
	flags := command.Flags()
	f.addContent(command)
	flags.IntVar(&f.options.Jobs, "jobs", 0, "pages worked on at once (default two per processor)")
	flags.BoolVar(&f.options.Strict, "strict", false, "let warnings count as errors do")
	flags.StringVar(&f.format, "format", diag.Formats[0].Name, "how problems are printed: "+choices(formatNames()))
	flags.BoolVar(&f.quiet, "quiet", false, "print problems only")
	complete(command, "format", formatNames())
}

func (f *pageFlags) addContent(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&f.options.Content, "content", "content", "`folder` of the source pages")
	flags.StringVar(&f.options.SiteFile, "site", "", "`file` with the site's settings (default site.yaml in the content folder)")
	command.MarkFlagDirname("content")
	command.MarkFlagFilename("site", "yaml", "yml")
}

// addLinks adds the flags that say what addresses look like.
func (f *pageFlags) addLinks(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&f.options.BaseURL, "base-url", "", "`address` at which the snapshot will be served (also SIVU_BASE_URL, and base_url in site.yaml)")
	flags.StringVar(&f.options.Links, "links", "", "link style: "+choices(styleNames())+" (default from site.yaml, else "+api.Styles[0].Name+")")
	complete(command, "links", styleNames())
}

// baseFromEnvironment fills in the base address where no flag gave one.
func (f *pageFlags) baseFromEnvironment() {
	if f.options.BaseURL == "" {
		f.options.BaseURL = os.Getenv("SIVU_BASE_URL")
	}
}

func complete(command *cobra.Command, flag string, values []string) {
	command.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

func formatNames() []string {
	var names []string
	for _, f := range diag.Formats {
		names = append(names, f.Name)
	}
	return names
}

func styleNames() []string {
	var names []string
	for _, s := range api.Styles {
		names = append(names, s.Name)
	}
	return names
}

// choices returns "a, b or c".
func choices(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
