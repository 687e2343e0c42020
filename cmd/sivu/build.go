package main

import (
	"errors"

	"github.com/spf13/cobra"

	"example.org/sivu/generator"
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
	var flags pageFlags
	var hosting hostFlags
	var reportName string
	var wait bool
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
			if err := applyArchive(command, &flags); err != nil {
				return err
			}
			_, err := runBuild(command, &flags, &hosting, reportName, wait)
			return err
		},
	}
	addBuild(command, &flags, &hosting, &reportName)
	addArchive(command, &flags.options)
	addWait(command, &wait)
	addDuration(command, &flags.options.KeepRemoved, "keep-removed",
		"keep files of records and list pages that left the lists for this `time`, as in 10m or 24h, for clients that hold older lists")
	command.Flags().BoolVar(&flags.options.DryRun, "dry-run", false, "print what would be added, changed and removed, and write nothing")
	return command
}

// addBuild adds the flags of every command that builds into a folder.
func addBuild(command *cobra.Command, flags *pageFlags, hosting *hostFlags, reportName *string) {
	flags.add(command)
	flags.addStrict(command)
	flags.addLinks(command)
	hosting.add(command)
	command.Flags().StringVar(&flags.options.Out, "out", defaultOut, "output `folder`")
	command.Flags().BoolVar(&flags.options.Full, "full", false, "read and render everything, whatever the last build found")
	command.Flags().BoolVar(&flags.options.VerifyOutput, "verify-output", false, "make sure that the output folder is as the last build left it")
	command.Flags().StringVar(reportName, "report", "", "write a JSON report of the build to this `file`")
	command.MarkFlagDirname("out")
	command.MarkFlagFilename("report", "json")
}

// runBuild builds, and shows the result. The error is errProblems where the pages have
// problems.
func runBuild(command *cobra.Command, flags *pageFlags, hosting *hostFlags, reportName string, wait bool) (*generator.Result, error) {
	if command.Flags().Changed("report") && reportName == "" {
		return nil, errors.New("--report needs the name of a file")
	}
	if err := hosting.apply(&flags.options); err != nil {
		return nil, err
	}
	if wait {
		flags.options.OnWait = sayWaiting(command, flags.options.Out)
	}
	if err := flags.findBase(command); err != nil {
		return nil, err
	}
	flags.options.Report = reportName != ""
	report, err := openReport(reportName, &flags.options)
	if err != nil {
		return nil, err
	}
	defer report.close()
	flags.answers = flags.answers || flags.options.DryRun
	screen := newScreen(command, flags)
	result, err := generator.Build(command.Context(), flags.options)
	screen.end()
	if err != nil {
		return nil, interrupted(command.Context(), err, leftBehind(&flags.options))
	}
	if command.Context().Err() != nil && result.Changes != nil && !flags.options.DryRun {
		screen.warn("interrupted while it published: the new snapshot was completed")
	}
	shown := screen.show(result, flags)
	if err := report.write(result, flags.options.DryRun); err != nil {
		return nil, err
	}
	screen.reported(result, flags)
	return result, shown
}
