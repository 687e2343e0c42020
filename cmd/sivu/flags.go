package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/sivu/generator"
	"example.org/sivu/generator/api"
	"example.org/sivu/generator/baseurl"
	"example.org/sivu/generator/diag"
)

// baseVariable is the environment variable that gives the base address.
const baseVariable = "SIVU_BASE_URL"

// pageFlags are the flags of all commands that read pages.
type pageFlags struct {
	options generator.Options
	format  string
	quiet   bool
	answers bool // standard output is for a list that programs read, and for nothing else
}

// add adds the flags of every command that reads all pages.
func (f *pageFlags) add(command *cobra.Command) {
	flags := command.Flags()
	f.addContent(command)
	addCount(command, "jobs", &f.options.Jobs, "`number` of pages worked on at once (default two per processor)")
	f.format = diag.Formats[0].Name
	addChoice(command, &f.format, "format", "how problems are printed: ", formatNames(), "")
	flags.BoolVar(&f.quiet, "quiet", false, "print problems only")
}

func (f *pageFlags) addContent(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&f.options.Content, "content", "content", "`folder` of the source pages")
	flags.StringVar(&f.options.SiteFile, "site", "", "`file` with the site's settings (default site.yaml in the content folder)")
	command.MarkFlagDirname("content")
	command.MarkFlagFilename("site", "yaml", "yml")
}

// addStrict adds the flags that say what counts as an error.
func (f *pageFlags) addStrict(command *cobra.Command) {
	command.Flags().BoolVar(&f.options.Strict, "strict", false, "let warnings count as errors do")
	command.Flags().BoolVar(&f.options.AllowEmpty, "allow-empty", false, "accept a content folder without pages")
}

// addLinks adds the flags that say what addresses look like.
func (f *pageFlags) addLinks(command *cobra.Command) {
	command.Flags().StringVar(&f.options.BaseURL, "base-url", "",
		"`address` at which the snapshot will be served (also "+baseVariable+", and base_url in site.yaml)")
	addChoice(command, &f.options.Links, "links", "link style: ", styleNames(),
		" (default from site.yaml, else "+api.Styles[0].Name+")")
}

// findBase takes the base address from the environment where no flag gives one,
// and checks it.
func (f *pageFlags) findBase(command *cobra.Command) error {
	from := "--base-url"
	if !command.Flags().Changed("base-url") {
		from, f.options.BaseURL = baseVariable, os.Getenv(baseVariable)
		if f.options.BaseURL == "" {
			return nil
		}
	}
	_, err := baseurl.Parse(f.options.BaseURL)
	if err != nil {
		return fmt.Errorf("%s %w", from, err)
	}
	return nil
}

// checked is a flag whose text set takes or refuses. Its default is shown in help.
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

// addDuration adds a flag whose value is a time from zero on.
func addDuration(command *cobra.Command, value *time.Duration, flag, usage string) {
	byDefault := ""
	if *value > 0 {
		byDefault = strings.TrimSuffix(value.String(), "0s")
	}
	set := func(text string) (err error) {
		if *value, err = time.ParseDuration(text); err != nil || *value < 0 {
			return errors.New("give a time as in 30s, 10m or 24h")
		}
		return nil
	}
	command.Flags().Var(checked{"duration", byDefault, set}, flag, usage)
}

// addCount adds a flag whose value is a number from 1.
func addCount(command *cobra.Command, flag string, to *int, usage string) {
	command.Flags().Func(flag, usage, func(text string) error {
		const most = 10_000
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > most {
			return fmt.Errorf("give a number from 1 to %d", most)
		}
		*to = n
		return nil
	})
}

// flagError puts what the flag library says into our words.
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
	all := command.CommandPath() + " --help lists the flags"
	if letters := unknown.GetSpecifiedShortnames(); letters != "" {
		return &hintedError{fmt.Errorf("unknown flag %s", diag.Quote("-"+letters)), all}
	}
	var names []string
	command.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return &hintedError{fmt.Errorf("unknown flag %s", diag.Quote("--"+name)), didYouMean(name, names, "--", all)}
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
	hint := ""
	if len(folders) > 0 {
		hint = "name folders with " + strings.Join(folders, " and ")
	}
	return &hintedError{fmt.Errorf("%s takes no argument, and %s is one", command.CommandPath(), diag.Quote(args[0])), hint}
}

// oneArgument asks for exactly one argument, as the command's use line names it.
func oneArgument(example string) cobra.PositionalArgs {
	return func(command *cobra.Command, args []string) error {
		if len(args) == 1 {
			return nil
		}
		return &hintedError{fmt.Errorf("%s takes one argument, and %d are given", command.CommandPath(), len(args)),
			"write it as in " + command.CommandPath() + " " + example}
	}
}

// mapped returns what f makes of each element of a list.
func mapped[T, U any](list []T, f func(T) U) []U {
	made := make([]U, len(list))
	for i, e := range list {
		made[i] = f(e)
	}
	return made
}

func formatNames() []string {
	return mapped(diag.Formats, func(f diag.Format) string { return f.Name })
}

func styleNames() []string {
	return mapped(api.Styles, func(s api.Style) string { return s.Name })
}

// choices returns "a, b or c".
func choices(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
