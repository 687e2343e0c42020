package adopt_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/sivu/generator/adopt"
)

// renderedSite writes a site as a generator renders it: each page with the site's own
// layout around its text.
func renderedSite(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	write := func(name, text string) {
		file := filepath.Join(dir, "public", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, fileTime, fileTime); err != nil {
			t.Fatal(err)
		}
	}
	for _, language := range []struct{ folder, tag, home, suffix string }{{"", "en-US", "Home", "Kela"}, {"fi/", "fi", "Etusivu", "Kela suomeksi"}} {
		for i := range 20 {
			address := fmt.Sprintf("%spage-%d/", language.folder, i)
			write(address+"index.html", fmt.Sprintf(`<!doctype html>
<html lang=%[1]q><head><title>Topic %[2]d %[1]s - %[3]s</title>
<link rel="canonical" href="https://www.kela.fi/%[4]s"><link rel=stylesheet href=/s.css></head>
<body class="page"><header><nav><a href="/">%[5]s</a> <a href="/%[6]spage-1/">One</a></nav></header>
<main class="px-4 mx-auto bg-white lg:flex"><div class="breadcrumb"><a href="/">%[5]s</a> <a href="/x/">Topic %[2]d %[1]s</a></div>
<h1>Topic %[2]d %[1]s</h1>
<p>The text of page %[2]d in %[1]s, which no other page has, about matter number %[2]d.</p>
<p>More of page %[2]d in %[1]s, so that it is the most of the page.</p>
<div class="share-box">Tell others about this page.</div></main>
<footer><p>All rights reserved by the institution, in %[1]s.</p></footer></body></html>`,
				language.tag, i, language.suffix, address, language.home, language.folder))
		}
	}
	write("old/index.html", `<!doctype html><html><head><title>x</title><meta http-equiv="refresh" content="0; url=/page-1/"></head></html>`)
	return dir
}

func TestRendered(t *testing.T) {
	for _, folder := range []string{"public", "."} { // the folder itself, or that of a site without sources
		dir := renderedSite(t)
		var checked string
		a, err := adopt.Adopt(adopt.Options{Folder: filepath.Join(dir, folder), Check: func(content, siteFile string) (adopt.Checked, error) {
			text, err := os.ReadFile(siteFile)
			checked = string(text)
			return adopt.Checked{}, err
		}})
		if err != nil {
			t.Fatal(err)
		}
		if a.Text != checked || a.Content != filepath.Join(dir, "public") {
			t.Errorf("%s was adopted; site.yaml is not the one that was checked: %t", a.Content, a.Text != checked)
		}
		everyLineExplained(t, a.Text)
		for _, want := range []string{
			"languages: [en, fi]", "default_language: en", `site: "https://www.kela.fi"`,
			"body: [main, body]  #", `remove: [h1, ".share-box", ".breadcrumb"]  #`, "title: h1  #", `title_suffix: [" - Kela", " - Kela suomeksi"]  #`,
		} {
			if !strings.Contains(a.Text, want) {
				t.Errorf("site.yaml lacks %q:\n%s", want, a.Text)
			}
		}
	}
}

func TestRenderedBuilds(t *testing.T) {
	a, records := adopted(t, filepath.Join(renderedSite(t), "public"))
	if len(records) != 40 || !slices.Contains(records, `fi fi/page-7 "Topic 7 fi" 2001-02-03`) {
		t.Errorf("%d records: %v\n%s", len(records), records, a.Text)
	}
}

// A guide has its own title in the <h1> of all its pages, so that only <title> tells them
// apart.
func TestSharedHeading(t *testing.T) {
	dir := t.TempDir()
	for i := range 20 {
		name, heading := fmt.Sprintf("page-%d", i), fmt.Sprintf("Topic %d", i)
		title := heading
		if i%5 == 0 {
			name, heading, title = "guide/"+name, "Topic", fmt.Sprintf("Topic in chapter %d", i)
		}
		text := fmt.Sprintf("<!doctype html><html lang=en><title>%s – Kela</title><link rel=stylesheet href=/s.css><main><h1>%s</h1><p>What page %d says of its own.</main>", title, heading, i)
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".html"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	a, records := adopted(t, dir)
	if all := strings.Join(records, "\n"); strings.Contains(a.Text, "title: h1") || !strings.Contains(all, `"Topic in chapter 10"`) || !strings.Contains(all, `"Topic 7"`) {
		t.Errorf("titles are not told apart:\n%s\n%s", all, a.Text)
	}
}

// Of small sites the headings are most of what differs: they are no body.
func TestHeadingIsNoBody(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"index", "a", "b", "c", "d", "e"} {
		folder := filepath.Join(dir, name)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		text := "<!doctype html><html lang=en><head><title>About " + name + "</title></head><body><header>City</header><nav><a href=/>Home</a></nav>" +
			"<main><h1>About " + name + "</h1><p>To be written.</p></main><footer>City</footer></body></html>"
		if err := os.WriteFile(filepath.Join(folder, "index.html"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	a, err := adopt.Adopt(adopt.Options{Folder: dir, Check: func(string, string) (adopt.Checked, error) { return adopt.Checked{}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(a.Text, "body: [main, body]") {
		t.Errorf("the body is not main:\n%s", a.Text)
	}
}
