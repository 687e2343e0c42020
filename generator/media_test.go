package generator

import (
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.org/sivu/generator/settings"
)

// Images that a page shows and that are not there are problems of the preview, at
// their places, and pages are said to have changed when their images do.
func TestMissingMedia(t *testing.T) {
	s := newShelf(t, "b")
	missing := func(want ...string) {
		t.Helper()
		var got []string
		for _, line := range described(s.last.Report) {
			if isOfMedia(line) {
				got = append(got, line)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("problems (-want +got):\n%s", diff)
		}
	}
	changed := func(want int) {
		t.Helper()
		if s.last.Changed == nil || len(s.last.Changed) != want {
			t.Errorf("%d records changed (%v), want %d", len(s.last.Changed), s.last.Changed, want)
		}
	}
	body := "\n![x](kuvat/a%20b.PNG?v=1)\n\n<img src=\"/fi/kuvat/c.svg\" alt=\"\"> <img src=\"../d\u00e4.png\" alt=\"\"> <a href=\"e.pdf\">e</a> <a href=\"e.mp4\">e</a> <img src=\"https://a.example/f.png\" alt=\"\">\n"
	s.edit("fi/a.md", shelfPage("a", "a1")+body)
	missing(
		`content/fi/a.md:8:1: the file "fi/kuvat/a b.PNG" is not in the content folder [missing-media]`,
		`content/fi/a.md:10:1: the file "fi/kuvat/c.svg" is not in the content folder [missing-media]`,
		`content/fi/a.md:10:36: the file "dä.png" is not in the content folder [missing-media]`,
		`content/fi/a.md:10:87: the file "fi/e.mp4" is not in the content folder [missing-media]`,
	)
	s.edit("fi/kuvat/a b.PNG", "png", "fi/kuvat/c.svg", "<svg/>", "da\u0308.png", "png", "fi/e.mp4", "mp4")
	missing()
	changed(1)
	if _, ok := s.last.Media.Files["dä.png"]; !ok || len(s.last.Media.Files) != 4 {
		t.Errorf("served are %v", s.last.Media.Files)
	}
	s.edit("fi/b.md", shelfPage("b", "b2"))
	changed(1)
	missing()
	s.MapFS["fi/kuvat/c.svg"] = &fstest.MapFile{Data: []byte("<svg>"), ModTime: time.Unix(1, 0)}
	s.last = mustUpdate(t, s.live, []string{"fi/kuvat/c.svg"})
	changed(1)
	s.edit("fi/kuvat/other.png", "png")
	changed(0)
	s.edit("fi/kuvat/c.svg", "", "fi/kuvat/a b.PNG", "")
	missing(
		`content/fi/a.md:8:1: the file "fi/kuvat/a b.PNG" is not in the content folder [missing-media]`,
		`content/fi/a.md:10:1: the file "fi/kuvat/c.svg" is not in the content folder [missing-media]`,
	)
	changed(1)
	// A build knows it of folders that hold images.
	inBuild := func(want ...string) {
		t.Helper()
		whole := mustCheck(t, s.MapFS)
		got := slices.DeleteFunc(described(whole.Report), func(line string) bool { return !strings.Contains(line, "missing-media") })
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("problems of a build (-want +got):\n%s", diff)
		}
	}
	inBuild(
		`content/fi/a.md:8:1: the file "fi/kuvat/a b.PNG" is not in the content folder [missing-media]`,
		`content/fi/a.md:10:1: the file "fi/kuvat/c.svg" is not in the content folder [missing-media]`,
	)
	s.edit("fi/kuvat/other.png", "")
	inBuild()
	s.edit("fi/kuvat/other.png", "png")
	// With an address of assets only folders count that hold images.
	settings := string(s.MapFS["site.yaml"].Data)
	s.edit("site.yaml", settings+"assets: https://www.example.org/files\n", "da\u0308.png", "")
	missing(
		`content/fi/a.md:8:1: the file "fi/kuvat/a b.PNG" is not in the content folder [missing-media]`,
		`content/fi/a.md:10:1: the file "fi/kuvat/c.svg" is not in the content folder [missing-media]`,
	)
	s.edit("site.yaml", strings.Replace(settings, "off}", "off, missing-media: off}", 1))
	missing()
}

// A file that the preview does not serve is not said to be missing: the message says
// why it is not served.
func TestMediaNotServed(t *testing.T) {
	s := newShelf(t, "a")
	s.write("site.yaml", string(s.MapFS["site.yaml"].Data)+"exclude: [\"excl\", \"fi/x-*\"]\n")
	for _, name := range []string{"excl/deep/e.png", "fi/x-f.png", "fi/.g.png", ".h/i.png", "fi/j.png"} {
		s.write(name, "x")
	}
	s.MapFS["fi/k.png"] = &fstest.MapFile{Data: []byte("../.h/i.png"), Mode: 0o777 | fs.ModeSymlink}
	s.edit("fi/a.md", shelfPage("a", "a1")+`
<img src="/excl/deep/e.png" alt=""> <img src="x-f.png" alt=""> <img src=".g.png" alt=""> <img src="/.h/i.png" alt="">
<img src="j.png" alt=""> <img src="k.png" alt=""> <img src="l.png" alt=""> <img src="/fi//m.png" alt="">
`)
	s.last = mustUpdate(t, s.live, nil)
	got := []string{}
	for _, d := range s.last.Report.Diagnostics {
		if d.Rule == settings.MissingMedia {
			got = append(got, d.Message+" | "+d.Hint)
		}
	}
	want := []string{
		`the file "excl/deep/e.png" is not served: "exclude" in site.yaml leaves it out | put it elsewhere, or change "exclude"`,
		`the file "fi/x-f.png" is not served: "exclude" in site.yaml leaves it out | put it elsewhere, or change "exclude"`,
		`the file "fi/.g.png" is not served: names that begin with a dot are left out | give it, or its folder, another name`,
		`the file ".h/i.png" is not served: names that begin with a dot are left out | give it, or its folder, another name`,
		`the file "fi/k.png" is not served: it is neither a regular file nor a symlink to one that is served | put the file itself in its place`,
		`the file "fi/l.png" is not in the content folder | put it there, or correct the address`,
		`the file "fi//m.png" is not in the content folder | put it there, or correct the address`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// The text tracks of films are served, and missed, as the films are.
func TestTextTrack(t *testing.T) {
	s := newShelf(t, "a")
	s.edit("fi/a.md", shelfPage("a", "a1")+"\n<video src=\"https://a.example/f.mp4\" controls><track src=\"/img/t.vtt\"></video>\n")
	if got := described(s.last.Report); !slices.ContainsFunc(got, func(line string) bool {
		return strings.HasSuffix(line, `the file "img/t.vtt" is not in the content folder [missing-media]`)
	}) {
		t.Errorf("the track that is missing is not told: %q", got)
	}
	s.edit("img/t.vtt", "WEBVTT\n")
	if got := described(s.last.Report); slices.ContainsFunc(got, isOfMedia) {
		t.Errorf("the track is there, and yet: %q", got)
	}
	if got := s.last.Media.Files["img/t.vtt"].Type; got != "text/vtt" {
		t.Errorf("the track is served as %q", got)
	}
}

// Only images, sounds and films are served: no source, no settings, nothing hidden
// or left out, and none of them under another name.
func TestMediaServed(t *testing.T) {
	s := newShelf(t, "a")
	s.write("site.yaml", string(s.MapFS["site.yaml"].Data)+"exclude: [\"fi/out/**\"]\n")
	for _, name := range []string{"fi/a.png", "fi/b.WebM", "fi/c.mp3", "fi/out/d.png", ".e.png", ".git/f.png", "fi/.g/h.png", "fi/i.js", "fi/j.css", "fi/k.pdf", "fi/l", "fi/m.yaml", "fi/.png"} {
		s.write(name, "x")
	}
	for name, target := range map[string]string{"fi/s.png": "a.md", "fi/t.png": "../site.yaml", "fi/u.png": "a.png", "fi/v.png": ".g/h.png", "fi/w.png": "s.png", "fi/x.png": "../../secret.png"} {
		s.MapFS[name] = &fstest.MapFile{Data: []byte(target), Mode: 0o777 | fs.ModeSymlink}
	}
	s.last = mustUpdate(t, s.live, nil)
	got := slices.Sorted(maps.Keys(s.last.Media.Files))
	if diff := cmp.Diff([]string{"fi/a.png", "fi/b.WebM", "fi/c.mp3", "fi/u.png"}, got); diff != "" {
		t.Errorf("served (-want +got):\n%s", diff)
	}
}

// Where links start from the addresses of pages, images of the root language are shown
// and missed under the addresses that the site serves them at.
func TestServedMedia(t *testing.T) {
	s := newShelf(t, "a")
	s.edit("site.yaml", string(s.MapFS["site.yaml"].Data)+"addresses: page\nroot_language: fi\n",
		"fi/a/b.png", "png", "fi/a.md", shelfPage("a", "a1")+"\n![x](b.png) ![y](c.png)\n")
	if _, ok := s.last.Media.Files["a/b.png"]; !ok {
		t.Errorf("served are %v", s.last.Media.Files)
	}
	whole := mustCheck(t, s.MapFS).Report
	for _, got := range [][]string{described(s.last.Report), described(whole)} {
		got = slices.DeleteFunc(got, func(line string) bool { return !isOfMedia(line) })
		if diff := cmp.Diff([]string{`content/fi/a.md:8:13: the file "a/c.png" is not in the content folder [missing-media]`}, got); diff != "" {
			t.Errorf("problems (-want +got):\n%s", diff)
		}
	}
}
