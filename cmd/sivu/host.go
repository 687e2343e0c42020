package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/sivu/generator"
	"example.org/sivu/generator/api"
	"example.org/sivu/generator/baseurl"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/host"
)

// hostSettings are the flags of sivu host.
type hostSettings struct {
	pageFlags // of these the content folder, the base address, the link style and the format
	config    host.Config
	variants  string
	snapshot  string
	out       string
	force     bool
}

func newHost() *cobra.Command {
	flags := hostSettings{pageFlags: pageFlags{format: "text"}}
	command := &cobra.Command{
		Use:   "host [NAME]",
		Short: "list hosts, or configure one",
		Long: `host lists the ways to serve a snapshot and what each can keep of the contract.

With the name of one it makes its configuration: files for the server, files that
lie in the snapshot, the upload, and samples for CI. With --out it writes them and
prints where each goes; without it prints all of them, as one txtar archive. What the
host cannot keep of the contract stands before that, and why.

A file that is there already and differs is only replaced with --force.`,
		Example: `  sivu host
  sivu host nginx --base-url https://api.example.org --root /srv/api --out deploy
  sivu host cloudflare-pages --base-url https://api.example.org --out deploy`,
		Args: takes(0, 1, "one argument", "nginx"),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return describedHosts(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(command *cobra.Command, args []string) error {
			if len(args) == 0 {
				return flags.list(command)
			}
			return flags.configure(command, args[0])
		},
	}
	flags.add(command)
	return command
}

func (f *hostSettings) add(command *cobra.Command) {
	flags := command.Flags()
	f.addContent(command)
	f.addLinks(command)
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

// list prints all hosts. It takes no flag that is for one host.
func (f *hostSettings) list(command *cobra.Command) error {
	if name := otherChanged(command, "format"); name != "" {
		return hinted("name it, as in sivu host nginx; sivu host lists them", "--%s is for one host", name)
	}
	out := command.OutOrStdout()
	if f.format == "json" {
		return printJSON(out, mapped(host.Hosts, describeHost))
	}
	return printHosts(out, min(width(out), helpColumns))
}

// configure makes the configuration of one host, and writes or prints it. The error is
// errProblems where the snapshot breaks a limit of the host.
func (f *hostSettings) configure(command *cobra.Command, name string) error {
	h, ok := host.Named(name)
	if !ok {
		return hinted(didYouMean(name, hostNames(), "", "sivu host lists the hosts"), "unknown host %s", diag.Quote(name))
	}
	if command.Flags().Changed("out") && f.out == "" {
		return errors.New("--out needs the name of a folder")
	}
	err := f.complete(command, h)
	if err != nil {
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
	err = f.print(command.OutOrStdout(), h, files)
	for _, message := range broken {
		say(command.ErrOrStderr(), "limit: %s", message)
	}
	return ending(len(broken) > 0, err)
}

// complete fills in the configuration, and checks that the host can serve it.
func (f *hostSettings) complete(command *cobra.Command, h *host.Host) (err error) {
	if err := f.findBase(command); err != nil {
		return err
	}
	o := &f.options
	if o.BaseURL == "" {
		if o.BaseURL, err = generator.SiteBase(*o); err != nil && firstChanged(command, "content", "site") != "" {
			return err // else there need be no content folder
		}
	}
	if o.BaseURL == "" {
		return hinted("give --base-url or "+baseVariable+", as in https://api.example.fi, or base_url in site.yaml", "there is no base address")
	}
	if f.config.Base, err = baseurl.Parse(o.BaseURL); err != nil {
		return err
	}
	f.config.Links = cmp.Or(o.Links, h.Styles()[0])
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
		if coding := entry.Path.Coding(); coding > 0 && !slices.Contains(h.Codings, api.Codings[coding-1]) {
			continue // the host has no use for it, so it is not uploaded
		}
		load.Files++
		load.Bytes += int64(entry.Size)
		load.Largest = max(load.Largest, int64(entry.Size))
		if rest, ok := strings.CutPrefix(entry.Path.String(), "pages/"); ok {
			first, _, _ := strings.Cut(rest, "/")
			inPages[first] = true
		}
		f.config.ListPages = max(f.config.ListPages, entry.Path.Number())
	}
	load.InFolder = len(inPages)
	return h.Exceeds(load), nil
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
