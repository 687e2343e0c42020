package main

import (
	"strings"

	"github.com/spf13/cobra"

	"example.org/sivu/generator/bucket"
	"example.org/sivu/generator/diff"
	"example.org/sivu/generator/tree"
)

const diffText = `diff compares two snapshots. Each is an output folder, an archive, or the address of a
bucket that sivu publish brought to a snapshot.

It prints the records that were added, removed or moved, or whose parts changed, and
the addresses that have no answer any more. With --format json it also lists the path,
size and SHA-256 of every file that differs: with the files of NEW, these turn OLD into
NEW. --format markdown is for a comment on a pull request.

The exit status is 0 whether or not they differ.`

func newDiff() *cobra.Command {
	format := diff.Formats[0].Name
	var store storeFlags
	command := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "compare two snapshots",
		Long:  diffText,
		Example: `  sivu diff public-2026-11-01.tar.zst public
  sivu diff s3://my-bucket/v1 public --format markdown`,
		Args: takes(2, 2, "two arguments, OLD and NEW", "public-before public"),
		RunE: func(command *cobra.Command, args []string) error {
			var sides [2]tree.Snapshot
			for i, name := range args {
				s, closeSnapshot, err := store.openAny(command, name)
				if err != nil {
					return err
				}
				defer closeSnapshot()
				sides[i] = s
			}
			r, err := diff.Compare(sides[0], sides[1], args[0], args[1])
			if err != nil {
				return err
			}
			return r.Print(command.OutOrStdout(), format)
		},
	}
	addChoice(command, &format, "format", "`form` of the output: ", mapped(diff.Formats, func(f diff.Format) string { return f.Name }), "")
	store.add(command)
	return command
}

// openAny opens a bucket, an archive or a folder.
func (f *storeFlags) openAny(command *cobra.Command, name string) (tree.Snapshot, func(), error) {
	if !strings.HasPrefix(name, "s3://") {
		return openSnapshot(command, name, false)
	}
	o, err := f.open(command, name)
	if err != nil {
		return nil, nil, err
	}
	s, err := bucket.Open(command.Context(), o)
	return s, func() {}, err
}
