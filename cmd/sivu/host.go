package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/baseurl"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/host"
)

// hostSettings are the flags of sivu host.
type hostSettings struct {
	pages    pageFlags // of these the base address and the link style
	config   host.Config
	variants string
	snapshot string
	out      string
	force    bool
	format   string
}

func newHost() *cobra.Command {
	flags := hostSettings{format: "text"}
	command := &cobra.Command{
		Use:   "host [NAME]",
		Short: "list hosts, or configure one",
		Long: `host lists the ways to serve a snapshot and what each can keep of the contract.

With the name of one it makes its configuration: files for the server, files that
lie in the snapshot, the upload, and samples for CI. With --out it writes them and
prints where each goes; without it prints all of them, as one txtar archive.

A file that is there already and differs is only replaced with --force.`,
		Example: `  sivu host
  sivu host nginx --base-url https://api.example.org --root /srv/api --out deploy
  sivu host cloudflare-pages --base-url https://api.example.org --out deploy`,
		Args: func(command *cobra.Command, args []string) error {
			if len(args) > 1 {
				return oneArgument("nginx")(command, args)
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return describedHosts(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(command *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listHosts(command, &flags)
			}
			return configureHost(command, args[0], &flags)
		},
	}
	flags.add(command)
	return command
}

func (f *hostSettings) add(command *cobra.Command) {
	flags := command.Flags()
	f.pages.addLinks(command)
	flags.Lookup("base-url").Usage = "`address` at which the snapshot will be served (also " + baseVariable + ")"
	flags.Lookup("links").Usage = "link style: " + choices(styleNames()) + " (default what suits the host)"
	flags.StringVar(&f.config.Root, "root", "", "`folder` of the snapshot on the server")
	flags.StringVar(&f.config.Listen, "listen", "", "`address` that the server listens on, as in 127.0.0.1:8080")
	flags.StringVar(&f.config.Origin, "origin", "", "`address` of the file server that a cache stands before")
	addVariants(command, &f.variants, "which variants of answers are written: ")
	flags.StringVar(&f.snapshot, "snapshot", "", "`folder` of a snapshot, to count its list pages, and check limits and links")
	flags.StringVar(&f.out, "out", "", "`folder` to write to")
	flags.BoolVar(&f.force, "force", false, "replace files that differ")
	addChoice(command, &f.format, "format", "how the answer is printed: ", []string{"text", "json"}, "")
	for _, name := range []string{"root", "snapshot", "out"} {
		command.MarkFlagDirname(name)
	}
}

// findHost returns the host of that name, or an error with the nearest one.
func findHost(name string) (*host.Host, error) {
	h, ok := host.Named(name)
	if !ok {
		return nil, &hintedError{
			fmt.Errorf("unknown host %s", diag.Quote(name)),
			didYouMean(name, hostNames(), "", "sivu host lists the hosts"),
		}
	}
	return h, nil
}

// listHosts takes no flag that is for one host.
func listHosts(command *cobra.Command, f *hostSettings) error {
	for _, name := range []string{"base-url", "links", "root", "listen", "origin", "variants", "snapshot", "out", "force"} {
		if command.Flags().Changed(name) {
			return &hintedError{fmt.Errorf("--%s is for one host", name), "name it, as in sivu host nginx; sivu host lists them"}
		}
	}
	if f.format == "json" {
		return printJSON(command.OutOrStdout(), mapped(host.Hosts, describeHost))
	}
	out := command.OutOrStdout()
	return printHosts(out, min(width(out), helpColumns))
}

func configureHost(command *cobra.Command, name string, f *hostSettings) error {
	h, err := findHost(name)
	if err != nil {
		return err
	}
	if command.Flags().Changed("out") && f.out == "" {
		return errors.New("--out needs the name of a folder")
	}
	if err := f.complete(command, h); err != nil {
		return err
	}
	var broken []string
	if f.snapshot != "" {
		if broken, err = f.measure(h); err != nil {
			return err
		}
	}
	files, err := hostFiles(h, &f.config)
	if err != nil {
		return err
	}
	if f.out != "" {
		if err := writeHostFiles(f.out, files, f.force); err != nil {
			return err
		}
	}
	if err := printHostFiles(command.OutOrStdout(), h, f, files); err != nil {
		return err
	}
	for _, message := range broken {
		say(command.ErrOrStderr(), "limit: %s", message)
	}
	if len(broken) > 0 {
		return errProblems
	}
	return nil
}

// complete makes a configuration of the flags, and asks the host whether it can
// do that.
func (f *hostSettings) complete(command *cobra.Command, h *host.Host) error {
	if err := f.pages.findBase(command); err != nil {
		return err
	}
	if f.pages.options.BaseURL == "" {
		return &hintedError{errors.New("there is no base address"), "give --base-url or " + baseVariable + ", as in https://api.example.fi"}
	}
	var err error
	if f.config.Base, err = baseurl.Parse(f.pages.options.BaseURL); err != nil {
		return err
	}
	f.config.Links = f.pages.options.Links
	if f.config.Links == "" {
		f.config.Links = h.Styles()[0]
	}
	f.config.Edge = f.variants == edgeVariants
	return h.Check(&f.config)
}

// measure counts the list pages of the snapshot and returns the limits of the
// host that it breaks. A snapshot whose links do not fit is an error.
func (f *hostSettings) measure(h *host.Host) ([]string, error) {
	manifest, err := readManifest(f.snapshot)
	if err != nil {
		return nil, err
	}
	first, err := os.ReadFile(filepath.Join(f.snapshot, "pages", "index.json"))
	if err != nil {
		return nil, fmt.Errorf("cannot read the first list page: %w", err)
	}
	if err := h.Fits(&f.config, first); err != nil {
		return nil, err
	}
	var load host.Load
	inPages := map[string]bool{}
	for entry := range manifest.All() {
		name := entry.Path.String()
		if !isSent(h, name) {
			continue
		}
		load.Files++
		load.Bytes += int64(entry.Size)
		load.Largest = max(load.Largest, int64(entry.Size))
		if rest, ok := strings.CutPrefix(name, "pages/"); ok {
			first, _, _ := strings.Cut(rest, "/")
			inPages[first] = true
		}
		f.config.ListPages = max(f.config.ListPages, entry.Path.Number())
	}
	load.InFolder = len(inPages)
	return h.Exceeds(load), nil
}

// isSent reports whether a file gets to the host: compressed siblings stay behind
// where it has no use for them.
func isSent(h *host.Host, path string) bool {
	for _, name := range api.Codings {
		if strings.HasSuffix(path, "."+name) {
			return slices.Contains(h.Codings, name)
		}
	}
	return true
}

// hostFiles returns all files of a host: those in the snapshot, those beside it,
// and the upload.
func hostFiles(h *host.Host, c *host.Config) ([]host.File, error) {
	var files []host.File
	for _, produce := range []func(*host.Config) ([]host.File, error){h.RootFiles, h.ConfigFiles, h.UploadFiles} {
		more, err := produce(c)
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	return files, nil
}
