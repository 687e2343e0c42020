package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/folder"
	"example.org/sivu/generator/preview"
	"example.org/sivu/templates"
)

// previewFlags are those of the command preview.
type previewFlags struct {
	pageFlags
	addr     string
	origins  origins
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
			return hinted(runPreview(command, &flags))
		},
	}
	flags.addContent(command)
	command.Flags().Var((*count)(&flags.options.Jobs), "jobs", "`number` of pages worked on at once (default two per processor)")
	command.Flags().StringVar(&flags.addr, "addr", preview.DefaultAddr, "`address` to listen on; port 0 picks a free one")
	command.Flags().StringVar(&flags.snapshot, "snapshot", "", "`folder` with a snapshot; the same as the argument FOLDER")
	command.Flags().Var(&flags.origins, "allow-origin", "let scripts of this `origin` read the pages too; repeat it for more")
	for _, name := range []string{"addr", "allow-origin", "jobs"} {
		command.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
	command.MarkFlagDirname("snapshot")
	return command
}

// origins is a flag that names an origin each time that it is given.
type origins []string

func (o *origins) String() string { return strings.Join(*o, ",") }

func (*origins) Type() string { return "string" }

func (o *origins) Set(text string) error {
	origin, err := preview.ParseOrigin(text)
	if err == nil {
		*o = append(*o, origin)
	}
	return err
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
	defer folder.Close()
	server := newPreviewServer(command, flags, listener)
	server.Show(preview.Site{Answers: folder})
	announcePreview(command, listener, "the snapshot "+diag.Quote(flags.snapshot))
	return server.Serve(command.Context(), listener)
}

// newPreviewServer returns a server for a listener. What goes wrong with its
// answers is printed.
func newPreviewServer(command *cobra.Command, flags *previewFlags, listener *preview.Listener) *preview.Server {
	problems := command.ErrOrStderr()
	return preview.New(preview.Options{
		Base: listener.Base, Hosts: listener.Hosts, Origins: flags.origins, Browser: templates.Preview(), Snapshot: flags.snapshot != "",
		Log: func(err error) { say(problems, "preview: %s", diag.Clean(err.Error())) },
	})
}

// announcePreview says where to look, and how it ends.
func announcePreview(command *cobra.Command, listener *preview.Listener, what string) {
	say(command.ErrOrStderr(), "serving %s; Ctrl-C ends it", what)
	// A reader that goes away ends no preview.
	io.WriteString(command.OutOrStdout(), listener.Base+"/\n")
}

// hinted gives the errors of other packages the form of those here.
func hinted(err error) error {
	var problem *preview.Error
	if errors.As(err, &problem) && problem.Hint != "" {
		return &hintedError{err, problem.Hint}
	}
	return err
}
