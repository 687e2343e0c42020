package generator

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// TestRenderedCorpora builds real rendered sites, and holds every record against its page as
// html.Parse reads it: the words of the body, the title and the dates.
func TestRenderedCorpora(t *testing.T) {
	const common = "base_url: https://api.example.org\nnamespace: 0e6f3c1a-91b4-4f3e-8b1c-8a5d3b0f6a11\nroot_language: en\ndates: [fields, mtime]\n"
	for _, site := range []struct {
		name, settings, body, remove, title string
		records, leftOut                    int

		moved []string // pages with text in a table outside of cells, which a browser moves before the table
	}{
		{
			"letsencrypt-rendered",
			"site: https://letsencrypt.org\nlanguages: [en, ca, cs, da, de, el, es, fi, fr, he, hu, id, it, ja, ko, pl, pt-br, ru, si, sr, sv, ta, th, tr, uk, vi, zh-cn, zh-tw]\n",
			"main", ".post-hero", ".post-hero h1", 1350, 30, nil,
		},
		{
			"digitalgov-rendered", "site: https://digital.gov\nlanguages: [en, es]\n",
			"main > article", ".usa-breadcrumb, article > header, .touchpoints-form-container, .dg-sidebar", "h1", 472, 2957,
			[]string{"communities/web-managers-forum/web-content-managers-listserv/index.html", "services/dap/dap-digital-metrics-guidance-and-best-practices/index.html"},
		},
	} {
		t.Run(site.name, func(t *testing.T) {
			o := Options{Content: filepath.Join("../../shared/corpora", site.name), SiteFile: filepath.Join(t.TempDir(), "site.yaml"), Out: filepath.Join(t.TempDir(), "out")}
			if _, err := os.Stat(o.Content); err != nil {
				if os.Getenv("SIVU_REQUIRE_CORPORA") == "1" {
					t.Fatal(err)
				}
				t.Skip(err)
			}
			settings := common + site.settings + "rendered:\n  body: \"" + site.body + "\"\n  remove: [\"" + site.remove + "\"]\n  title: \"" + site.title + "\"\n"
			if err := os.WriteFile(o.SiteFile, []byte(settings), 0o644); err != nil {
				t.Fatal(err)
			}
			result, ids, err := DerivedIDs(t.Context(), o)
			if err != nil || result.Failed {
				t.Fatalf("%v, %+v", err, result)
			}
			result = mustRun(t, o)
			if result.Failed || result.Records != site.records || result.Skipped != site.leftOut || len(ids) != site.records {
				t.Errorf("failed is %v, %d records, %d left out; want %d and %d", result.Failed, result.Records, result.Skipped, site.records, site.leftOut)
			}
			body, remove, title := cascadia.MustCompile(site.body), cascadia.MustCompile(site.remove), cascadia.MustCompile(site.title)
			urls, web := make(map[string]string), strings.Fields(site.settings)[1]
			for _, page := range ids {
				urls[page.Path] = "/" + page.url
			}
			wrong, links, led, missing := 0, 0, 0, map[string]int{}
			published := cascadia.MustCompile(`meta[property="article:published_time"]`)
			const sample = 8
			for i, page := range ids {
				if i%sample > 0 && !slices.Contains(site.moved, page.Path) {
					continue
				}
				text, err := os.ReadFile(filepath.Join(o.Content, page.Path))
				if err != nil {
					t.Fatal(err)
				}
				root, err := html.Parse(bytes.NewReader(text))
				if err != nil {
					t.Fatal(err)
				}
				answer, err := os.ReadFile(filepath.Join(o.Out, "pages", page.ID.String(), "index.json"))
				if err != nil {
					t.Fatal(err)
				}
				var record struct {
					Meta    map[string]string
					Content string
					Created time.Time
				}
				if err := json.Unmarshal(answer, &record); err != nil {
					t.Fatal(err)
				}
				content, err := html.Parse(strings.NewReader(record.Content))
				if err != nil {
					t.Fatal(err)
				}
				want, got := shownWords(body.MatchFirst(root), remove), shownWords(content, nil)
				got = strings.Join(strings.Fields(strings.NewReplacer("☐", "", "☑", "").Replace(got)), " ") // task boxes
				if want != got && !slices.Contains(site.moved, page.Path) && wrong < 20 {
					wrong++
					i := 0
					for i < min(len(want), len(got)) && want[i] == got[i] {
						i++
					}
					i = max(i-40, 0)
					t.Errorf("%s: the words are\n%.200s\nwant\n%.200s", page.Path, got[min(i, len(got)):], want[min(i, len(want)):])
				}
				written := linksOf(content, nil)
				for i, link := range linksOf(body.MatchFirst(root), remove) {
					own, url := siteFile(o.Content, web, page.Path, link)
					if !own {
						continue
					}
					links++
					switch {
					case url == "":
						missing["to nothing"]++
					case urls[url] == "":
						missing["to pages that are left out"]++
					case i >= len(written) || strings.Split(written[i], "#")[0] != urls[url] && !strings.HasPrefix(link, "#"):
						t.Errorf("%s: the link %s leads to %s, want %s", page.Path, link, written[min(i, len(written)-1)], urls[url])
					default:
						led++
					}
				}
				if n := title.MatchFirst(root); n != nil && shownWords(n, nil) != record.Meta["title"] && shownWords(n, nil) != "" {
					t.Errorf("%s: the title is %q, want %q", page.Path, record.Meta["title"], shownWords(n, nil))
				}
				if n := published.MatchFirst(root); n != nil {
					i := slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "content" })
					if created, err := time.Parse("2006-01-02T15:04:05-0700", n.Attr[i].Val); err != nil || !created.Equal(record.Created) {
						t.Errorf("%s: created is %s, want %s", page.Path, record.Created, n.Attr[i].Val)
					}
				}
			}
			t.Logf("of %d links on the site %d lead to records, as there; others %v", links, led, missing)
			if led == 0 {
				t.Error("no link leads to a record")
			}
		})
	}
}

// linksOf returns the addresses of the links in a node.
func linksOf(n *html.Node, remove cascadia.Selector) (links []string) {
	if n.Type == html.ElementNode && (remove != nil && remove(n) || n.DataAtom == atom.Svg || n.DataAtom == atom.Noscript) {
		return nil
	}
	for _, a := range n.Attr {
		if a.Key == "href" && n.DataAtom == atom.A && strings.TrimSpace(a.Val) != "" {
			links = append(links, a.Val)
		}
	}
	for c := range n.ChildNodes() {
		links = append(links, linksOf(c, remove)...)
	}
	return links
}

// siteFile returns the file that a link on a page leads to, through redirects, and false
// where it leads to another site.
func siteFile(dir, web, from, link string) (own bool, name string) {
	base, err := url.Parse(web + "/" + from)
	if err != nil {
		return false, ""
	}
	for range 10 {
		u, err := base.Parse(strings.TrimSpace(link))
		if err != nil || u.Host != base.Host {
			return own, ""
		}
		own, name = true, ""
		for _, ending := range []string{"", "/index.html", ".html"} {
			file := strings.Trim(path.Clean(u.Path), "/") + ending
			if info, err := os.Stat(filepath.Join(dir, file)); err == nil && info.Mode().IsRegular() {
				name = strings.TrimPrefix(file, "/")
				break
			}
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return true, ""
		}
		if !bytes.Contains(text, []byte(`http-equiv="refresh"`)) {
			return true, name
		}
		m := refresh.FindSubmatch(text)
		base, link = u, string(m[1])
	}
	return true, ""
}

var refresh = regexp.MustCompile(`(?i)http-equiv="refresh"\s+content="\d+; *url=([^"]*)"`)

// shownWords returns the words of a node, without elements that are removed with their
// content.
func shownWords(n *html.Node, remove cascadia.Selector) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		removed := []atom.Atom{atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Object, atom.Svg, atom.Math, atom.Textarea, atom.Select, atom.Title, atom.Iframe}
		switch {
		case n.Type == html.TextNode:
			b.WriteString(n.Data)
		case slices.Contains(removed, n.DataAtom), remove != nil && n.Type == html.ElementNode && remove(n):
			b.WriteByte(' ')
			return
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
	}
	walk(n)
	return strings.Join(strings.Fields(b.String()), " ")
}
