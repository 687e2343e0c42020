package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/host"
)

// checked is a flag whose value is checked as it is set. Help shows its default.
type checked struct {
	kind, byDefault string
	set             func(text string) error
}

func (c checked) String() string        { return c.byDefault }
func (c checked) Type() string          { return c.kind }
func (c checked) Set(text string) error { return c.set(text) }

// addChoice adds a flag with a few known values.
func addChoice(command *cobra.Command, value *string, flag, usage string, names []string, after string) {
	set := func(name string) error {
		if !slices.Contains(names, name) {
			return errors.New("give " + choices(names))
		}
		*value = name
		return nil
	}
	command.Flags().Var(checked{"string", *value, set}, flag, usage+choices(names)+after)
	command.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}

// addTime adds a flag whose value is a time from least to most; wanted is the message
// for other values.
func addTime(command *cobra.Command, value *time.Duration, flag, usage string, least, most time.Duration, wanted string) {
	byDefault := ""
	if *value > 0 {
		byDefault = strings.TrimSuffix(value.String(), "0s")
	}
	set := func(text string) error {
		d, err := time.ParseDuration(text)
		if err != nil || d < least || d > most {
			return errors.New(wanted)
		}
		*value = d
		return nil
	}
	command.Flags().Var(checked{"duration", byDefault, set}, flag, usage)
}

// addNow adds the flag that sets the clock for pages that are published, or expire, at an
// instant.
func addNow(command *cobra.Command, now *time.Time) {
	command.Flags().Func("now", "the `time` that decides which pages are published and which have expired, in RFC 3339 (default the clock)",
		func(text string) (err error) {
			if *now, err = time.Parse(time.RFC3339, text); err != nil || now.IsZero() {
				return errors.New("give a time as in 2026-03-01T12:00:00Z")
			}
			return nil
		})
}

// addNumber adds a flag whose value is a number from 1 to most.
func addNumber[T int | int64](command *cobra.Command, value *T, flag, usage string, most T) {
	command.Flags().Func(flag, usage, func(text string) error {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 1 || n > int64(most) {
			return fmt.Errorf("give a number from 1 to %d", most)
		}
		*value = T(n)
		return nil
	})
}

// addJobs adds the flag that bounds how much is worked on at once.
func addJobs(command *cobra.Command, value *int, usage string) {
	addNumber(command, value, "jobs", usage, 10_000)
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

// The values of --variants.
const (
	allVariants  = "all"
	edgeVariants = "edge"
)

// addVariants adds the flag that says which variants are files.
func addVariants(command *cobra.Command, value *string, usage string) {
	*value = allVariants
	addChoice(command, value, "variants", usage, []string{allVariants, edgeVariants}, "; the host makes the others")
}

// firstChanged returns the first of some flags that is given, and "" where none is.
func firstChanged(command *cobra.Command, names ...string) string {
	if i := slices.IndexFunc(names, command.Flags().Changed); i >= 0 {
		return names[i]
	}
	return ""
}

// otherChanged returns a flag that is given and is none of some, and "" where all are.
func otherChanged(command *cobra.Command, names ...string) (other string) {
	command.Flags().Visit(func(f *pflag.Flag) {
		if other == "" && !slices.Contains(names, f.Name) {
			other = f.Name
		}
	})
	return other
}

// flagError returns an error of the flag library with a message like ours.
func flagError(command *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var empty *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(command, unknown)
	case errors.As(err, &empty):
		return fmt.Errorf("--%s needs a value", empty.GetFlag().Name)
	case errors.As(err, &invalid):
		cure := invalid.Unwrap()
		if invalid.GetFlag().Value.Type() == "bool" {
			cure = errors.New("give true or false")
		}
		return fmt.Errorf("--%s cannot be %s: %w", invalid.GetFlag().Name, diag.Quote(invalid.GetValue()), cure)
	}
	return err
}

func unknownFlag(command *cobra.Command, unknown *pflag.NotExistError) error {
	name := unknown.GetSpecifiedName()
	hint := command.CommandPath() + " --help lists the flags"
	if letters := unknown.GetSpecifiedShortnames(); letters != "" {
		return hinted(hint, "unknown flag %s", diag.Quote("-"+letters))
	}
	var names []string
	command.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return hinted(didYouMean(name, names, "--", hint), "unknown flag %s", diag.Quote("--"+name))
}

// didYouMean returns a hint for a name that is not known.
func didYouMean(name string, known []string, prefix, otherwise string) string {
	if near := diag.Closest(name, known); near != "" {
		return "did you mean " + prefix + near + "?"
	}
	return otherwise
}

// noArguments refuses arguments beside flags.
func noArguments(command *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var folders []string
	for _, name := range []string{"content", "out"} {
		if command.Flags().Lookup(name) != nil {
			folders = append(folders, "--"+name)
		}
	}
	hint := when(len(folders) > 0, "name folders with "+strings.Join(folders, " and "))
	return hinted(hint, "%s takes no argument, and %s is one", command.CommandPath(), diag.Quote(args[0]))
}

// takes refuses fewer arguments than least and more than most: the command takes wanted,
// as in example.
func takes(least, most int, wanted, example string) cobra.PositionalArgs {
	return func(command *cobra.Command, args []string) error {
		if least <= len(args) && len(args) <= most {
			return nil
		}
		verb := "are"
		if len(args) == 1 {
			verb = "is"
		}
		return hinted("write it as in "+command.CommandPath()+" "+example,
			"%s takes %s, and %d %s given", command.CommandPath(), wanted, len(args), verb)
	}
}

// completeFolder completes the argument of a command that takes one folder. There is
// nothing to complete in an address.
func completeFolder(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 || isAddress(typed) {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// mapped returns the results of f for each element of a list.
func mapped[T, U any](list []T, f func(T) U) []U {
	made := make([]U, len(list))
	for i, e := range list {
		made[i] = f(e)
	}
	return made
}

// choices returns "a, b or c".
func choices(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
