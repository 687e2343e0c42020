package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"example.org/sivu/generator"
	"example.org/sivu/generator/api"
	"example.org/sivu/generator/archive"
	"example.org/sivu/generator/baseurl"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/folder"
)

const buildText = `build turns the content folder into a snapshot. If any page has an error,
all errors are listed and nothing is written: the output folder holds the old
snapshot, whole, until the new one is complete. A content folder without pages
is an error too, unless --allow-empty is given.

A build reads and renders only what changed since the last one into the same
folder, and ends with the same bytes as one that reads everything. What it knows
lies in .sivu in the output folder; without it, everything is read.

With --host, the snapshot is made for that host: its links are those that the
host can serve, the files that it wants beside the answers are there, and what
is more than it takes is told as a warning.

With --report, a JSON file lists what changed since the report before it, and
the addresses that a cache in front has to forget: also what builds without it
changed in between, and one that was killed before its report was written.
The first report after builds without one says "incomplete", and so does one
where .sivu was lost or damaged: more may have changed since the last report.

With --archive, the snapshot becomes one file. The same pages make the same
bytes, on any machine and at any time. An archive is written as a whole each
time; what differs from the one before is not known.

Problems go to standard error, and the summary to standard output. Where that
has an answer for programs (the list of --dry-run, an archive, or problems in
another format than text), the summary goes to standard error too.`

func newBuild() *cobra.Command {
	var f buildFlags
	command := &cobra.Command{
		Use:   "build",
		Short: "write the snapshot of the content folder",
		Long:  buildText,
		Example: `  sivu build --base-url https://api.example.org
  sivu build --dry-run
  sivu build --host nginx --precompress auto
  sivu build --archive public.tar.zst
  sivu build --strict --format github --report report.json
  sivu build --wait --keep-removed 10m`,
		Args: noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			if err := f.useArchive(command); err != nil {
				return err
			}
			_, err := f.build(command)
			return err
		},
	}
	f.add(command)
	o := &f.options
	command.Flags().StringVar(&o.Archive, "archive", "",
		"write one `file` in place of the output folder: "+strings.Join(archive.Endings(), ", ")+", or "+archive.Pipe+" for a tar on standard output")
	command.MarkFlagFilename("archive", mapped(archive.Formats, func(f archive.Format) string { return strings.TrimPrefix(f.Ending, ".") })...)
	addWait(command, &f.wait)
	addKeepRemoved(command, &o.KeepRemoved, "files of records and list pages")
	command.Flags().BoolVar(&o.DryRun, "dry-run", false, "print what would be added, changed and removed, and write nothing")
	return command
}

// baseVariable is the environment variable that gives the base address.
const baseVariable = "SIVU_BASE_URL"

// pageFlags are the flags of all commands that read pages.
type pageFlags struct {
	options generator.Options
	format  string
	all     bool
	quiet   bool
}

// add adds the flags of every command that reads all pages.
func (f *pageFlags) add(command *cobra.Command) {
	f.addContent(command)
	f.format = diag.Formats[0].Name
	addChoice(command, &f.format, "format", "how problems are printed: ", mapped(diag.Formats, func(f diag.Format) string { return f.Name }), "")
	command.Flags().BoolVar(&f.all, "all", false, "print every problem as text, not only the first few of each cause")
	command.Flags().BoolVar(&f.quiet, "quiet", false, "print problems only")
	addJobs(command, &f.options.Jobs, pageJobs)
}

// pageJobs is the usage of --jobs for pages.
const pageJobs = "`number` of pages worked on at once (default two per processor)"

func (f *pageFlags) addContent(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&f.options.Content, "content", "content", "`folder` of the source pages")
	flags.StringVar(&f.options.SiteFile, "site", "", "`file` with the site's settings (default site.yaml in the content folder)")
	command.MarkFlagDirname("content")
	command.MarkFlagFilename("site", "yaml", "yml")
}

// addStrict adds the flags that make more or fewer things errors.
func (f *pageFlags) addStrict(command *cobra.Command) {
	command.Flags().BoolVar(&f.options.Strict, "strict", false, "let warnings count as errors do")
	command.Flags().BoolVar(&f.options.AllowEmpty, "allow-empty", false, "accept a content folder without pages")
}

// addLinks adds the flags for the form of addresses.
func (f *pageFlags) addLinks(command *cobra.Command) {
	command.Flags().StringVar(&f.options.BaseURL, "base-url", "",
		"`address` at which the snapshot will be served (also "+baseVariable+", and base_url in site.yaml)")
	addChoice(command, &f.options.Links, "links", "link style: ", styleNames(),
		" (default from site.yaml, else "+api.Styles[0].Name+")")
}

func styleNames() []string {
	return mapped(api.Styles, func(s api.Style) string { return s.Name })
}

// findBase takes the base address from the environment where no flag gives one,
// and checks it.
func (f *pageFlags) findBase(command *cobra.Command) error {
	from := "--base-url"
	if !command.Flags().Changed("base-url") {
		from, f.options.BaseURL = baseVariable, os.Getenv(baseVariable)
		if f.options.BaseURL == "" {
			return nil
		}
	}
	if _, err := baseurl.Parse(f.options.BaseURL); err != nil {
		return fmt.Errorf("%s %w", from, err)
	}
	return nil
}

// begin begins to show a run that reads pages. With answers, standard output is kept
// for a list or an archive.
func (f *pageFlags) begin(command *cobra.Command, answers bool) *screen {
	s := newScreen(command, f.quiet, f.format, "")
	if answers {
		s.summary = s.err
	}
	f.options.Progress = &s.Progress
	return s
}

// destination returns the name of the output in messages, and the state in which an
// interrupted build leaves it.
func (f *pageFlags) destination() (name, left string) {
	switch f.options.Archive {
	case "":
		return f.options.Out, "the output folder is as it was"
	case archive.Pipe:
		return "standard output", "what was written of the archive is no archive"
	}
	if statOf(f.options.Archive) == nil {
		return f.options.Archive, "no archive was written"
	}
	return f.options.Archive, "the archive is as it was"
}

// buildFlags are the flags of every command that builds.
type buildFlags struct {
	pageFlags
	variants string
	report   string
	wait     bool
}

// autoCodings is the value of --precompress that leaves the choice to the host.
const autoCodings = "auto"

func (f *buildFlags) add(command *cobra.Command) {
	f.pageFlags.add(command)
	f.addStrict(command)
	f.addLinks(command)
	addNow(command, &f.options.Now)
	o, flags := &f.options, command.Flags()
	addHost(command, &o.Host, "`name` of the host that the snapshot is for (sivu host lists them)")
	flags.Func("precompress", "write precompressed variants: `list` of "+strings.Join(api.Codings, ",")+
		", or "+autoCodings+" for those that the host sends as it is configured", f.setCodings)
	command.RegisterFlagCompletionFunc("precompress", completeCodings)
	addVariants(command, &f.variants, "which variants of answers are written: ")
	flags.StringVar(&o.Out, "out", defaultOut, "output `folder`")
	flags.BoolVar(&o.Full, "full", false, "read and render everything, whatever the last build found")
	flags.BoolVar(&o.VerifyOutput, "verify-output", false, "make sure that the output folder is as the last build left it")
	flags.StringVar(&f.report, "report", "", "write a JSON report of the build to this `file`")
	command.MarkFlagDirname("out")
	command.MarkFlagFilename("report", "json")
}

// setCodings takes a list of codings.
func (f *buildFlags) setCodings(list string) error {
	names := strings.Split(list, ",")
	for _, name := range names {
		switch {
		case slices.Contains(api.Codings, name):
		case name == autoCodings && len(names) == 1:
		case name == autoCodings:
			return errors.New("give auto alone, or a list without it")
		default:
			return fmt.Errorf("%s is no coding: give %s, with commas between them", diag.Quote(name),
				choices(slices.Concat(api.Codings, []string{autoCodings})))
		}
	}
	f.options.Precompress = names
	return nil
}

// completeCodings completes the last name of a list.
func completeCodings(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	given := typed[:strings.LastIndexByte(typed, ',')+1]
	var lists []string
	for _, name := range api.Codings {
		if !slices.Contains(strings.Split(given, ","), name) {
			lists = append(lists, given+name)
		}
	}
	if given == "" {
		lists = append(lists, autoCodings)
	}
	return lists, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

func addWait(command *cobra.Command, wait *bool) {
	command.Flags().BoolVar(wait, "wait", false, "wait while another build is at work on the output folder")
}

// sayWaiting tells that another build is waited for.
func sayWaiting(command *cobra.Command, out string) {
	say(command.ErrOrStderr(), "waiting for another build on %s to end; Ctrl-C ends the waiting", diag.Quote(out))
}

// addKeepRemoved adds the flag that says how long files stay that left the lists.
func addKeepRemoved(command *cobra.Command, value *time.Duration, files string) {
	addTime(command, value, "keep-removed", "keep "+files+" that left the lists for this `time`, as in 10m or 24h, for clients that hold older lists",
		0, math.MaxInt64, anyTime)
}

// anyTime is the message of flags that take any time.
const anyTime = "give a time as in 30s, 10m or 24h"

// useArchive refuses flags that cannot be combined with --archive, and sets the output.
func (f *buildFlags) useArchive(command *cobra.Command) error {
	o, out := &f.options, command.OutOrStdout()
	if !command.Flags().Changed("archive") {
		return nil
	}
	if name := firstChanged(command, "out", "verify-output", "keep-removed", "wait"); name != "" {
		return hinted("give one of the two", "--archive is in place of an output folder, and --%s is about one", name)
	}
	o.Out = ""
	switch {
	case o.Archive == "":
		return errors.New("--archive needs the name of a file")
	case o.DryRun:
		return hinted("sivu check finds what would keep an archive from being written", "--dry-run needs an output folder; --archive has none")
	case o.Archive != archive.Pipe:
		return nil
	case isTerminal(out):
		return hinted("send it to a program or a file, as in "+command.CommandPath()+" --archive - | tar -xf - -C public",
			"refusing to write an archive to a terminal")
	case f.format != diag.Formats[0].Name:
		return hinted("name a file with --archive, or leave out --format",
			"standard output is for the archive, and --format %s is for standard output, too", f.format)
	}
	o.ArchiveTo = out
	return nil
}

// build builds, and shows the result. The error is errProblems where the pages have
// problems.
func (f *buildFlags) build(command *cobra.Command) (*generator.Result, error) {
	o, ctx := &f.options, command.Context()
	o.Edge = f.variants == edgeVariants
	if command.Flags().Changed("report") && f.report == "" {
		return nil, errors.New("--report needs the name of a file")
	}
	if slices.Equal(o.Precompress, []string{autoCodings}) {
		if o.Host == nil {
			return nil, hinted("name it with --host, or give a list such as gz,br", "--precompress auto takes what the host uses, and no host is named")
		}
		o.Precompress = o.Host.AutoCodings()
	}
	if f.wait {
		o.OnWait = func() { sayWaiting(command, o.Out) }
	}
	if err := f.findBase(command); err != nil {
		return nil, err
	}
	o.Report = f.report != ""
	report, err := openReport(f.report, o)
	if err != nil {
		return nil, err
	}
	defer report.close()
	screen := f.begin(command, o.DryRun || o.ArchiveTo != nil)
	result, err := generator.Build(ctx, *o)
	screen.end()
	if err != nil {
		_, left := f.destination()
		return nil, interrupted(ctx, err, left)
	}
	if ctx.Err() != nil && result.Changes != nil && !o.DryRun {
		screen.warn("interrupted while it published: the new snapshot was completed")
	}
	shown := f.show(screen, result)
	if err := report.write(result, o.DryRun); err != nil {
		return nil, err
	}
	if o.Report && !o.DryRun && o.Archive == "" && result.Changes != nil {
		// The next report begins where this one ends.
		if err := folder.Reported(o.Out, result.Changes.Generation); err != nil {
			screen.warn("the report is written, and the next one will tell of the same changes again: " + err.Error())
		}
	}
	return result, shown
}
