package main

import (
	"errors"
	"io"
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
		Args:              takes(0, 1, "only one folder", "public"),
		ValidArgsFunction: completeFolder,
		RunE:              flags.run,
	}
	flags.addContent(command)
	addJobs(command, &flags.options.Jobs, pageJobs)
	addNow(command, &flags.options.Now)
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
	if name := firstChanged(command, "content", "site", "jobs", "now"); name != "" {
		return hinted("a snapshot that was built is served as it is; leave one of the two out", "--%s has no meaning for a snapshot", name)
	}
	folder, err := namedFolder(command, args, "snapshot")
	if err != nil && isSame(statOf(folder), statOf(f.options.Content)) {
		err = &hintedError{err, "sivu preview alone serves the content folder"}
	}
	f.snapshot = folder
	return err
}

func (f *previewFlags) run(command *cobra.Command, args []string) error {
	if err := f.check(command, args); err != nil {
		return err
	}
	ctx, stderr := command.Context(), command.ErrOrStderr()
	listener, err := preview.Listen(ctx, f.addr)
	if err != nil {
		return err
	}
	defer listener.Close()
	if !listener.Loopback {
		say(stderr, "warning: others in the network can read the pages at %s", listener.Base)
	}
	server := preview.New(preview.Options{
		Base: listener.Base, Hosts: listener.Hosts, Origins: f.origins, Browser: templates.Preview(), Snapshot: f.snapshot != "",
		Log: func(err error) { say(stderr, "preview: %s", diag.Clean(err.Error())) },
	})
	announce := func(what string) {
		say(stderr, "serving %s; Ctrl-C ends it", what)
		// A reader that goes away ends no preview.
		io.WriteString(command.OutOrStdout(), listener.Base+"/\n")
	}
	if f.snapshot != "" {
		answers, err := openBuilt(f.snapshot, listener.Base)
		if err != nil {
			return err
		}
		server.Show(preview.Site{Answers: answers})
		announce("the snapshot " + diag.Quote(f.snapshot))
		return server.Serve(ctx, listener)
	}
	f.options.BaseURL = listener.Base
	live, err := view.NewLive(f.options)
	if err != nil {
		return err
	}
	defer live.Close()
	watcher, err := watch.New(f.options.Content, f.options.SiteFile)
	if err != nil {
		return err
	}
	defer watcher.Close()
	announce(diag.Quote(f.options.Content))
	printer := updatePrinter{w: stderr, watcher: watcher}
	p := generator.Preview{Live: live, Watcher: watcher, Listener: listener, Server: server, Updated: printer.print}
	return p.Run(ctx)
}

// openBuilt opens a folder that was built. Builds may come and go while it is served;
// only one that was cut off is refused.
func openBuilt(name, base string) (*preview.Folder, error) {
	release, err := folder.Hold(name)
	if err == nil {
		release()
	} else if !errors.Is(err, folder.ErrLocked) {
		return nil, err
	}
	return preview.OpenFolder(name, base)
}

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
	printProblems(p.w, diag.Report{Diagnostics: news, Errors: len(news), Site: u.Report.Site}, "the page browser lists them")
	if more := u.Report.Errors - len(news); more > 0 {
		say(p.w, "and %s more; the page browser lists all", plural(more, "error"))
	}
	if u.Kept > 0 {
		say(p.w, "%s with errors: the preview shows the last version without", plural(u.Kept, "page"))
	}
	if u.Hidden > 0 {
		say(p.w, "%s with errors: there is no version yet that the preview could show", plural(u.Hidden, "page"))
	}
}
