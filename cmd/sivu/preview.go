package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"example.org/sivu/generator"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/folder"
	"example.org/sivu/generator/preview"
	"example.org/sivu/generator/view"
	"example.org/sivu/generator/watch"
	"example.org/sivu/templates"
)

// previewFlags are those of the command preview.
type previewFlags struct {
	pageFlags
	addr     string
	origins  []string
	snapshot string
}

func newPreview() *cobra.Command {
	var flags previewFlags
	command := &cobra.Command{
		Use:   "preview [FOLDER]",
		Short: "serve the pages on this machine, and show them",
		Long: `preview serves every answer of the read API, exactly as a host that keeps the
whole contract does, and a page browser for authors and reviewers beside it. The
address to open goes to standard output.

It reads the content folder, and what changes there is shown at once; a page with
errors is shown as it last was without them, and marked. Images, sounds and films
of the folder, with their WebVTT tracks, are served too, and nothing else of it.
With FOLDER it serves a snapshot that was built, and built again while it is served,
with its own address in the links. Ctrl-C ends it.

Only this machine reaches it, unless --addr says otherwise: then everyone in the
network can read the pages, drafts excepted. Requests that name another host than
its own get status 421, and browsers let only scripts from this machine (loopback
origins, such as http://localhost:3000) read an answer, and those from origins
that --allow-origin names. So no page of a stranger can read along.`,
		Example: `  sivu preview
  sivu preview public
  sivu preview --addr 127.0.0.1:0
  sivu preview --allow-origin https://dev.example.org:3000`,
		Args:              atMostOne("folder", "public"),
		ValidArgsFunction: completeFolder,
		RunE: func(command *cobra.Command, args []string) error {
			if err := flags.check(command, args); err != nil {
				return err
			}
			return runPreview(command, &flags)
		},
	}
	flags.addContent(command)
	addCount(command, "jobs", &flags.options.Jobs, "`number` of pages worked on at once (default two per processor)")
	command.Flags().StringVar(&flags.addr, "addr", preview.DefaultAddr, "`address` to listen on; port 0 picks a free one")
	command.Flags().StringVar(&flags.snapshot, "snapshot", "", "`folder` with a snapshot; the same as the argument FOLDER")
	command.Flags().Func("allow-origin", "let scripts of this `origin` read the pages too; repeat it for more", func(text string) error {
		origin, err := preview.ParseOrigin(text)
		flags.origins = append(flags.origins, origin)
		return err
	})
	command.MarkFlagDirname("snapshot")
	return command
}

// check refuses flags that would have no effect.
func (f *previewFlags) check(command *cobra.Command, args []string) error {
	changed := command.Flags().Changed
	if len(args) == 0 && !changed("snapshot") {
		return nil
	}
	for _, name := range []string{"content", "site", "jobs"} {
		if changed(name) {
			return &hintedError{
				fmt.Errorf("--%s has no meaning for a snapshot", name),
				"a snapshot that was built is served as it is; leave one of the two out",
			}
		}
	}
	folder, err := namedFolder(command, args, "snapshot")
	if err != nil && isSameFolder(folder, f.options.Content) {
		return &hintedError{err, "sivu preview alone serves the content folder"}
	}
	f.snapshot = folder
	return err
}

// isSameFolder reports whether two names are of one folder that is there.
func isSameFolder(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

func runPreview(command *cobra.Command, flags *previewFlags) error {
	listener, err := preview.Listen(command.Context(), flags.addr)
	if err != nil {
		return err
	}
	defer listener.Close()
	if !listener.Loopback {
		say(command.ErrOrStderr(), "warning: others in the network can read the pages at %s", listener.Base)
	}
	if flags.snapshot != "" {
		return previewSnapshot(command, flags, listener)
	}
	return previewContent(command, flags, listener)
}

// previewSnapshot serves a folder that was built.
func previewSnapshot(command *cobra.Command, flags *previewFlags, listener *preview.Listener) error {
	// Builds may come and go while it is served. Only one that was cut off is refused.
	release, err := folder.Hold(flags.snapshot)
	if err == nil {
		release()
	} else if !errors.Is(err, folder.ErrLocked) {
		return err
	}
	folder, err := preview.OpenFolder(flags.snapshot, listener.Base)
	if err != nil {
		return err
	}
	server := newPreviewServer(command, flags, listener)
	server.Show(preview.Site{Answers: folder})
	announcePreview(command, listener, "the snapshot "+diag.Quote(flags.snapshot))
	return server.Serve(command.Context(), listener)
}

// newPreviewServer returns a server for a listener. It prints answers that fail.
func newPreviewServer(command *cobra.Command, flags *previewFlags, listener *preview.Listener) *preview.Server {
	problems := command.ErrOrStderr()
	return preview.New(preview.Options{
		Base: listener.Base, Hosts: listener.Hosts, Origins: flags.origins, Browser: templates.Preview(), Snapshot: flags.snapshot != "",
		Log: func(err error) { say(problems, "preview: %s", diag.Clean(err.Error())) },
	})
}

// announcePreview prints the address to open, and how the preview ends.
func announcePreview(command *cobra.Command, listener *preview.Listener, what string) {
	say(command.ErrOrStderr(), "serving %s; Ctrl-C ends it", what)
	// A reader that goes away ends no preview.
	io.WriteString(command.OutOrStdout(), listener.Base+"/\n")
}

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
