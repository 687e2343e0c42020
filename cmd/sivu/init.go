package main

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"example.org/sivu/generator"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/host"
	"example.org/sivu/generator/source"
)

func newInit() *cobra.Command {
	var force bool
	command := &cobra.Command{
		Use:   "init [FOLDER]",
		Short: "write a site.yaml for the pages of a folder, or start a new site",
		Long: `init looks at a folder of pages, or of the HTML files that a site generator wrote, and
writes a site.yaml with which build succeeds; each setting in it is explained. FOLDER is
that of a site or of its pages, by default the current one. What a generator has as its
configuration is read, and never run. Pages that cannot be read are excluded, each with
its reason. In an empty folder init starts a new site.`,
		Example: `  sivu init
  sivu init ../my-site
  sivu init public`,
		Args:              takes(0, 1, "at most one argument", "my-site"),
		ValidArgsFunction: completeFolder,
		RunE: func(command *cobra.Command, args []string) error {
			folder := "."
			if len(args) > 0 {
				folder = args[0]
			}
			screen := newScreen(command, !isScreen(command.ErrOrStderr()), "text", "")
			adopted, err := generator.Init(command.Context(), folder, force, &screen.Progress)
			screen.end()
			if err != nil {
				return interrupted(command.Context(), err, "nothing was written")
			}
			return toPeople(screen.out, func(w io.Writer) error {
				rows := &summary{bufio.NewWriter(w), min(width(screen.out), 80)}
				rows.adopted(adopted)
				return rows.Flush()
			})
		},
	}
	command.Flags().BoolVar(&force, "force", false, "replace a site.yaml that is there; its namespace is kept")
	return command
}

// adopted writes the table of a new site.yaml, which fits a screen.
func (s *summary) adopted(a *generator.Adopted) {
	for _, row := range a.Rows {
		for i, facts := range row.Lines {
			s.row(when(i == 0, row.Label), diag.Clean(facts))
		}
	}
	s.row("written", diag.Name(filepath.ToSlash(filepath.Join(a.Content, source.SiteFile)))+when(a.Rows == nil, " and three pages"))
	content := ""
	if filepath.Clean(a.Content) != "content" {
		content = " --content " + word(a.Content)
	}
	if holdsOutput(a.Content) {
		content += " --out " + word(filepath.Join(a.Content, "..", "public"))
	}
	// Not through row: a command is copied, and so stays in one line.
	fmt.Fprintf(s, "%-*ssivu build%s --base-url https://ADDRESS-OF-THE-API\n", labelWidth, "next", content)
}

// holdsOutput reports whether the default output folder lies in a content folder, which
// build refuses.
func holdsOutput(content string) bool {
	below, err := filepath.Rel(content, "public")
	if filepath.IsAbs(content) {
		full, _ := filepath.Abs("public")
		below, err = filepath.Rel(content, full)
	}
	return err == nil && filepath.IsLocal(below)
}

// word returns a text as one word of a shell, in quotes only where it needs them.
func word(text string) string {
	if strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./") == "" {
		return text
	}
	return host.ShellWord(text)
}
