package settings

import (
	"fmt"
	"slices"

	"example.org/sivu/generator/api"
	"example.org/sivu/generator/host"
)

// useHost refuses what the host cannot serve. [Settings.linkStyle] takes the link
// style from the host where nothing else names one.
func (s *Settings) useHost() error {
	h := s.Host
	if h == nil {
		if s.Edge {
			return &host.Refusal{
				Problem: "api variants that are left out have to be made by a host, and none is named",
				Hint:    "name it with --host, or leave out --variants edge",
			}
		}
		return nil
	}
	for _, name := range s.Precompress {
		if !slices.Contains(h.Codings, name) {
			return &host.Refusal{
				Problem: fmt.Sprintf("%s never sends .%s files: they would only take up space", h.Name, name),
				Hint:    "give --precompress auto for what it sends, or leave it out",
			}
		}
	}
	if s.Site == nil {
		return nil
	}
	links := s.Links
	if links == "" && (s.Site.Links != "" || len(h.Styles) > 0) {
		links = s.linkStyle()
	}
	if _, ok := api.StyleNamed(links); !ok {
		return nil // resolveLinks says so
	}
	return h.Check(&host.Config{Links: links, Edge: s.Edge})
}

// InRootFiles returns the files that the host wants in a snapshot of so many list
// pages. The host has to want any: see [host.Host].
func (s *Settings) InRootFiles(listPages int) ([]host.File, error) {
	return s.Host.RootFiles(&host.Config{Base: s.Base, Links: s.API.Style.Name, Edge: s.Edge, ListPages: listPages})
}
