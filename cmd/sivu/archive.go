package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"example.org/sivu/generator"
	"example.org/sivu/generator/archive"
	"example.org/sivu/generator/diag"
)

// addArchive adds the flag that names a file in place of the output folder.
func addArchive(command *cobra.Command, o *generator.Options) {
	command.Flags().StringVar(&o.Archive, "archive", "",
		"write one `file` in place of the output folder: "+strings.Join(archive.Endings(), ", ")+", or "+archive.Pipe+" for a tar on standard output")
	command.MarkFlagFilename("archive", mapped(archive.Formats, func(f archive.Format) string { return strings.TrimPrefix(f.Ending, ".") })...)
}

// ofFolders are the flags that say something about an output folder.
var ofFolders = []string{"out", "verify-output", "keep-removed", "wait"}

// applyArchive refuses what an archive does not go together with, and says where
// it goes.
func applyArchive(command *cobra.Command, flags *pageFlags) error {
	o, changed := &flags.options, command.Flags().Changed
	if !changed("archive") {
		return nil
	}
	for _, name := range ofFolders {
		if changed(name) {
			return &hintedError{fmt.Errorf("--archive is in place of an output folder, and --%s is about one", name), "give one of the two"}
		}
	}
	switch {
	case o.Archive == "":
		return errors.New("--archive needs the name of a file")
	case o.DryRun:
		return &hintedError{
			errors.New("--dry-run needs an output folder; --archive has none"),
			"sivu check finds what would keep an archive from being written",
		}
	}
	o.Out = ""
	if o.Archive != archive.Pipe {
		return nil
	}
	out := command.OutOrStdout()
	switch {
	case isTerminal(out):
		return &hintedError{errors.New("refusing to write an archive to a terminal"), "send it to a program or a file, as in " +
			command.CommandPath() + " --archive - | tar -xf - -C public"}
	case flags.format != diag.Formats[0].Name:
		return &hintedError{
			fmt.Errorf("standard output is for the archive, and --format %s is for standard output, too", flags.format),
			"name a file with --archive, or leave out --format",
		}
	}
	o.ArchiveTo, flags.answers = out, true
	return nil
}

// destination returns how messages name what a build writes.
func destination(o *generator.Options) string {
	switch o.Archive {
	case "":
		return o.Out
	case archive.Pipe:
		return "standard output"
	}
	return o.Archive
}

// leftBehind says what an interrupted build leaves behind.
func leftBehind(o *generator.Options) string {
	switch o.Archive {
	case "":
		return "the output folder is as it was"
	case archive.Pipe:
		return "what was written of the archive is no archive"
	}
	return "the archive is as it was"
}
