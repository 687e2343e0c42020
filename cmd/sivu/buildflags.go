package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/sivu/generator"
	"example.org/sivu/generator/api"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/host"
)

// hostFlags are the flags that fit a snapshot to the host that will serve it.
type hostFlags struct {
	host     *host.Host
	variants string
	codings  []string
}

// The values of --variants.
const (
	allVariants  = "all"
	edgeVariants = "edge"
)

// autoCodings is the value of --precompress that leaves the choice to the host.
const autoCodings = "auto"

func (f *hostFlags) add(command *cobra.Command) {
	addHost(command, &f.host, "`name` of the host that the snapshot is for (sivu host lists them)")
	command.Flags().Func("precompress", "write compressed siblings: `list` of "+strings.Join(api.Codings, ",")+
		", or "+autoCodings+" for those that the host sends as it is configured", f.setCodings)
	command.RegisterFlagCompletionFunc("precompress", completeCodings)
	addVariants(command, &f.variants, "which variants of answers are written: ")
}

// addVariants adds the flag that says which variants are files.
func addVariants(command *cobra.Command, value *string, usage string) {
	*value = allVariants
	addChoice(command, value, "variants", usage, []string{allVariants, edgeVariants}, "; the host makes the others")
}

// apply hands over to a build what the flags say.
func (f *hostFlags) apply(o *generator.Options) error {
	o.Host = f.host
	o.Edge = f.variants == edgeVariants
	o.Precompress = f.codings
	if !slices.Equal(f.codings, []string{autoCodings}) {
		return nil
	}
	if o.Host == nil {
		return &hintedError{
			errors.New("--precompress auto takes what the host uses, and no host is named"),
			"name it with --host, or give a list such as gz,br",
		}
	}
	o.Precompress = o.Host.AutoCodings()
	return nil
}

// addHost adds the flag that names a host.
func addHost(command *cobra.Command, to **host.Host, usage string) {
	command.Flags().Func("host", usage, func(name string) error {
		found, ok := host.Named(name)
		if !ok {
			return errors.New(didYouMean(name, hostNames(), "", "sivu host lists the hosts"))
		}
		*to = found
		return nil
	})
	command.RegisterFlagCompletionFunc("host", cobra.FixedCompletions(describedHosts(), cobra.ShellCompDirectiveNoFileComp))
}

func hostNames() []string {
	return mapped(host.Hosts, func(h *host.Host) string { return h.Name })
}

// describedHosts returns the names of all hosts with their titles, for shells.
func describedHosts() []string {
	return mapped(host.Hosts, func(h *host.Host) string { return cobra.CompletionWithDesc(h.Name, h.Title) })
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

// setCodings takes a list of codings.
func (f *hostFlags) setCodings(list string) error {
	names := strings.Split(list, ",")
	known := api.Codings
	for _, name := range names {
		switch {
		case slices.Contains(known, name):
		case name == autoCodings && len(names) == 1:
		case name == autoCodings:
			return errors.New("give auto alone, or a list without it")
		default:
			return fmt.Errorf("%s is no coding: give %s, with commas between them", diag.Quote(name),
				choices(append(known, autoCodings)))
		}
	}
	f.codings = names
	return nil
}

func addWait(command *cobra.Command, wait *bool) {
	command.Flags().BoolVar(wait, "wait", false, "wait while another build is at work on the output folder")
}

// sayWaiting returns what tells a person why nothing happens.
func sayWaiting(command *cobra.Command, out string) func() {
	return func() {
		say(command.ErrOrStderr(), "waiting for another build on %s to end; Ctrl-C ends the waiting", diag.Quote(out))
	}
}
