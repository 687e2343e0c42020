package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// shellScript is a shell that completion knows.
type shellScript struct {
	name  string
	write func(root *cobra.Command, w io.Writer) error // its script
}

var shells = []shellScript{
	{"bash", func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) }},
	{"zsh", func(root *cobra.Command, w io.Writer) error { return root.GenZshCompletion(w) }},
	{"fish", func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) }},
	{"powershell", func(root *cobra.Command, w io.Writer) error { return root.GenPowerShellCompletionWithDesc(w) }},
}

// completeFolder completes the one argument of a command that takes a folder. An
// address is left as it is.
func completeFolder(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 || isAddress(typed) {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}

func newCompletion() *cobra.Command {
	names := mapped(shells, func(s shellScript) string { return s.name })
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "print a script for your shell that completes commands and flags",
		Long: `completion prints a script for ` + choices(names) + `, which lets the
shell complete sivu's commands, its flags and their values, hosts, folders, and
pages that are not translated. It concerns shells that are started after it is in
its place. That for bash needs the package bash-completion.`,
		Example: `  sivu completion bash > ~/.local/share/bash-completion/completions/sivu
  sivu completion zsh > "${fpath[1]}/_sivu"
  sivu completion fish > ~/.config/fish/completions/sivu.fish
  sivu completion powershell >> $PROFILE`,
		Args:      oneArgument("bash"),
		ValidArgs: names,
		RunE: func(command *cobra.Command, args []string) error {
			for _, shell := range shells {
				if shell.name == args[0] {
					return shell.write(command.Root(), command.OutOrStdout())
				}
			}
			return fmt.Errorf("unknown shell %q: give %s", args[0], choices(names))
		},
	}
}
