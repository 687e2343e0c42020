package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"example.org/sivu/generator"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/preview"
)

// previewContent serves what the content folder holds, as it changes.
func previewContent(command *cobra.Command, flags *previewFlags, listener *preview.Listener) error {
	watcher, err := preview.NewWatcher(flags.options.Content, flags.options.SiteFile)
	if err != nil {
		return err
	}
	defer watcher.Close()
	announcePreview(command, listener, diag.Quote(flags.options.Content))
	flags.options.BaseURL = listener.Base
	told := updatePrinter{w: command.ErrOrStderr()}
	p := generator.Preview{
		Options: flags.options, Watcher: watcher, Listener: listener,
		Server: newPreviewServer(command, listener, false), Updated: told.print,
	}
	return p.Run(command.Context())
}

// updatePrinter tells in the terminal what became of a change: the page browser
// tells the rest.
type updatePrinter struct {
	w io.Writer
}

func (p updatePrinter) print(u *generator.Update, err error) {
	if err != nil {
		printError(p.w, err)
		return
	}
	if u.Failed {
		errors := diag.Report{Errors: u.Report.Errors}
		errors.Diagnostics = slices.DeleteFunc(slices.Clone(u.Report.Diagnostics), func(d diag.Diagnostic) bool {
			return d.Severity != diag.Error
		})
		diag.Formats[0].Print(p.w, errors, hasColor(p.w))
		fmt.Fprintln(p.w, "the preview shows the pages as they were without errors")
		return
	}
	fmt.Fprintf(p.w, "%s, %s\n", plural(u.View.Len(), "record"), plural(u.Report.Warnings, "warning"))
}
