package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"log"
	"net"
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"example.org/sivu/generator/baseurl"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/folder"
	"example.org/sivu/generator/host"
	"example.org/sivu/generator/verify"
	"example.org/sivu/generator/work"
)

// verifyFlags are the flags of verify.
type verifyFlags struct {
	options  verify.Options
	host     *host.Host
	variants string
	format   string
	quiet    bool
}

func newVerify() *cobra.Command {
	flags := verifyFlags{format: verify.Formats[0].Name}
	command := &cobra.Command{
		Use:   "verify [FOLDER|URL]",
		Short: "prove that a snapshot, or a live address, keeps the contract",
		Long: `verify reads a snapshot in a folder (default ` + defaultOut + `), or the answers of a
live address, as a client would: it walks all list pages by next and back by previous, opens every
record, in both variants, and checks every sentence of the contract. At an
address it also tries other methods, parameters, unknown pages, headers, and
conditional and compressed requests.

It requests nothing outside the address, few addresses at once, and at most --rate
per second. Budgets limit the requests, bytes and time of a verification. They
grow with count, as far as records are shown, and suffice for an honest service
of up to ` + strconv.Itoa(verify.MostRecords) + ` records; a larger one takes --sample or --max-requests.
When one is used up, verify ends with a finding that says what was not checked.

Findings go to standard error as text, and to standard output in any other
format.

Exit status: 0 the contract is kept, 1 it is not, 2 verify could not run.`,
		Example: `  sivu verify public
  sivu verify https://api.example.org --sample 100
  sivu verify https://api.example.org --host netlify-redirects --format json`,
		Args:              atMostOne("folder or address", "public"),
		ValidArgsFunction: completeFolder,
		RunE: func(command *cobra.Command, args []string) error {
			target := defaultOut
			if len(args) > 0 {
				target = args[0]
			}
			if err := flags.check(command, target); err != nil {
				return err
			}
			return flags.run(command, target)
		},
	}
	flags.add(command)
	return command
}

func (f *verifyFlags) add(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&f.options.BaseURL, "base-url", "", "`address` that links of a folder begin with (default the one that its records have in common)")
	addChoice(command, &f.options.Links, "links", "link style that is due: ", styleNames(), " (default that of --host, else "+verify.LinksQuery+")")
	addHost(command, &f.host, "`name` of the host: its documented exceptions are reported and do not fail (sivu host lists the hosts)")
	addCount(command, "sample", &f.options.Sample, "`number` of list pages and of records to open, spread over all (default all)")
	flags.BoolVar(&f.options.Lenient, "lenient", false, "for services that sivu did not make: further keys, another page size and what only sivu decides are notes")
	addVariants(command, &f.variants, "which variants a folder has: ")
	addCount(command, "jobs", &f.options.Jobs, "`number` of requests or files worked on at once (default 4 of an address, two per processor of a folder)")
	flags.Func("rate", "maximum `requests` per second (default 50; unlimited on loopback)", func(text string) error {
		const most = 100_000
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || !(n > 0 && n <= most) {
			return fmt.Errorf("give a number above 0, and at most %d", most)
		}
		f.options.Rate = n
		return nil
	})
	flags.Func("timeout", "`time` that one request may take (default 15s)", setTime(&f.options.Timeout, time.Hour, "an hour"))
	flags.Func("max-requests", "`number` of requests to make (default 1000, and 8 for each record)", setAmount(&f.options.MaxRequests))
	flags.Func("max-bytes", "`number` of bytes to read, compressed ones also as they are unpacked (default 1 GiB, and 256 KiB for each record)", setAmount(&f.options.MaxBytes))
	flags.Func("max-time", "`time` that all may take (default 10m, and 100 ms for each of --max-requests; longer with a low --rate or --jobs)", setTime(&f.options.MaxTime, 2000*time.Hour, "2000h"))
	addChoice(command, &f.format, "format", "how findings are printed: ", verifyFormats(), "")
	flags.BoolVar(&f.quiet, "quiet", false, "print findings only")
}

// setTime returns how a flag sets a time, at most so long; name is that of most.
func setTime(to *time.Duration, most time.Duration, name string) func(string) error {
	return func(text string) error {
		d, err := time.ParseDuration(text)
		if err != nil || d < time.Millisecond || d > most {
			return fmt.Errorf("give a time such as 500ms, 15s or 2m, at most %s", name)
		}
		*to = d
		return nil
	}
}

// setAmount returns how a flag sets a large number from 1.
func setAmount(to *int64) func(string) error {
	return func(text string) error {
		const most = 1e15
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 1 || n > most {
			return fmt.Errorf("give a number from 1 to %d", int64(most))
		}
		*to = n
		return nil
	}
}

func verifyFormats() []string {
	return mapped(verify.Formats, func(f verify.Format) string { return f.Name })
}

func (f *verifyFlags) run(command *cobra.Command, target string) error {
	f.options.PlainOnly = f.variants == edgeVariants
	if h := f.host; h != nil {
		f.options.Cannot = map[string]string{}
		for _, exception := range h.Cannot {
			f.options.Cannot[exception.Rule] = exception.Why
		}
		if f.options.Links == "" && len(h.Styles) > 0 {
			f.options.Links = h.Styles[0]
		}
	}
	work.LimitGarbage(28 << 20) // whatever a service sends, 200 MB are enough
	// net/http logs what a service sends without being asked.
	log.SetOutput(io.Discard)
	started := time.Now()
	show := showStages(command.ErrOrStderr(), f.quiet || f.format != verifyFormats()[0], "checking ")
	f.options.Progress = show.report
	report, err := verifyTarget(command.Context(), target, f.options)
	show.end()
	switch {
	case err == nil:
		return f.show(command, report, time.Since(started))
	case command.Context().Err() != nil:
		return errors.New("interrupted; not all was checked")
	}
	return err
}

// show prints a report, and returns errProblems where it decides so.
func (f *verifyFlags) show(command *cobra.Command, r *verify.Report, took time.Duration) error {
	findings, summary := command.ErrOrStderr(), command.OutOrStdout()
	if f.format != verify.Formats[0].Name {
		findings, summary = summary, findings
	}
	format, _ := verify.FormatNamed(f.format) // the flag takes no other name
	write := func(w io.Writer) error { return format.Print(w, r, hasColor(findings)) }
	var err error
	if format.Name == verify.Formats[0].Name {
		err = toPeople(findings, write)
	} else {
		err = write(findings)
	}
	if !f.quiet {
		err = errors.Join(err, toPeople(summary, func(w io.Writer) error { return printVerified(w, width(summary), r, took) }))
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
func printVerified(w io.Writer, columns int, r *verify.Report, took time.Duration) error {
	s := &summary{bufio.NewWriter(w), columns}
	failures, notes, exceptions := r.Totals()
	base := []string{diag.Clean(r.Base)}
	if r.Base == "" {
		base = strings.Fields("none: no record has an address")
	}
	s.row("base", base)
	s.row("opened", facts(openedRecords(r), plural(r.Lists, "list page")))
	if r.Requests > 0 {
		s.row("requests", facts(strconv.Itoa(r.Requests)))
	}
	if r.Kept > 0 {
		s.row("kept", strings.Fields(plural(r.Kept, "file")+" for clients of older lists"))
	}
	found := []string{plural(failures, "finding")}
	if notes > 0 {
		found = append(found, plural(notes, "note"))
	}
	if exceptions > 0 {
		found = append(found, plural(exceptions, "exception")+" of the host")
	}
	s.row("found", facts(found...))
	fmt.Fprintf(s, "%s, checked in %s\n", verdict(r, exceptions), duration(took))
	return s.Flush()
}

// openedRecords says how many records were opened, and where a sample was asked
// for, of how many.
func openedRecords(r *verify.Report) string {
	if r.Sample == 0 || r.Count < 0 {
		return plural(r.Records, "record")
	}
	return fmt.Sprintf("%d of %s", r.Records, plural(r.Count, "record"))
}

// verdict is what came of a verification. A sample proves nothing about what it
// left out.
func verdict(r *verify.Report, exceptions int) string {
	failures, _, _ := r.Totals()
	switch {
	case r.Unfinished && failures == 1:
		return "not all was checked"
	case r.Unfinished:
		return "the contract is not kept, and not all was checked"
	case r.Failed():
		return "the contract is not kept"
	case r.Sample > 0 && r.Records < r.Count && exceptions > 0:
		return "nothing found in the sample but what the host cannot keep"
	case r.Sample > 0 && r.Records < r.Count:
		return "nothing found in the sample"
	case exceptions > 0:
		return "the contract is kept as far as the host can"
	}
	return "the contract is kept"
}

var (
	// isAddress tells an address from the name of a folder. A scheme of one
	// letter is a drive of Windows.
	isAddress = regexp.MustCompile(`^(?i:https?:|[a-z][a-z0-9+.-]+://)`).MatchString

	// namesUser tells what was meant for an address and may hold a password.
	namesUser = regexp.MustCompile(`^[^/@]+:[^/@]*@`).MatchString

	// hostLike takes apart what may be an address without its scheme: host,
	// port, and maybe a path.
	hostLike = regexp.MustCompile(`^((?i:\[[0-9a-f:]+\]|[a-z0-9-]+(?:\.[a-z0-9-]+)*))(:[0-9]+)?(?:/.*)?$`)
)

// check refuses flags that would have no effect on the target, or no sense.
func (f *verifyFlags) check(command *cobra.Command, target string) error {
	kind, idle, hint := "a folder", []string{"rate", "timeout", "max-requests", "max-bytes", "max-time"}, "nothing is requested from a folder; leave it out"
	if isAddress(target) {
		kind, idle, hint = "an address", []string{"variants"}, "an address has to answer in both variants; leave it out"
		if command.Flags().Changed("base-url") {
			return &hintedError{errors.New("--base-url is for a folder, and an address is given"), "the address is the base address"}
		}
	}
	for _, name := range idle {
		if command.Flags().Changed(name) {
			return &hintedError{fmt.Errorf("--%s has no meaning for %s", name, kind), hint}
		}
	}
	if !command.Flags().Changed("base-url") {
		return nil
	}
	base, err := baseurl.Parse(f.options.BaseURL)
	if err != nil {
		return fmt.Errorf("--base-url %w", err)
	}
	f.options.BaseURL = base.String()
	return nil
}

func verifyTarget(ctx context.Context, target string, o verify.Options) (*verify.Report, error) {
	if isAddress(target) || namesUser(target) {
		return verify.URL(ctx, target, o)
	}
	if err := checkBuilt(target, hintMissing(target)); err != nil {
		return nil, err
	}
	release, err := folder.Hold(target)
	if err != nil {
		return nil, err
	}
	defer release()
	// Nothing is followed out of the folder.
	root, err := os.OpenRoot(target)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read as a folder: %w", diag.Quote(target), err)
	}
	defer root.Close()
	if _, err := root.Lstat("pages"); errors.Is(err, fs.ErrNotExist) {
		return nil, noSnapshot(target, "there is no folder pages in it")
	}
	o.Kept = keptFiles(target)
	return verify.Folder(ctx, root.FS(), o)
}

// keptFiles are the files that left the snapshot in a folder and stay for a while.
// Where no manifest can be read, as after an upload, there are none: sivu did not
// keep what lies there.
func keptFiles(name string) iter.Seq[string] {
	manifest, err := folder.ReadManifest(name)
	if err != nil {
		return nil
	}
	kept, _ := manifest.RetainedFiles() // ReadManifest has checked them
	return func(yield func(string) bool) {
		for _, f := range kept {
			if !yield(f.Path.String()) {
				return
			}
		}
	}
}

// hintMissing says what may have been meant by a folder that does not exist.
func hintMissing(target string) string {
	parts := hostLike.FindStringSubmatch(target)
	if parts == nil {
		return hintBuilt
	}
	name, port := strings.Trim(strings.ToLower(parts[1]), "[]"), parts[2]
	switch {
	case name == "localhost", net.ParseIP(name) != nil:
		return "if an address is meant, write http://" + target
	case strings.Contains(name, "."), port != "":
		return "if an address is meant, write https://" + target
	}
	return hintBuilt
}
