package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// completeFolder completes the one argument of a command that takes a folder. An
// address is left as it is.
func completeFolder(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 || isAddress(typed) {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}

func newCompletion() *cobra.Command {
	names := []string{"bash", "zsh", "fish", "powershell"}
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
			root, out := command.Root(), command.OutOrStdout()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(out, true)
			case "zsh":
				return root.GenZshCompletion(out)
			case "fish":
				return root.GenFishCompletion(out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(out)
			}
			return fmt.Errorf("unknown shell %q: give %s", args[0], choices(names))
		},
	}
}
