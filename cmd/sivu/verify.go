package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/verify"
)

// verifyFlags are the flags of verify.
type verifyFlags struct {
	options  verify.Options
	host     hostName
	variants string
	format   string
	quiet    bool
}

func newVerify() *cobra.Command {
	flags := verifyFlags{variants: allVariants, format: verify.Formats[0].Name}
	command := &cobra.Command{
		Use:   "verify FOLDER|URL",
		Short: "prove that a snapshot, or a live address, keeps the contract",
		Long: `verify reads a snapshot in a folder, or the answers of a live address, as a
client would: it walks all list pages by next and back by previous, opens every
record, in both variants, and checks every sentence of the contract. Of an
address it also tries what no walk asks: methods, parameters, unknown pages,
headers, conditional and compressed requests.

An address is asked for nothing outside itself, by few requests at once, and no
more of them a second than --rate. Findings go to standard error as text, and to
standard output in any other format.

Exit status: 0 the contract is kept, 1 it is not, 2 verify could not run.`,
		Example: `  sivu verify public
  sivu verify https://api.example.org --sample 100
  sivu verify https://api.example.org --host netlify-redirects --format json`,
		Args: oneArgument("public"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(command *cobra.Command, args []string) error { return flags.run(command, args[0]) },
	}
	flags.add(command)
	return command
}

func (f *verifyFlags) add(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&f.options.BaseURL, "base-url", "", "`address` that links of a folder begin with (default the one that its records have in common)")
	addChoice(command, &f.options.Links, "links", "link style that is due: ", styleNames(), " (default that of --host, else "+verify.LinksQuery+")")
	flags.Var(&f.host, "host", "`name` of the host: what it cannot keep is told, and is no failure (sivu host lists them)")
	flags.Var((*count)(&f.options.Sample), "sample", "`number` of list pages and of records to open, spread over all (default all)")
	flags.BoolVar(&f.options.Lenient, "lenient", false, "for services that sivu did not make: further keys, another page size and what only sivu decides are notes")
	addChoice(command, &f.variants, "variants", "which variants a folder has: ", []string{allVariants, edgeVariants}, "; the host makes the others")
	flags.Var((*count)(&f.options.Jobs), "jobs", "`number` of requests or files worked on at once (default 4 of an address, two per processor of a folder)")
	flags.Var((*rate)(&f.options.Rate), "rate", "`number` of requests a second at most (default 50, on this machine any number)")
	flags.Var((*timeout)(&f.options.Timeout), "timeout", "`time` that one request may take (default 15s)")
	addChoice(command, &f.format, "format", "how findings are printed: ", verifyFormats(), "")
	flags.BoolVar(&f.quiet, "quiet", false, "print findings only")
	for _, name := range []string{"base-url", "sample", "jobs", "rate", "timeout"} {
		command.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
	command.RegisterFlagCompletionFunc("host", cobra.FixedCompletions(hostNames(), cobra.ShellCompDirectiveNoFileComp))
}

func verifyFormats() []string {
	var names []string
	for _, f := range verify.Formats {
		names = append(names, f.Name)
	}
	return names
}

// isAddress tells an address from the name of a folder.
var isAddress = regexp.MustCompile(`(?i)^https?:/`).MatchString

func (f *verifyFlags) run(command *cobra.Command, target string) error {
	if isAddress(target) && f.options.BaseURL != "" {
		return &hintedError{errors.New("--base-url is for a folder, and an address is given"), "the address is the base address"}
	}
	f.options.NoTwins = f.variants == edgeVariants
	if h := f.host.host; h != nil {
		f.options.Cannot = map[string]string{}
		for _, exception := range h.Cannot {
			f.options.Cannot[exception.Rule] = exception.Why
		}
		if f.options.Links == "" && len(h.Styles) > 0 {
			f.options.Links = h.Styles[0]
		}
	}
	started := time.Now()
	show := f.showProgress(command.ErrOrStderr())
	report, err := verifyTarget(command.Context(), target, f.options)
	show.end()
	var cured *verify.Error
	switch {
	case err == nil:
		return f.show(command, report, time.Since(started))
	case command.Context().Err() != nil:
		return errors.New("interrupted; not all was checked")
	case errors.As(err, &cured):
		return &hintedError{err, cured.Hint}
	}
	return err
}

func verifyTarget(ctx context.Context, target string, o verify.Options) (*verify.Report, error) {
	if isAddress(target) {
		return verify.URL(ctx, target, o)
	}
	// Nothing is followed out of the folder.
	root, err := os.OpenRoot(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &hintedError{fmt.Errorf("folder %s does not exist", diag.Quote(target)), "an address begins with https:// or http://"}
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read as a folder: %w", diag.Quote(target), err)
	}
	defer root.Close()
	if _, err := root.Lstat("pages"); errors.Is(err, fs.ErrNotExist) {
		return nil, &hintedError{fmt.Errorf("%s holds no snapshot: there is no folder pages in it", diag.Quote(target)), "name the folder that sivu build wrote to"}
	}
	return verify.Folder(ctx, root.FS(), o)
}

// show prints a report, and returns errProblems where it decides so.
func (f *verifyFlags) show(command *cobra.Command, r *verify.Report, took time.Duration) error {
	findings, summary := command.ErrOrStderr(), command.OutOrStdout()
	if f.format != verify.Formats[0].Name {
		findings, summary = summary, findings
	}
	format, _ := verify.FormatNamed(f.format) // the flag takes no other name
	err := format.Print(findings, r, hasColor(findings))
	if !f.quiet {
		err = errors.Join(err, printVerified(summary, r, took))
	}
	switch {
	case r.Failed():
		return errProblems
	case errors.Is(err, syscall.EPIPE):
		return nil
	}
	return err
}

// printVerified writes how much was looked at, and what came of it.
func printVerified(w io.Writer, r *verify.Report, took time.Duration) error {
	s := &summary{bufio.NewWriter(w), width(w)}
	failures, notes, exceptions := r.Totals()
	s.row("base", []string{diag.Clean(r.Base)})
	s.row("opened", facts(plural(r.Records, "record"), plural(r.Lists, "list page")))
	if r.Requests > 0 {
		s.row("requests", facts(strconv.Itoa(r.Requests)))
	}
	found := []string{plural(failures, "finding")}
	if notes > 0 {
		found = append(found, plural(notes, "note"))
	}
	if exceptions > 0 {
		found = append(found, plural(exceptions, "exception")+" of the host")
	}
	s.row("found", facts(found...))
	switch {
	case r.Failed():
		fmt.Fprintf(s, "the contract is not kept, found in %s\n", duration(took))
	case exceptions > 0:
		fmt.Fprintf(s, "the contract is kept as far as the host can, found in %s\n", duration(took))
	default:
		fmt.Fprintf(s, "the contract is kept, found in %s\n", duration(took))
	}
	return s.Flush()
}
