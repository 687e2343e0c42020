package host

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/template"

	"example.org/sivu/generator/api"
	"example.org/sivu/templates"
)

// What caches may keep (the silent failures and numbers of host configurations
// that were tried): hosts that forget all on a new deploy are asked each time;
// others keep an answer for a minute, and use it for ten while they ask. An
// error is soon asked for again, as it may be a record that was just added.
const (
	cacheDeploy = "public, max-age=0, must-revalidate"
	cacheMinute = "public, max-age=60, stale-while-revalidate=600"
	cacheError  = "public, max-age=10"

	// longestKept is for how many seconds caches may use what cacheMinute lets
	// them keep, and some more for clocks that differ.
	longestKept = 60 + 600 + 40
)

// site is what the templates of hosts are filled with. Its [[ and ]] leave the
// braces of JSON, JavaScript and workflows alone.
type site struct {
	*Config
	*plan
	BaseURL    string
	Cache      string
	ErrorCache string
}

// Name returns the name of the host on the command line.
func (s site) Name() string { return s.name }

// Title returns the name of the host as its maker calls it.
func (s site) Title() string { return s.title }

// ErrorKey returns where the body of the answer 404 lies in the store.
func (s site) ErrorKey() string {
	return strings.TrimPrefix(s.Folder+"/"+api.NotFoundFile, "/")
}

// CacheURL returns where a cache is asked to forget, on its own machine.
func (s site) CacheURL() (string, error) {
	var own server
	err := own.setBase(s.Config)
	if err == nil {
		err = own.setListen(s.Config)
	}
	return own.Listen.URL(), err
}

// Key is the name of all answers of the service in a cache.
func (s site) Key() (string, error) {
	var own server
	err := own.setBase(s.Config)
	return own.Key(), err
}

// Pattern returns the path of the base address as a regular expression.
func (s site) Pattern() string { return regexp.QuoteMeta(s.Prefix()) }

// ResourceName returns a name for what the site has in an account of a maker. Two
// sites have two names, however much their addresses look alike, and with the
// longest ending that is put behind it a name keeps to 64 characters.
func (s site) ResourceName() string {
	const most, ofHash = 32, 4
	words := strings.Trim(notWord.ReplaceAllString(s.Base.Host+s.Prefix(), "-"), "-")
	hash := sha256.Sum256([]byte(s.BaseURL))
	return fmt.Sprintf("sivu-%s-%x", words[:min(len(words), most)], hash[:ofHash])
}

// Link returns a pattern of grep -E for what comes behind the base address in the
// next of the first list page, where there is one, and in the url of its records.
func (s site) Link(name string) string {
	links := map[string][2]string{
		"query":      {"?page=2", ""},
		"file":       {"page-2.json", "index.json"},
		"file+query": {"page-2.json?page=2", "index.json"},
	}[s.Links]
	if name == "next" {
		return regexp.QuoteMeta(s.BaseURL + "/pages/" + links[0])
	}
	return regexp.QuoteMeta(s.BaseURL+"/pages/") + "[0-9a-f-]{36}/" + regexp.QuoteMeta(links[1])
}

// Keeps returns the endings of compressed siblings that the host sends.
func (s site) Keeps() []string { return s.codings }

// Drops returns those of which it sends none.
func (s site) Drops() []string {
	return slices.DeleteFunc([]string{"gz", "br", "zst"}, func(coding string) bool { return slices.Contains(s.codings, coding) })
}

// Pages returns the numbers of all list pages.
func (s site) Pages() []int {
	numbers := make([]int, s.ListPages)
	for i := range numbers {
		numbers[i] = i + 1
	}
	return numbers
}

// siteTemplates are all files below templates/hosts, by their paths there. They
// are read once.
var siteTemplates = sync.OnceValues(func() (*template.Template, error) {
	root := template.New("").Delims("[[", "]]").Option("missingkey=error").Funcs(template.FuncMap{
		"json": jsonText,
		"sh":   shellWord,
		"wait": func() int { return longestKept },
		"dir":  path.Dir,
	})
	files := templates.Hosts()
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, name)
		if err == nil {
			_, err = root.New(name).Parse(string(text))
		}
		return err
	})
	return root, err
})

// part is one file that a template makes.
type part struct {
	template string
	name     string
	where    string
	mode     uint32
}

// fill makes files of templates, in order.
func (p *plan) fill(c *Config, parts ...part) ([]File, error) {
	if err := new(server).setBase(c); err != nil {
		return nil, err
	}
	all, err := siteTemplates()
	if err != nil {
		return nil, err
	}
	config, placed := *c, *p
	if config.Links == "" {
		config.Links = p.styles[0]
	}
	if p.folder != nil {
		placed.Folder = p.folder(c)
	}
	var files []File
	for _, one := range parts {
		var b bytes.Buffer
		if err := all.ExecuteTemplate(&b, one.template, site{&config, &placed, c.Base.String(), p.cache, cacheError}); err != nil {
			return nil, err
		}
		files = append(files, File{Name: one.name, Data: b.Bytes(), Mode: one.mode, Where: one.where})
	}
	return files, nil
}

// jsonText returns a value as JSON, which is also JavaScript.
func jsonText(v any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// shellWord returns a text as one word of a POSIX shell.
func shellWord(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// notFoundPage is the page that hosts show where a file is missing: the body of
// the contract. Where there is none, some answer with status 200 and a page.
func notFoundPage() File {
	return File{Name: "404.html", Data: []byte(api.NotFoundBody), Where: inSnapshot}
}

// inSnapshot is where files go that lie in the snapshot itself.
const inSnapshot = "the folder of the snapshot; sivu build --host puts it there"
