package main

import (
	"context"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/folder"
)

func newRecover() *cobra.Command {
	wait := false
	command := &cobra.Command{
		Use:   "recover [FOLDER]",
		Short: "finish an interrupted build",
		Long: `recover finishes what a build that was cut off (kill -9, a power loss, a full disk)
had begun to publish into its output folder (default ` + defaultOut + `), clears what else it left in .sivu,
and makes sure that every file of the snapshot is as it was written. The folder then
holds exactly the new snapshot, or the one before, if the build had published nothing yet.

A build does the same by itself before it begins. recover is for a folder that has
to be right before there is another build.`,
		Example: `  sivu recover public`,
		RunE: func(command *cobra.Command, args []string) error {
			out, err := namedFolder(command, args, "out")
			if err != nil {
				return err
			}
			ctx, options := command.Context(), folder.Options{}
			if wait {
				options.Wait = func() context.Context {
					sayWaiting(command, out)
					return ctx
				}
			}
			r, err := folder.Recover(ctx, out, options, 2*runtime.GOMAXPROCS(0))
			if err != nil {
				return interrupted(ctx, err, "run it again to go on")
			}
			if r.IsThere && !r.Whole {
				return hinted("sivu build puts it right", "the snapshot in %s is not as it was written: files are missing, others, or too many", diag.Quote(out))
			}
			fmt.Fprintln(command.OutOrStdout(), recovered(r))
			return nil
		},
	}
	addBuilt(command)
	addWait(command, &wait)
	return command
}

// recovered describes a recovery.
func recovered(r *folder.Recovery) string {
	found := "no build was cut off"
	switch {
	case r.Finished > 0:
		found = fmt.Sprintf("a build that was cut off while it published was finished, in %d steps", r.Finished)
	case r.CutOff:
		found = "a build was cut off before it changed anything, or after it had changed everything"
	}
	if !r.IsThere {
		return found + "; there is no snapshot"
	}
	return fmt.Sprintf("%s; the snapshot is whole: %d files", found, r.Files)
}
