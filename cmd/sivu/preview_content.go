package main

import (
	"io"
	"slices"

	"github.com/spf13/cobra"

	"example.org/sivu/generator"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/preview"
	"example.org/sivu/generator/view"
	"example.org/sivu/generator/watch"
)

// previewContent serves what the content folder holds, as it changes.
func previewContent(command *cobra.Command, flags *previewFlags, listener *preview.Listener) error {
	flags.options.BaseURL = listener.Base
	live, err := view.NewLive(flags.options)
	if err != nil {
		return err
	}
	defer live.Close()
	watcher, err := watch.New(flags.options.Content, flags.options.SiteFile)
	if err != nil {
		return err
	}
	defer watcher.Close()
	announcePreview(command, listener, diag.Quote(flags.options.Content))
	printer := updatePrinter{w: command.ErrOrStderr(), watcher: watcher}
	p := generator.Preview{
		Live: live, Watcher: watcher, Listener: listener,
		Server: newPreviewServer(command, flags, listener), Updated: printer.print,
	}
	return p.Run(command.Context())
}

// maxNew is how many new errors are printed at once.
const maxNew = 10

// updatePrinter prints the errors that are new after a change. The page browser
// lists all.
type updatePrinter struct {
	w       io.Writer
	before  []diag.Diagnostic // errors that were there after the last change, in order
	watcher *watch.Watcher    // nil in tests of the messages
	polls   bool              // a warning of polling was printed
}

func (p *updatePrinter) print(u *view.Update, err error) {
	if p.watcher != nil && !p.polls {
		if reason := p.watcher.Polls(); reason != nil {
			p.polls = true
			say(p.w, "warning: %s", reason)
			say(p.w, "    hint: %s", reason.Hint)
		}
	}
	if err != nil {
		printError(p.w, err)
		return
	}
	errors := slices.DeleteFunc(slices.Clone(u.Report.Diagnostics), func(d diag.Diagnostic) bool {
		return d.Severity != diag.Error
	})
	isOld := func(d diag.Diagnostic) bool {
		_, ok := slices.BinarySearchFunc(p.before, d, diag.Compare)
		return ok
	}
	news := slices.DeleteFunc(slices.Clone(errors), isOld)
	p.before = errors
	if !u.Failed {
		say(p.w, "%s, %s", plural(u.View.Len(), "record"), plural(u.Report.Warnings, "warning"))
		return
	}
	shown := news[:min(len(news), maxNew)]
	printProblems(p.w, diag.Report{Diagnostics: shown, Errors: len(shown)})
	if more := u.Report.Errors - len(shown); more > 0 {
		say(p.w, "and %s more; the page browser lists all", plural(more, "error"))
	}
	if u.Kept > 0 {
		say(p.w, "%s with errors: the preview shows the last version without", plural(u.Kept, "page"))
	}
	if u.Hidden > 0 {
		say(p.w, "%s with errors: there is no version yet that the preview could show", plural(u.Hidden, "page"))
	}
}
