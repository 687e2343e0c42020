package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"example.org/sivu/generator/diag"
)

// commands are all commands. A new one is one new file and one line here.
var commands = []func() *cobra.Command{
	newInit,
	newBuild,
	newCheck,
	newPublish,
	newDiff,
	newPreview,
	newNew,
	newIDs,
	newHost,
	newManifest,
	newRecover,
	newSchema,
	newVerify,
	newVersion,
	newCompletion,
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "sivu",
		Short: "turn a folder of multilingual source pages into a read API of plain JSON files",
		Long: `sivu turns a folder of source pages, HTML or Markdown, one file per page and
language, into a snapshot: every JSON answer of a read API, as plain files that
any static host or CDN can serve.

Exit status: 0 done, 1 there are problems or findings, 2 sivu could not run.`,
		SilenceErrors:         true,
		SilenceUsage:          true,
		DisableFlagsInUseLine: true,
		Version:               fullVersion(),
		Args:                  knownCommand,
		RunE:                  func(root *cobra.Command, _ []string) error { return root.Help() },
	}
	root.SetVersionTemplate("sivu {{.Version}}\n")
	root.CompletionOptions.DisableDefaultCmd = true
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(printHelp)
	for _, newCommand := range commands {
		root.AddCommand(newCommand())
	}
	root.SetHelpCommand(newHelp(root))
	return root
}

// newHelp is cobra's command of that name, but for the voice, for topics, and for names
// that are neither commands nor topics: those are errors.
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:       "help [COMMAND|TOPIC]",
		Short:     "print help about a command, or a topic of the reference",
		ValidArgs: append(mapped(root.Commands(), (*cobra.Command).Name), topicNames()...),
		RunE: func(help *cobra.Command, args []string) error {
			if len(args) == 1 {
				if text, ok := topicNamed(args[0]); ok {
					return printTopic(help, text)
				}
			}
			command, rest, err := root.Find(args)
			if err == nil && len(rest) > 0 {
				err = knownCommand(root, rest)
			}
			if err != nil {
				return err
			}
			command.InitDefaultHelpFlag()
			command.InitDefaultVersionFlag()
			return command.Help()
		},
	}
}

// knownCommand refuses arguments that are left where a command is expected.
func knownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	topics := didYouMean(args[0], topicNames(), "sivu help ", "sivu help lists the commands and topics")
	hint := didYouMean(args[0], mapped(root.Commands(), (*cobra.Command).Name), "", topics)
	return hinted(hint, "unknown command %s", diag.Quote(args[0]))
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version of sivu",
		Args:  noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(command.OutOrStdout(), "sivu", fullVersion())
			return err
		},
	}
}

// fullVersion is the version and what it runs on.
func fullVersion() string {
	return fmt.Sprintf("%s (%s, %s/%s)", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// version returns the version of the module, as the Go tool recorded it: a tag, or a
// pseudo-version with the commit it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
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
		Args:      takes(1, 1, "one argument", "bash"),
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
