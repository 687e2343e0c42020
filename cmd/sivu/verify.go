package main

import (
	"cmp"
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
		Args:              takes(0, 1, "only one folder or address", "public"),
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
	addNumber(command, &f.options.Sample, "sample", "`number` of list pages and of records to open, spread over all (default all)", 10_000)
	flags.BoolVar(&f.options.Lenient, "lenient", false, "for services that sivu did not make: further keys, another page size and what only sivu decides are notes")
	addVariants(command, &f.variants, "which variants a folder has: ")
	addJobs(command, &f.options.Jobs, "`number` of requests or files worked on at once (default 4 of an address, two per processor of a folder)")
	flags.Func("rate", "maximum `requests` per second (default 50; unlimited on loopback)", func(text string) error {
		const most = 100_000
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || !(n > 0 && n <= most) {
			return fmt.Errorf("give a number above 0, and at most %d", most)
		}
		f.options.Rate = n
		return nil
	})
	const wanted = "give a time such as 500ms, 15s or 2m, at most "
	addTime(command, &f.options.Timeout, "timeout", "`time` that one request may take (default 15s)", time.Millisecond, time.Hour, wanted+"an hour")
	addTime(command, &f.options.MaxTime, "max-time", "`time` that all may take (default 10m, and 100 ms for each of --max-requests; longer with a low --rate or --jobs)",
		time.Millisecond, 2000*time.Hour, wanted+"2000h")
	addNumber(command, &f.options.MaxRequests, "max-requests", "`number` of requests to make (default 1000, and 8 for each record)", 1e15)
	addNumber(command, &f.options.MaxBytes, "max-bytes", "`number` of bytes to read, compressed ones also as they are unpacked (default 1 GiB, and 256 KiB for each record)", 1e15)
	addChoice(command, &f.format, "format", "how findings are printed: ", mapped(verify.Formats, func(f verify.Format) string { return f.Name }), "")
	flags.BoolVar(&f.quiet, "quiet", false, "print findings only")
}

func (f *verifyFlags) run(command *cobra.Command, target string) error {
	f.options.PlainOnly = f.variants == edgeVariants
	if h := f.host; h != nil {
		if err := h.Check(&host.Config{Links: f.options.Links, Edge: f.options.PlainOnly}); err != nil {
			return err
		}
		f.options.Host, f.options.Styles = h.Name, h.Styles()
		f.options.Cannot = map[string]string{}
		for _, exception := range h.Cannot {
			f.options.Cannot[exception.Rule] = exception.Why
		}
		f.options.Links = cmp.Or(f.options.Links, h.Styles()[0])
	}
	work.LimitGarbage(28 << 20) // whatever a service sends, 200 MB are enough
	// net/http logs responses that nobody asked for.
	log.SetOutput(io.Discard)
	started, ctx := time.Now(), command.Context()
	screen := newScreen(command, f.quiet, f.format, "checking ")
	f.options.Progress = screen.Report
	r, err := verifyTarget(ctx, target, f.options)
	screen.end()
	switch {
	case err != nil && ctx.Err() != nil:
		return errors.New("interrupted; not all was checked")
	case err != nil:
		return err
	}
	format, _ := verify.FormatNamed(f.format) // the flag takes no other name
	err = screen.findings(func(w io.Writer, color bool) error { return format.Print(w, r, color) })
	took := time.Since(started)
	return ending(r.Failed(), errors.Join(err, screen.summarize(func(s *summary) { s.verified(r, took) })))
}

// verified writes the summary of a verification.
func (s *summary) verified(r *verify.Report, took time.Duration) {
	failures, notes, exceptions := r.Totals()
	s.row("base", cmp.Or(diag.Clean(r.Base), "none: no record has an address"))
	opened := plural(r.Records, "record")
	if r.Sample > 0 && r.Count >= 0 {
		opened = fmt.Sprintf("%d of %s", r.Records, plural(r.Count, "record"))
	}
	s.facts("opened", opened, plural(r.Lists, "list page"))
	s.row("requests", when(r.Requests > 0, strconv.Itoa(r.Requests)))
	s.row("kept", when(r.Kept > 0, plural(r.Kept, "file")+" for clients of older lists"))
	s.facts("found", plural(failures, "finding"), when(notes > 0, plural(notes, "note")),
		when(exceptions > 0, plural(exceptions, "exception")+" of the host"))
	fmt.Fprintf(s, "%s, checked in %s\n", verdict(r, failures, exceptions), duration(took))
}

// verdict is the result of a verification. A sample proves nothing about the rest.
func verdict(r *verify.Report, failures, exceptions int) string {
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

	// namesUser finds an address without a scheme that may hold a password.
	namesUser = regexp.MustCompile(`^[^/@]+:[^/@]*@`).MatchString

	// hostLike splits an address without a scheme into host, port and path.
	hostLike = regexp.MustCompile(`^((?i:\[[0-9a-f:]+\]|[a-z0-9-]+(?:\.[a-z0-9-]+)*))(:[0-9]+)?(?:/.*)?$`)
)

// check refuses flags that would have no effect on the target, or no sense.
func (f *verifyFlags) check(command *cobra.Command, target string) error {
	kind, idle, hint := "a folder", []string{"rate", "timeout", "max-requests", "max-bytes", "max-time"}, "nothing is requested from a folder; leave it out"
	if isAddress(target) {
		kind, idle, hint = "an address", []string{"variants"}, "an address has to answer in both variants; leave it out"
		if command.Flags().Changed("base-url") {
			return hinted("the address is the base address", "--base-url is for a folder, and an address is given")
		}
	}
	if name := firstChanged(command, idle...); name != "" {
		return hinted(hint, "--%s has no meaning for %s", name, kind)
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
// There are none where no manifest can be read, as after an upload.
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

// hintMissing returns the hint for a folder that does not exist: an address may be meant.
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
