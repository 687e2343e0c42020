package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"os/user"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/bucket"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/host"
	"example.org/sivu/generator/tree"
)

const publishText = `publish builds the content folder as sivu build does, and brings a bucket of an
S3-compatible object store to the new snapshot. With --from it builds nothing and
publishes a folder or an archive that was built before: an older one is the
rollback.

Only what differs is sent, by SHA-256 against the tree that the bucket holds: first
records, then the lists that lead to them, so that a client which follows links
meets no missing file. What left the lists stays for --keep-removed and is removed
by the first run after that. Compressed variants are not sent, as a bucket cannot
choose among them. Objects that sivu did not write stay.

The build is for the host s3-compatible, so that links name files: a bucket ignores
the query, and a client of query links would never end. --host names another host
that serves a bucket, as cloudfront, which routes in front of it. A snapshot of --from
keeps the links that it has: those that the host of --host cannot serve are refused,
and without --host query links are a warning.

What the bucket holds is recorded below .sivu/ in it, or where --state says. Leave
that out where the bucket is public. Where it is missing, the bucket is listed. What
somebody else removes or changes in the bucket is not noticed: remove .sivu/ from it,
and the next run looks at every object.

While one publisher is at work, another ends with an error, or waits with --wait. One
that was killed keeps others away until its lease is over; the next one completes
what it left.

Credentials are those that AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the
profile that AWS_PROFILE names, have. Stores other than Amazon's need --endpoint, or
AWS_ENDPOINT_URL.

--on-change runs a command with the addresses on its standard input, one a line,
that a cache has to forget: of files that changed, left the lists or were removed. If
it fails, so does the publication, and the next one tells of them again.

The list of what would be done with --dry-run needs a snapshot, so the output folder
is written all the same.`

// publishHost is the host that publish builds for unless another one is named.
const publishHost = "s3-compatible"

// publishFlags are the flags of sivu publish.
type publishFlags struct {
	buildFlags           // its wait is of the bucket, too
	building    []string // names of the flags that say how to build
	from        string
	store       storeFlags
	keepRemoved time.Duration
	lease       time.Duration
	onChange    string
	dryRun      bool
}

func newPublish() *cobra.Command {
	f := publishFlags{keepRemoved: 10 * time.Minute, lease: time.Minute}
	command := &cobra.Command{
		Use:   "publish s3://BUCKET/PREFIX",
		Short: "build, and bring a bucket to the new snapshot",
		Long:  publishText,
		Example: `  sivu publish s3://my-bucket/v1 --host s3-website --base-url https://www.example.org/v1
  sivu publish s3://my-bucket --from public --dry-run
  sivu publish s3://my-bucket --from public-2026-11-01.tar.zst
  sivu publish s3://my-bucket --endpoint http://127.0.0.1:9000 --region us-east-1
  sivu publish s3://my-bucket --host cloudfront --on-change 'sh deploy/forget.sh'`,
		Args: takes(1, 1, "one argument", "s3://my-bucket/v1"),
		RunE: func(command *cobra.Command, args []string) error { return f.run(command, args[0]) },
	}
	f.add(command)
	f.options.Host, _ = host.Named(publishHost)
	flags := command.Flags()
	flags.Lookup("host").Usage = "`name` of the host that serves the bucket (default " + publishHost + "; sivu host lists them)"
	flags.VisitAll(func(flag *pflag.Flag) {
		if flag.Name != "quiet" {
			f.building = append(f.building, flag.Name)
		}
	})
	flags.StringVar(&f.from, "from", "", "publish this `folder` or archive, which was built before")
	f.store.add(command)
	addKeepRemoved(command, &f.keepRemoved, "objects")
	addTime(command, &f.lease, "lease", "for this `time` a publisher that was killed keeps others away", 0, math.MaxInt64, anyTime)
	flags.StringVar(&f.onChange, "on-change", "", "run this shell `command` with the addresses that changed or were removed on its standard input")
	flags.BoolVar(&f.dryRun, "dry-run", false, "say how many requests and bytes would be sent, and send nothing")
	flags.BoolVar(&f.wait, "wait", false, "wait while another build is at work on the output folder, or another publisher on the bucket")
	command.RegisterFlagCompletionFunc("from", cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault))
	return command
}

func (f *publishFlags) run(command *cobra.Command, address string) error {
	o, err := f.prepare(command, address)
	if err != nil {
		return err
	}
	var addresses func(file string) []string
	if f.from == "" {
		result, err := f.build(command)
		if err != nil {
			return err
		}
		f.from, addresses = f.options.Out, result.Addresses
	}
	source, closeSource, err := openSnapshot(command, f.from, f.wait)
	if err != nil {
		return err
	}
	defer closeSource()
	if addresses == nil {
		addresses, err = f.addressesOf(command, source)
		if _, refused := errors.AsType[*host.Refusal](err); refused || err != nil && f.onChange != "" {
			return err
		}
	}
	return f.publish(command, source, o, addresses)
}

// prepare finds out, before anything is built, whether it can be published.
func (f *publishFlags) prepare(command *cobra.Command, address string) (bucket.Options, error) {
	changed := command.Flags().Changed
	o, err := f.store.open(command, address)
	switch {
	case err != nil:
		return o, err
	case changed("from") && f.from == "":
		return o, errors.New("--from needs the name of a folder or an archive")
	case changed("on-change") && strings.TrimSpace(f.onChange) == "":
		return o, errors.New("--on-change needs a command")
	case f.lease < time.Second:
		return o, hinted("give at least 1s; a minute is enough for a network that fails now and then", "--lease is too short")
	}
	building := slices.DeleteFunc(slices.Clone(f.building), func(name string) bool {
		// The form of addresses is needed of what was built, too; and a host judges it.
		return name == "host" || f.onChange != "" && (name == "base-url" || name == "links")
	})
	if other := firstChanged(command, building...); other != "" && f.from != "" {
		return o, hinted("give one of the two", "--from publishes what was built, and --%s is about a build", other)
	}
	if err := f.options.Host.CheckBucket(); err != nil {
		return o, err
	}
	for _, h := range host.ObjectHeaders {
		o.Headers = append(o.Headers, bucket.NamedHeaders{Name: h.Name, Headers: bucket.Headers{ContentType: h.ContentType, CacheControl: h.CacheControl}})
	}
	o.KeepRemoved, o.Lease, o.DryRun, o.By = f.keepRemoved, f.lease, f.dryRun, whoAmI()
	return o, nil
}

// storeFlags are the flags that say where an object store is.
type storeFlags struct {
	s3    bucket.S3Options
	state string
}

func (f *storeFlags) add(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&f.state, "state", "", "`address` of the state, as in s3://other-bucket/v1 (default .sivu below the prefix)")
	flags.StringVar(&f.s3.Endpoint, "endpoint", "", "`address` of an object store that is not Amazon's (also AWS_ENDPOINT_URL)")
	flags.StringVar(&f.s3.Region, "region", "", "`region` of the bucket (also AWS_REGION)")
}

// open opens the store of an address, and that of its state. Nothing is asked of them.
func (f *storeFlags) open(command *cobra.Command, address string) (o bucket.Options, err error) {
	if o.At, err = bucket.ParseAddress(address); err != nil {
		return o, err
	}
	o.StateAt = bucket.Address{Bucket: o.At.Bucket, Prefix: o.At.Key(".sivu")}
	if command.Flags().Changed("state") {
		if o.StateAt, err = bucket.ParseAddress(f.state); err != nil {
			return o, fmt.Errorf("--state: %w", err)
		}
	}
	if o.Store, err = bucket.OpenS3(o.At.Bucket, f.s3); err != nil {
		return o, err
	}
	o.State = o.Store
	if o.StateAt.Bucket != o.At.Bucket {
		o.State, err = bucket.OpenS3(o.StateAt.Bucket, f.s3)
	}
	return o, err
}

// addressesOf returns a function for the addresses of each file of a snapshot that was
// built before. The form of addresses comes from flags, or else from the first list page.
// Links that the named host cannot serve are refused; where none is named, they are a
// warning.
func (f *publishFlags) addressesOf(command *cobra.Command, s tree.Snapshot) (func(file string) []string, error) {
	first, err := s.Read(api.FirstListPath(api.Plain))
	if err != nil {
		return nil, fmt.Errorf("cannot read the first list page: %w", err)
	}
	possible, err := api.FindLinks(first)
	if err != nil {
		return nil, err
	}
	var links api.Links
	if len(possible) > 0 {
		links = possible[len(possible)-1] // of one list page the address is the same in both styles of files
	}
	if err := f.options.Host.Check(&host.Config{Links: links.Style.Name}); err != nil && len(possible) > 0 {
		if command.Flags().Changed("host") {
			return nil, err
		}
		say(command.ErrOrStderr(), "sivu: warning: the snapshot has %s links, which a bucket cannot serve: "+
			"name the host in front of it that routes on the query, as in --host cloudfront", links.Style.Name)
	}
	if err := f.findBase(command); err != nil {
		return nil, err
	}
	if f.options.BaseURL != "" {
		links.Base = strings.TrimSuffix(f.options.BaseURL, "/")
	}
	if f.options.Links != "" {
		links.Style, _ = api.StyleNamed(f.options.Links)
	}
	if links.Base == "" {
		return nil, hinted("give --base-url", "the snapshot has no record that tells its base address, which --on-change needs")
	}
	return links.Addresses, nil
}

func (f *publishFlags) publish(command *cobra.Command, s tree.Snapshot, o bucket.Options, addresses func(file string) []string) error {
	started, ctx, stderr := time.Now(), command.Context(), command.ErrOrStderr()
	if f.wait {
		o.OnWait = func(busy *bucket.BusyError) {
			say(stderr, "waiting for another publisher on %s, %s; Ctrl-C ends the waiting", o.At, diag.Clean(busy.By))
		}
	}
	if f.onChange != "" {
		o.OnPublished = func(ctx context.Context, changed, removed []api.Path) error {
			return f.tell(ctx, stderr, slices.Concat(changed, removed), addresses)
		}
	}
	screen := newScreen(command, f.quiet, f.format, "")
	o.Progress = screen.Report
	r, err := bucket.Publish(ctx, s, o)
	screen.end()
	var busy *bucket.BusyError
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return interrupted(ctx, err, "the publication is not complete; the next sivu publish completes it")
	case errors.As(err, &busy):
		return &hintedError{err, "wait until it ends, or let --wait do so"}
	default:
		return err
	}
	if r.Unconditional {
		screen.warn("the object store does not honour conditional writes, so two publishers at the same time are not kept apart: see to it that there is one")
	}
	return ending(false, screen.summarize(func(s *summary) { s.published(r, o, time.Since(started)) }))
}

// tell runs the command of --on-change. Its output goes to standard error.
func (f *publishFlags) tell(ctx context.Context, stderr io.Writer, files []api.Path, addresses func(file string) []string) error {
	c := exec.CommandContext(ctx, "sh", "-c", f.onChange)
	if runtime.GOOS == "windows" {
		c = exec.CommandContext(ctx, "cmd", "/C", f.onChange)
	}
	c.Stdout, c.Stderr = stderr, stderr
	pipe, err := c.StdinPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		return fmt.Errorf("cannot run the command of --on-change: %w", err)
	}
	lines := bufio.NewWriter(pipe)
	for _, path := range files {
		for _, address := range addresses(path.String()) {
			fmt.Fprintln(lines, address)
		}
	}
	lines.Flush() // a command need not read them all
	pipe.Close()
	if err := c.Wait(); err != nil {
		return hinted("mend it and publish again: it is told of the same addresses",
			"the snapshot is in the bucket, but the command of --on-change failed: %w", err)
	}
	return nil
}

// published writes what a publication found and did.
func (s *summary) published(r *bucket.Result, o bucket.Options, took time.Duration) {
	s.facts("objects", fmt.Sprint(r.Files), byteSize(r.Bytes))
	s.facts("changes", fmt.Sprintf("%d added", r.Added), fmt.Sprintf("%d changed", r.Changed),
		fmt.Sprintf("%d no longer listed", r.Left), fmt.Sprintf("%d unchanged", r.Unchanged))
	s.row("listed", diag.Clean(r.Rebuilt))
	s.row("completed", when(r.TookOver != "", "a publication that did not end, of "+diag.Clean(r.TookOver)))
	s.row("removed", when(r.Removed > 0, plural(r.Removed, "object")))
	s.row("kept", when(r.Kept > 0, plural(r.Kept, "object")+" no longer listed, for clients with older lists; a run after "+r.KeptSince.Add(o.KeepRemoved).Format(time.DateTime)+" removes the first"))
	s.facts("requests", fmt.Sprint(r.Requests), byteSize(r.Sent))
	if o.DryRun {
		fmt.Fprintf(s, "dry run: nothing sent to %s (%s)\n", o.At, duration(took))
	} else {
		fmt.Fprintf(s, "published to %s in %s\n", o.At, duration(took))
	}
}

// whoAmI names this publisher to others.
func whoAmI() string {
	name, machine := "somebody", "a machine without a name"
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	if h, err := os.Hostname(); err == nil {
		machine = h
	}
	return fmt.Sprintf("%s on %s, process %d", name, machine, os.Getpid())
}
