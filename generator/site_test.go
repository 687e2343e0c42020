package generator

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"example.org/sivu/generator/page"
	"example.org/sivu/generator/work"
)

// onDisk writes a site into a folder of its own.
func onDisk(t *testing.T, site string, files map[string]string) string {
	t.Helper()
	content := filepath.Join(t.TempDir(), "content")
	writeFile(t, filepath.Join(content, "site.yaml"), site)
	for name, text := range files {
		writeFile(t, filepath.Join(content, filepath.FromSlash(name)), text)
	}
	return content
}

// git runs git in a folder, at a time, without anyone's settings.
func git(t *testing.T, dir, at string, arguments ...string) {
	t.Helper()
	command := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"}, arguments...)...)
	command.Dir = dir
	command.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE=2030-01-01T00:00:00Z",
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", arguments, err, out)
	}
}

const undated = "---\ntitle: Sivu\n---\nTeksti.\n"

// datesOf builds a content folder and returns created and modified by meta.url.
func datesOf(t *testing.T, content string) map[string]string {
	t.Helper()
	out := t.TempDir()
	mustBuild(t, Options{Content: content, Out: out})
	dates := map[string]string{}
	for _, r := range walkSnapshot(t, out, testBase, "query") {
		dates[r.text(t, "url")] = r.Created + " " + r.Modified
	}
	return dates
}

// Dates from git are the author dates of the first and the last commit, where
// the page itself does not give them.
func TestDatesFromGit(t *testing.T) {
	site := strings.Replace(testSite, "[fields]", "[fields, git]", 1)
	content := onDisk(t, site, map[string]string{"fi/a.md": undated, "fi/vanha.md": undated + strings.Repeat("Rivi.\n", 20), "fi/c.md": goodPage})
	repository := filepath.Dir(content)
	git(t, repository, "2018-01-01T10:00:00+02:00", "init", "-q")
	git(t, repository, "2018-01-01T10:00:00+02:00", "add", ".")
	git(t, repository, "2018-01-01T10:00:00+02:00", "commit", "-qm", "a")
	writeFile(t, filepath.Join(content, "fi", "a.md"), undated+"Lisää.\n")
	git(t, repository, "2020-02-02T00:00:00Z", "commit", "-qam", "b")
	git(t, repository, "2021-03-03T00:00:00Z", "mv", "content/fi/vanha.md", "content/fi/uusi.md")
	git(t, repository, "2021-03-03T00:00:00Z", "commit", "-qm", "c")
	writeFile(t, filepath.Join(content, "fi", "c.md"), goodPage+"Lisää.\n")
	git(t, repository, "2022-04-04T00:00:00Z", "commit", "-qam", "d")
	want := map[string]string{
		"fi/a":    "2018-01-01T08:00:00.000000Z 2020-02-02T00:00:00.000000Z",
		"fi/uusi": "2018-01-01T08:00:00.000000Z 2021-03-03T00:00:00.000000Z",
		"fi/c":    "2019-05-06T00:00:00.000000Z 2022-04-04T00:00:00.000000Z",
	}
	if diff := cmp.Diff(want, datesOf(t, content)); diff != "" {
		t.Errorf("created and modified (-want +got):\n%s", diff)
	}
	// A file that was never committed has no date.
	writeFile(t, filepath.Join(content, "fi", "b.md"), undated)
	r, err := Check(t.Context(), Options{Content: content})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{filepath.ToSlash(content) + "/fi/b.md:1:1: no date of the page is known [date]"}, described(r.Report)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// Git is needed only by a page without any date of its own: then a folder that
// is in no repository is an error, and the run ends; else it does not matter.
func TestGitOnlyWhereNeeded(t *testing.T) {
	site := strings.Replace(testSite, "[fields]", "[fields, git]", 1)
	dated := pageWith("modified: 2020-01-01\n", "x\n")
	content := onDisk(t, site, map[string]string{"fi/a.md": dated, "fi/b.md": pageWith("draft: true\n", "")})
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(content))
	t.Run("not needed", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir()) // where no git is
		datesOf(t, content)
	})
	t.Run("one date is enough", func(t *testing.T) {
		writeFile(t, filepath.Join(content, "fi", "b.md"), goodPage)
		if got, want := datesOf(t, content)["fi/b"], "2019-05-06T00:00:00.000000Z 2019-05-06T00:00:00.000000Z"; got != want {
			t.Errorf("created and modified are %s, want %s", got, want)
		}
	})
	t.Run("not for a page that cannot be read", func(t *testing.T) {
		broken := filepath.Join(content, "fi", "x.md")
		writeFile(t, broken, "\xff")
		defer os.Remove(broken)
		result, err := Check(t.Context(), Options{Content: content})
		if err != nil || len(result.Report.Diagnostics) != 1 || result.Report.Diagnostics[0].Rule.Name != "encoding" {
			t.Errorf("%v, %+v", err, result)
		}
	})
	t.Run("needed", func(t *testing.T) {
		writeFile(t, filepath.Join(content, "fi", "c.md"), undated)
		out := filepath.Join(t.TempDir(), "out")
		result, err := Build(t.Context(), Options{Content: content, Out: out})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range result.Report.Diagnostics {
			got = append(got, strings.TrimPrefix(d.Pos.String(), content)+": "+d.Message)
		}
		want := []string{
			fmt.Sprintf(`/fi/c.md:1:1: dates from git: %q is not in a git repository; put it into one, or take "git" out of "dates" in site.yaml`, content),
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if _, err := os.Stat(out); err == nil {
			t.Error("the output folder is there")
		}
		t.Setenv("PATH", t.TempDir())
		if _, err := Check(t.Context(), Options{Content: content}); err == nil || !strings.Contains(err.Error(), "git") {
			t.Errorf("without git the error is %v", err)
		}
	})
}

// What links lead to is judged over the whole collection.
func TestLinksBetweenPages(t *testing.T) {
	for what, test := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"anchors on pages before and after": {
			map[string]string{
				"fi/a.md": pageWith("", "[](b.md#osa) [](c.md#yksi) [](/fi/c#kaksi) [](b.md#eri)\n"),
				"fi/b.md": pageWith("", "# Osa\n\n[](a.md) [](c.md#kolme)\n"),
				"fi/c.md": pageWith("", "<a id=\"yksi\"></a> <a name=kaksi></a> [](b.md#osa) [](a.md#osa)\n"),
			},
			[]string{
				`content/fi/a.md:5:44: the link "b.md#eri" leads to an anchor that "fi/b.md" does not have [broken-link]`,
				`content/fi/b.md:7:10: the link "c.md#kolme" leads to an anchor that "fi/c.md" does not have [broken-link]`,
				`content/fi/c.md:5:51: the link "a.md#osa" leads to an anchor that "fi/a.md" does not have [broken-link]`,
			},
		},
		"pages that are left out": {
			map[string]string{
				"fi/a.md": pageWith("", "[](b.md)\n[](/fi/c)\n[](d.md)\n"),
				"fi/b.md": pageWith("draft: true\n", ""),
				"fi/c.md": pageWith("draft: on\n", ""),
			},
			[]string{
				`content/fi/a.md:5:1: the link "b.md" leads to a page that is left out [broken-link]`,
				`content/fi/a.md:6:1: the link "/fi/c" leads to a page that is left out [broken-link]`,
				`content/fi/a.md:7:1: page not found: "d.md" [broken-link]`,
			},
		},
		"pages with errors are there": {
			map[string]string{
				"fi/a.md": pageWith("", "[](b.md) [](c.md#osa) [](/fi/d) [](b.md#osa)\n"),
				"fi/b.md": "---\ntitle: Sivu\ncreated: x\n---\n# Osa\n",
				"fi/c.md": pageWith("kind: x\n", "# Osa\n"),
				"fi/d.md": pageWith("id: x\n", ""),
			},
			[]string{
				`content/fi/b.md:3:1: "x" is not a date [date]`,
				`content/fi/c.md:4:1: "x" is not a kind of page [kind]`,
				`content/fi/d.md:4:1: "x" is not a UUID [id]`,
			},
		},
		"pages with broken heads are there": {
			map[string]string{
				"fi/a.md": pageWith("", "[](b.md) [](/fi/c) [](b.md#osa) [](d.md) [](d.md#osa)\n"),
				"fi/b.md": "---\ntitle: Sivu\n",
				"fi/c.md": "---\ntitle: \"\n---\n",
				"fi/d.md": "\xff",
			},
			[]string{
				`content/fi/b.md:1:1: the front matter that begins with "---" does not end [syntax]`,
				`content/fi/c.md:2:8: the quoted text that begins here does not end [syntax]`,
				`content/fi/d.md:1:1: the byte 0xFF is not UTF-8 [encoding]`,
			},
		},
	} {
		t.Run(what, func(t *testing.T) {
			got := described(mustCheck(t, siteOf(test.files)).Report)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

// Links to pages are written as their meta.url.
func TestLinksWritten(t *testing.T) {
	out := t.TempDir()
	site := siteOf(map[string]string{
		"fi/a.md":        pageWith("slug: alku\n", "[b](kansio/b.md#osa) [en](../en/a.md) [self](#x){#x}\n\n# X\n"),
		"fi/kansio/b.md": pageWith("url: fi/ihan/muualla\n", "[a](../a.md) [juuri](/fi/alku)\n\n# Osa\n"),
		"en/a.md":        pageWith("", "![](k.png) [fi](/fi/a)\n"),
	})
	site["site.yaml"].Data = append(site["site.yaml"].Data, "assets: https://www.example.org/x/\n"...)
	mustBuild(t, Options{Content: "content", FS: site, Out: out})
	want := map[string]string{
		"fi/alku":         "/fi/ihan/muualla#osa /en/a #x",
		"fi/ihan/muualla": "/fi/alku /fi/alku",
		"en/a":            "https://www.example.org/x/en/k.png /fi/alku",
	}
	got := map[string]string{}
	for _, r := range walkSnapshot(t, out, testBase, "query") {
		var addresses []string
		for _, top := range parseHTML(t, *r.Content) {
			for n := range top.Descendants() {
				for _, a := range n.Attr {
					if a.Key == "href" || a.Key == "src" {
						addresses = append(addresses, a.Val)
					}
				}
			}
		}
		got[r.text(t, "url")] = strings.Join(addresses, " ")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("addresses (-want +got):\n%s", diff)
	}
}

// Derived ids are listed, written into the sources, and then given: the
// snapshot stays the same, and nothing is left to write.
func TestWriteIDs(t *testing.T) {
	const given = "6ba7b810-9dad-51d1-80b4-00c04fd430c8"
	content := onDisk(t, testSite, map[string]string{
		"fi/a.md":   goodPage,
		"fi/b.html": "<!doctype html>\r\n<title>Sivu</title>\r\n<meta name=dcterms.created content=2019-05-06>\r\n<body>Teksti.</body>\r\n",
		"fi/c.md":   "\ufeff+++\r\ntitle = \"Sivu\"\r\ncreated = 2019-05-06\r\n+++\r\nTeksti.\r\n",
		"a.en.md":   pageWith("id: "+given+"\n", ""),
		"fi/d.md":   pageWith("draft: true\n", ""),
	})
	id := func(place string) string {
		return uuid.NewSHA1(uuid.MustParse(randomNamespace), []byte(place)).String()
	}
	want := []string{"fi/a.md " + id("fi/a"), "fi/b.html " + id("fi/b"), "fi/c.md " + id("fi/c")}
	list := func(ids []DerivedID) (lines []string) {
		for _, d := range ids {
			lines = append(lines, d.Path+" "+d.ID.String())
		}
		return lines
	}
	out := t.TempDir()
	mustBuild(t, Options{Content: content, Out: out})
	before, snapshot := readTree(t, content), readTree(t, out)

	_, ids, err := DerivedIDs(t.Context(), Options{Content: content})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, list(ids)); diff != "" {
		t.Errorf("derived ids (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before, readTree(t, content)); diff != "" {
		t.Errorf("asking for the ids changed the sources:\n%s", diff)
	}
	if err := os.Chmod(filepath.Join(content, "fi", "a.md"), 0o640); err != nil {
		t.Fatal(err)
	}
	_, ids, err = WriteIDs(t.Context(), Options{Content: content})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, list(ids)); diff != "" {
		t.Errorf("written ids (-want +got):\n%s", diff)
	}
	after := readTree(t, content)
	wantAfter := map[string]string{
		"site.yaml": before["site.yaml"], "a.en.md": before["a.en.md"], "fi/d.md": before["fi/d.md"],
		"fi/a.md":   strings.Replace(before["fi/a.md"], "---\n", "---\nid: "+id("fi/a")+"\n", 1),
		"fi/b.html": strings.Replace(before["fi/b.html"], "</title>", "</title>\r\n<meta name=\"dcterms.identifier\" content=\""+id("fi/b")+"\">", 1),
		"fi/c.md":   strings.Replace(before["fi/c.md"], "+++\r\n", "+++\r\nid = \""+id("fi/c")+"\"\r\n", 1),
	}
	if diff := cmp.Diff(wantAfter, after); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
	if info, err := os.Stat(filepath.Join(content, "fi", "a.md")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
	if result := mustBuild(t, Options{Content: content, Out: out}); result.Changes.Any() {
		t.Errorf("the snapshot changed: %s", cmp.Diff(snapshot, readTree(t, out)))
	}
	if _, ids, err = WriteIDs(t.Context(), Options{Content: content}); err != nil || len(ids) != 0 {
		t.Errorf("a second time wrote %v, %v", ids, err)
	}
}

// Where dates come from mtime, an id that is written does not change them; else
// the file is as new as it is.
func TestWriteIDsKeepsMtime(t *testing.T) {
	at := time.Date(2019, 5, 6, 8, 6, 31, 4512000, time.UTC)
	for _, dates := range []string{"[mtime]", "[fields]"} {
		content := onDisk(t, strings.Replace(testSite, "[fields]", dates, 1), map[string]string{"fi/a.md": goodPage})
		name := filepath.Join(content, "fi", "a.md")
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
		if _, ids, err := WriteIDs(t.Context(), Options{Content: content}); err != nil || len(ids) != 1 {
			t.Fatalf("%v, %v", ids, err)
		}
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if kept := info.ModTime().Equal(at); kept != (dates == "[mtime]") {
			t.Errorf("dates %s: the time is %s", dates, info.ModTime())
		}
	}
}

// Nothing is written where pages have errors, and no id through a symlink.
func TestWriteIDsRefuses(t *testing.T) {
	t.Run("errors", func(t *testing.T) {
		content := onDisk(t, testSite, map[string]string{"fi/a.md": goodPage, "fi/b.md": undated})
		before := readTree(t, content)
		result, ids, err := WriteIDs(t.Context(), Options{Content: content})
		if err != nil || !result.Failed || len(ids) != 0 {
			t.Errorf("%v, failed %v, %v", ids, result.Failed, err)
		}
		if diff := cmp.Diff(before, readTree(t, content)); diff != "" {
			t.Errorf("sources changed:\n%s", diff)
		}
	})
	t.Run("symlink", func(t *testing.T) {
		content := onDisk(t, testSite, map[string]string{"fi/a.md": pageWith("id: 6ba7b810-9dad-51d1-80b4-00c04fd430c8\n", ""), ".hidden/b.md": goodPage})
		if err := os.Symlink(filepath.Join("..", ".hidden", "b.md"), filepath.Join(content, "fi", "b.md")); err != nil {
			t.Skipf("no symlinks here: %v", err)
		}
		before := readTree(t, content)
		_, _, err := WriteIDs(t.Context(), Options{Content: content})
		if err == nil || !strings.Contains(err.Error(), "fi/b.md stays as it was: it is a symlink") {
			t.Errorf("the error is %v", err)
		}
		if diff := cmp.Diff(before, readTree(t, content)); diff != "" {
			t.Errorf("sources changed:\n%s", diff)
		}
		if info, err := os.Lstat(filepath.Join(content, "fi", "b.md")); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("the symlink is gone: %v", err)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		content := onDisk(t, testSite, map[string]string{"fi/a.md": goodPage})
		cause := errors.New("told to stop")
		ctx, cancel := context.WithCancelCause(t.Context())
		progress := &work.Progress{OnStage: func(stage string, _ int) {
			if stage == "writing ids" {
				cancel(cause)
			}
		}}
		_, ids, err := WriteIDs(ctx, Options{Content: content, Progress: progress})
		if err != cause || len(ids) != 0 {
			t.Errorf("%v, and the error is %v", ids, err)
		}
		if got := readTree(t, content)["fi/a.md"]; got != goodPage {
			t.Errorf("the source is %q", got)
		}
	})
}

// noPlace are the kinds that HTML documents have no place for under a site.yaml
// that gives a key of theirs another meaning.
var noPlace = map[string][]string{"ignored": {"front", "feedback"}, "renamed": {"feedback"}}

// A fresh page of any kind, in any format and for any way to name fields and
// find dates, builds as it is.
func TestAddPages(t *testing.T) {
	for what, site := range map[string]string{
		"fields":        testSite,
		"renamed":       testSite + "fields: {id: uuid, created: date, title: name, kind: laji, description: ~}\n",
		"more required": testSite + "kinds: {article: {require: [description, imagebanner, own key]}, page: {require: [windowtitle]}}\n",
		"mtime":         strings.Replace(testSite, "[fields]", "[mtime]", 1),
		"ignored":       testSite + "ignore: [localinfodoc, email]\n",
	} {
		for _, kind := range append(page.KindNames(), "") {
			endings := []string{"", ".html"}
			if what == "fields" {
				endings = []string{"", ".md", ".markdown", ".html", ".htm"}
			}
			for _, ending := range endings {
				t.Run(fmt.Sprintf("%s/%s%s", what, kind, ending), func(t *testing.T) {
					content := onDisk(t, site, nil)
					report, added, err := AddPages(Options{Content: content}, NewPage{Path: "fi/uusi koti/ä" + ending, Kind: kind, AllLanguages: true})
					if ending == ".html" && slices.Contains(noPlace[what], kind) {
						if err == nil || !strings.Contains(err.Error(), "make it a page of Markdown") {
							t.Errorf("HTML has no place for a key whose name means something else, and the error is %v", err)
						}
						return
					}
					if err != nil || report.Errors > 0 {
						t.Fatalf("%v, %q", err, described(report))
					}
					file := "uusi koti/ä" + ending
					if ending == "" {
						file += ".md"
					}
					if diff := cmp.Diff([]Added{{Path: "fi/" + file}, {Path: "en/" + file}}, added); diff != "" {
						t.Errorf("added (-want +got):\n%s", diff)
					}
					checkDraft(t, content, "en/"+file)
					checkFresh(t, content, kind)
				})
			}
		}
	}
}

// checkDraft holds that a fresh page in another language is left out, and makes it a
// page of the site.
func checkDraft(t *testing.T, content, file string) {
	t.Helper()
	if result := mustBuild(t, Options{Content: content, Out: t.TempDir()}); result.Records != 1 || result.Skipped != 1 {
		t.Errorf("%d records, %d drafts", result.Records, result.Skipped)
	}
	name := filepath.Join(content, file)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, name, strings.NewReplacer("draft: true\n", "", `<meta name="sivu.draft" content="true">`, "").Replace(string(text)))
}

// checkFresh builds a content folder of fresh pages in two languages.
func checkFresh(t *testing.T, content, kind string) {
	t.Helper()
	out := t.TempDir()
	result := mustBuild(t, Options{Content: content, Out: out})
	if len(result.Report.Diagnostics) > 0 {
		t.Errorf("fresh pages have problems: %q", described(result.Report))
	}
	if kind == "" {
		kind = "page"
	}
	if got := fmt.Sprint(result.Kinds); got != fmt.Sprintf("[{%s 2}]", kind) {
		t.Errorf("the kinds are %s", got)
	}
	records := walkSnapshot(t, out, testBase, "query")
	if records[0].id == records[1].id || records[0].text(t, "title") != "ä" {
		t.Errorf("the records are %s and %s", records[0].Meta, records[1].Meta)
	}
	if created, err := time.Parse(time.RFC3339, records[0].Created); err != nil || time.Since(created).Abs() > time.Hour {
		t.Errorf("created is %s", records[0].Created)
	}
	if _, ids, err := DerivedIDs(t.Context(), Options{Content: content}); err != nil || len(ids) > 0 {
		t.Errorf("fresh pages have no ids of their own: %v, %v", ids, err)
	}
}

// AddPages never replaces a page, whatever format it is in, and refuses what is
// no name for one.
func TestAddPagesRefuses(t *testing.T) {
	content := onDisk(t, testSite, map[string]string{"fi/a.html": goodPage, "en/b.md": goodPage})
	before := readTree(t, content)
	_, added, err := AddPages(Options{Content: content}, NewPage{Path: "fi/a.md"})
	if diff := cmp.Diff([]Added{{Path: "fi/a.html", Existed: true}}, added); diff != "" || err != nil {
		t.Errorf("%v, added (-want +got):\n%s", err, diff)
	}
	for place, want := range map[string]string{
		"sv/a":        `"sv" is not one of the site's languages: fi, en; give LANGUAGE/PATH, as in fi/moving`,
		"a":           "is not one of the site's languages",
		"fi/":         "is no name for a page",
		"fi":          "is no name for a page",
		"fi/../a":     "is no name for a page",
		"fi//a":       "is no name for a page",
		"fi/.a":       "is no name for a page",
		"fi/a\x1bb":   "is no name for a page",
		"fi/a:b":      "is no name for a page",
		"/etc/passwd": "is not one of the site's languages",
	} {
		if _, added, err := AddPages(Options{Content: content}, NewPage{Path: place}); err == nil || !strings.Contains(err.Error(), want) || added != nil {
			t.Errorf("%q: %v, %v", place, added, err)
		} else if strings.ContainsRune(err.Error(), '\x1b') {
			t.Errorf("%q: the message holds an escape", place)
		}
	}
	if _, _, err := AddPages(Options{Content: content}, NewPage{Path: "fi/x", Kind: "artikel"}); err == nil ||
		!strings.Contains(err.Error(), `unknown kind "artikel": the kinds are page, front, article, feedback, feedback-thanks, not-found`) {
		t.Errorf("unknown kind: %v", err)
	}
	if diff := cmp.Diff(before, readTree(t, content)); diff != "" {
		t.Errorf("sources changed:\n%s", diff)
	}
	_, added, err = AddPages(Options{Content: content}, NewPage{Path: "EN/b", AllLanguages: true})
	if diff := cmp.Diff([]Added{{Path: "fi/b.md"}, {Path: "en/b.md", Existed: true}}, added); diff != "" || err != nil {
		t.Errorf("%v, added (-want +got):\n%s", err, diff)
	}
	writeFile(t, filepath.Join(content, "site.yaml"), "no such key: 1\n")
	report, added, err := AddPages(Options{Content: content}, NewPage{Path: "fi/x"})
	if err != nil || report.Errors != 1 || added != nil {
		t.Errorf("with an error in site.yaml: %q, %v, %v", described(report), added, err)
	}
}

// Mistakes in site.yaml come first and alone: what pages come to without what it says
// would mislead.
func TestMistakesOfSiteAreAlone(t *testing.T) {
	fsys := siteOf(map[string]string{"fi/a.md": "---\ntitle: [\n---\n", "xx/b.md": goodPage, "site.yaml": "languages: [fi]\nlanguages_aliases: {xx: fi}\n"})
	want := []string{`content/site.yaml:2:1: unknown key "languages_aliases" [site]`}
	if diff := cmp.Diff(want, described(mustCheck(t, fsys).Report)); diff != "" {
		t.Errorf("check (-want +got):\n%s", diff)
	}
	out := filepath.Join(t.TempDir(), "out")
	result, err := Build(t.Context(), Options{Content: "content", FS: fsys, Out: out, BaseURL: liveBase})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, described(result.Report)); diff != "" || !result.Failed {
		t.Errorf("build: failed %v (-want +got):\n%s", result.Failed, diff)
	}
}

// A folder that is named after a language is an error wherever it is not read as one,
// and counted once; whoever knows that it is none can say so.
func TestLanguageFolder(t *testing.T) {
	files := map[string]string{"posts/fi/a.md": goodPage, "posts/fi/b.md": goodPage, "docs/en/c.md": goodPage}
	site := "namespace: " + randomNamespace + "\nlanguages: [en, fi]\ndates: [fields]\nrules: {missing-translation: off%s}\n%s"
	for _, test := range []struct{ off, more, want, languages string }{
		{"", "default_language: en\n", `[content/posts/fi/a.md:1:1: the folder "fi" is named after a language, and is not read as one (2 pages) [language-folder]]`, "en 3"},
		{", language-folder: off", "default_language: en\n", "[]", "en 3"},
		{"", "layout: ['{section}/{language}/{path}']\n", "[]", "en 1 fi 2"},
	} {
		fsys := siteOf(files)
		fsys["site.yaml"].Data = fmt.Appendf(nil, site, test.off, test.more)
		r := mustCheck(t, fsys)
		languages := []string{}
		for _, l := range r.Languages {
			languages = append(languages, fmt.Sprint(l.Name, " ", l.Records))
		}
		if got := fmt.Sprint(described(r.Report)); got != test.want || strings.Join(languages, " ") != test.languages || r.Failed != (test.want != "[]") {
			t.Errorf("%q: failed %v, %s\n%s", test.off+test.more, r.Failed, languages, got)
		}
		result, err := Build(t.Context(), Options{Content: "content", FS: fsys, Out: filepath.Join(t.TempDir(), "out"), BaseURL: liveBase})
		if err != nil || result.Failed == (result.Changes != nil) || !result.Failed && result.Changes.Files < 6 {
			t.Errorf("%q: build: failed %v, %v", test.off+test.more, result.Failed, err)
		}
	}
}

// What a whole site lacks is one problem, however many pages lack it.
func TestCausesOfTheWholeSite(t *testing.T) {
	files := map[string]string{"pt_BR/a.md": goodPage, "pt_BR/b.md": goodPage, "xx/c.md": goodPage, "fi/d.md": goodPage, "fi/e.md": goodPage}
	fsys := siteOf(files)
	fsys["site.yaml"].Data = []byte("languages: [fi, pt-BR]\ndates: [fields]\nrules: {missing-translation: off}\n")
	want := []string{
		"content/fi/d.md:1:1: the page has no id, and the site no namespace to derive it from (2 pages) [id]",
		`content/pt_BR/a.md:1:1: "pt_BR" is not among the languages in site.yaml (2 pages) [language]`,
		`content/xx/c.md:1:1: "xx" is not among the languages in site.yaml [language]`,
	}
	r := mustCheck(t, fsys)
	if diff := cmp.Diff(want, described(r.Report)); diff != "" || r.Report.Errors != 3 {
		t.Errorf("%d errors (-want +got):\n%s", r.Report.Errors, diff)
	}
	// In the preview each page that has the problem is marked, and the count is right after edits.
	l, _ := newLive(t, fsys)
	delete(fsys, "pt_BR/b.md")
	u := mustUpdate(t, l, []string{"pt_BR/b.md"})
	want[1] = strings.Replace(want[1], " (2 pages)", "", 1)
	if diff := cmp.Diff(want, described(u.Report)); diff != "" {
		t.Errorf("after an edit (-want +got):\n%s", diff)
	}
	if u.Hidden != 4 || u.View.Len() != 0 {
		t.Errorf("%d pages with errors are hidden, %d shown", u.Hidden, u.View.Len())
	}
}

// A page appears in the preview with the first update after its time has come.
func TestLivePublishes(t *testing.T) {
	at := time.Now().Add(1500 * time.Millisecond)
	timed := strings.Replace(goodPage, "---\n", "---\npublish: "+at.UTC().Format(time.RFC3339Nano)+"\n", 1)
	l, u := newLive(t, siteOf(map[string]string{"fi/a.md": goodPage, "fi/b.md": timed}))
	if time.Now().Before(at) && u.View.Len() != 1 {
		t.Errorf("%d pages before the time", u.View.Len())
	}
	time.Sleep(time.Until(at) + time.Millisecond)
	if u = mustUpdate(t, l, []string{}); u.View.Len() != 2 || u.Read > 1 {
		t.Errorf("after it: %d pages, %d read", u.View.Len(), u.Read)
	}
}
