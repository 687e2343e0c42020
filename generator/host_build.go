package generator

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/folder"
	"example.org/sivu/generator/host"
)

// HostLimit is told before anyone uploads: most makers refuse such a snapshot
// only when all of it is there.
var HostLimit = &diag.Rule{
	Name:     "host-limit",
	Doc:      "a snapshot stays within what the host that it is for takes",
	Severity: diag.Warning,
}

// useHost takes the link style from the host where nobody else names one, and
// refuses what the host cannot serve.
func (r *run) useHost() error {
	h := r.Host
	r.result.Edge = r.Edge
	if h == nil {
		if r.Edge {
			return &host.Refusal{
				Problem: "api variants that are left out have to be made by a host, and none is named",
				Hint:    "name it with --host, or leave out --variants edge",
			}
		}
		return nil
	}
	for _, name := range r.Precompress {
		if !slices.Contains(h.Codings, name) {
			return &host.Refusal{
				Problem: fmt.Sprintf("%s never sends .%s files: they would only take up space", h.Name, name),
				Hint:    "give --precompress auto for what it sends, or leave it out",
			}
		}
	}
	if r.site == nil {
		return nil
	}
	if r.Links == "" && r.site.Links == "" && len(h.Styles) > 0 {
		r.Links = h.Styles[0]
	}
	asked := r.Links
	if asked == "" {
		asked = r.site.Links
	}
	if _, ok := api.StyleNamed(asked); !ok {
		return nil // linkStyle says so
	}
	return h.Check(&host.Config{Links: asked, Edge: r.Edge})
}

// variants are those that the snapshot holds.
func (r *run) variants() []api.Variant {
	if r.Edge {
		return api.Variants[:api.API]
	}
	return api.Variants[:]
}

// writeInRoot stages the files that the host wants in the snapshot itself.
func (r *run) writeInRoot(w fileWriter, pages int) error {
	if r.Host == nil || r.Host.InRoot == nil {
		return nil
	}
	base, err := url.Parse(r.links.Base)
	if err != nil {
		return fmt.Errorf("cannot understand the base address %q: %w", r.links.Base, err)
	}
	config := &host.Config{Base: base, Links: r.links.Style.Name, Edge: r.Edge, ListPages: pages}
	files, err := r.Host.InRoot(config)
	if err != nil {
		return err
	}
	r.claimInRoot(*config)
	for _, f := range files {
		if !slices.Contains(api.HostFiles, f.Name) {
			return fmt.Errorf("%s wants a file %q in the snapshot, and only these may be there: %s",
				r.Host.Name, f.Name, strings.Join(api.HostFiles, ", "))
		}
		if err := w.WriteFile(f.Name, f.Data); err != nil {
			return err
		}
	}
	return nil
}

// claimInRoot claims the files that a build of the same settings put beside a
// snapshot of which no manifest tells.
func (r *run) claimInRoot(config host.Config) {
	if r.stage == nil {
		return
	}
	r.stage.Claim(func(lists int) []folder.File {
		config.ListPages = lists
		files, err := r.Host.InRoot(&config)
		if err != nil {
			return nil // the host could not have had that snapshot
		}
		claimed := make([]folder.File, len(files))
		for i, f := range files {
			claimed[i] = folder.File{Name: f.Name, Data: f.Data}
		}
		return claimed
	})
}

// checkLimits reports which limits of the host the staged snapshot breaks.
func (r *run) checkLimits(ctx context.Context) error {
	if r.Host == nil {
		return nil
	}
	c, err := r.review(ctx)
	if err != nil {
		return err
	}
	load := host.Load{Files: c.Files, Bytes: c.Bytes, Largest: c.Largest, InFolder: c.InFolder}
	for _, message := range r.Host.Exceeds(load) {
		d := HostLimit.At(diag.Position{File: r.destination()}, "%s", message)
		if r.Host.Edge && !r.Edge {
			d = d.WithHint("--variants edge halves the number of files: this host makes the api variants itself")
		}
		r.diagnostics.Add(d)
	}
	return nil
}

// Addresses returns the addresses at which clients meet a file of the snapshot:
// what a cache in front of it has to forget when the file changes. A sibling has
// none of its own, nor has an api variant that the host makes: it changes
// together with the answer that it is made of.
func (r *Result) Addresses(file string) []string {
	if !r.Edge {
		return r.Links.Addresses(file)
	}
	stem, ok := strings.CutSuffix(file, ".json")
	if !ok || strings.HasSuffix(stem, ".api") {
		return nil
	}
	return append(r.Links.Addresses(file), r.Links.Addresses(stem+".api.json")...)
}
