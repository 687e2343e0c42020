package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/sivu/generator"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/folder"
	"example.org/sivu/generator/host"
)

// hostFlags are the flags that fit a snapshot to the host that will serve it.
type hostFlags struct {
	host     hostName
	variants string
	codings  codingNames
}

// The values of --variants.
const (
	allVariants  = "all"
	edgeVariants = "edge"
)

// autoCodings is the value of --precompress that leaves the choice to the host.
const autoCodings = "auto"

func (f *hostFlags) add(command *cobra.Command) {
	flags := command.Flags()
	flags.Var(&f.host, "host", "`name` of the host that the snapshot is for (sivu host lists them)")
	command.RegisterFlagCompletionFunc("host", cobra.FixedCompletions(describedHosts(), cobra.ShellCompDirectiveNoFileComp))
	flags.Var(&f.codings, "precompress", "write compressed siblings: `list` of "+strings.Join(folder.CodingNames(), ",")+
		", or "+autoCodings+" for those that the host sends as it is configured")
	command.RegisterFlagCompletionFunc("precompress", completeCodings)
	f.variants = allVariants
	addChoice(command, &f.variants, "variants", "which variants of answers are written: ",
		[]string{allVariants, edgeVariants}, "; the host makes the others")
}

// apply hands over to a build what the flags say.
func (f *hostFlags) apply(o *generator.Options) error {
	o.Host = f.host.host
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

// refused turns what a host cannot do into an error with its hint.
func refused(err error) error {
	var refusal *host.Refusal
	if errors.As(err, &refusal) {
		return &hintedError{err, refusal.Hint}
	}
	return err
}

// hostName is a flag that names a host.
type hostName struct{ host *host.Host }

func (h *hostName) String() string {
	if h.host == nil {
		return "" // none was given
	}
	return h.host.Name
}

func (*hostName) Type() string { return "string" }

func (h *hostName) Set(name string) error {
	found, ok := host.Named(name)
	if !ok {
		return errors.New(didYouMean(name, hostNames(), "", "sivu host lists the hosts"))
	}
	h.host = found
	return nil
}

func hostNames() []string {
	var names []string
	for _, h := range host.Hosts {
		names = append(names, h.Name)
	}
	return names
}

// describedHosts returns the names of all hosts with their titles, for shells.
func describedHosts() []string {
	var names []string
	for _, h := range host.Hosts {
		names = append(names, cobra.CompletionWithDesc(h.Name, h.Title))
	}
	return names
}

// completeCodings completes the last name of a list.
func completeCodings(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	given := typed[:strings.LastIndexByte(typed, ',')+1]
	var lists []string
	for _, name := range folder.CodingNames() {
		if !slices.Contains(strings.Split(given, ","), name) {
			lists = append(lists, given+name)
		}
	}
	if given == "" {
		lists = append(lists, autoCodings)
	}
	return lists, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// codingNames is a flag that lists codings.
type codingNames []string

func (c *codingNames) String() string { return strings.Join(*c, ",") }

func (*codingNames) Type() string { return "string" }

func (c *codingNames) Set(list string) error {
	names := strings.Split(list, ",")
	known := folder.CodingNames()
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
	*c = names
	return nil
}
