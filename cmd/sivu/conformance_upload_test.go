package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.org/sivu/generator"
	"example.org/sivu/generator/baseurl"
	"example.org/sivu/generator/host"
)

// TestBucketUpload brings a collection to a bucket that grows, and shrinks again.
// The stand-in for aws walks the bucket after every single object.
func TestBucketUpload(t *testing.T) {
	inTestAll(t)
	programOf(t, "node")
	for _, test := range []struct{ host, prefix, folder string }{
		{"s3-website", "/v1", "v1"},
		{"cloudfront", "/v1", ""},
	} {
		t.Run(test.host, func(t *testing.T) {
			t.Parallel()
			h, _ := host.Named(test.host)
			s := bucketService(t, h, test.prefix)
			dir := filepath.Dir(s.root)
			uploaded, log := filepath.Join(dir, "uploaded"), filepath.Join(dir, "aws.log")
			less, more := buildPart(t, s, "less", "en"), buildPart(t, s, "more", "en", "fi", "sv", "ru")
			for _, step := range []struct {
				snapshot string
				all      string
				removes  bool
			}{{less, "", false}, {more, "", false}, {less, "1", true}} {
				os.Remove(log)
				upload(t, s, step.snapshot, uploaded, "AWS_BASE="+s.base(), "AWS_PREFIX="+test.folder, "ALL="+step.all)
				checkBucket(t, step.snapshot, uploaded, test.folder)
				checkOrder(t, log, step.removes)
			}
		})
	}
}

// bucketService is a service that nothing is asked of.
func bucketService(t *testing.T, h *host.Host, prefix string) *served {
	t.Helper()
	base, err := baseurl.Parse("https://www.example.org" + prefix)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	s := &served{host: h, root: filepath.Join(dir, "root"), dir: filepath.Join(dir, "deploy"), config: &host.Config{Base: base, Links: h.Styles[0]}}
	files, err := h.UploadFiles(s.config)
	layFiles(t, s.dir, files, err)
	return s
}

// buildPart builds the pages of the sample site in some of its languages.
func buildPart(t *testing.T, s *served, name string, languages ...string) string {
	t.Helper()
	content := filepath.Join(filepath.Dir(s.root), "content-"+name)
	for _, language := range languages {
		if err := os.CopyFS(filepath.Join(content, language), os.DirFS(filepath.Join("../../content", language))); err != nil {
			t.Fatal(err)
		}
	}
	settings, err := os.ReadFile("../../content/site.yaml")
	if err != nil {
		t.Fatal(err)
	}
	writePublic(t, filepath.Join(content, "site.yaml"), string(settings))
	out := filepath.Join(filepath.Dir(s.root), name)
	buildSample(t, generator.Options{Content: content, Out: out, BaseURL: s.base(), Links: s.config.Links})
	return out
}

// checkBucket wants the files of the snapshot, byte for byte, and no other.
func checkBucket(t *testing.T, snapshot, uploaded, folder string) {
	t.Helper()
	due, is := answersBelow(t, snapshot), answersBelow(t, filepath.Join(uploaded, "bucket", folder))
	for name, text := range due {
		if !bytes.Equal(text, is[name]) {
			t.Errorf("%s has %.100q, want %.100q", name, is[name], text)
		}
	}
	for name := range is {
		if _, ok := due[name]; !ok {
			t.Errorf("%s is still there", name)
		}
	}
	about, err := os.ReadFile(filepath.Join(uploaded, "bucket.json"))
	if err != nil {
		t.Fatal(err)
	}
	for cache, want := range map[string]int{goodCache: len(is) - 2, errorCache: 2} {
		text := `{"type":"application/json","cache":"` + cache + `"}`
		if got := bytes.Count(about, []byte(text)); got != want {
			t.Errorf("%d of %d objects are %s, want %d", got, len(is), text, want)
		}
	}
}

func answersBelow(t *testing.T, root string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(name, ".sivu/") {
			return err
		}
		all[name], err = os.ReadFile(filepath.Join(root, name))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// checkOrder reads the log of what was done: nothing led nowhere at any moment;
// records came first, then list pages in blocks from the last, the first list page
// at the end; what was removed was removed after a wait, and where nothing was nobody
// waited; a cache was made to forget after each of these.
func checkOrder(t *testing.T, log string, removes bool) {
	t.Helper()
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`^put (?:v1/)?pages/page-(\d+)\.json$`)
	var stages []string
	last := 1 << 30
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		stage := ""
		switch {
		case strings.HasPrefix(line, "MISSING"):
			t.Error(line)
		case strings.HasPrefix(line, "sleep "):
			stage = line
		case strings.HasPrefix(line, "cloudfront "):
			stage = strings.Join(strings.Fields(line)[:2], " ")
		case strings.HasPrefix(line, "delete "):
			stage = "delete"
		case strings.HasSuffix(line, "/index.json") && strings.Count(line, "-") == 4:
			stage = "records"
		case strings.HasSuffix(line, "pages/index.json") && strings.HasPrefix(line, "put"):
			stage = "first"
		case list.MatchString(line):
			stage = "lists"
			const block = 4 // see upload
			n, _ := strconv.Atoi(list.FindStringSubmatch(line)[1])
			if n >= last+block {
				t.Errorf("%s: it came after list page %d", line, last)
			}
			last = n
		}
		if stage != "" && (len(stages) == 0 || stages[len(stages)-1] != stage) {
			stages = append(stages, stage)
		}
	}
	forget := []string{"cloudfront create-invalidation", "cloudfront wait"}
	if !strings.Contains(string(text), "cloudfront ") {
		forget = nil
	}
	want := slices.Concat([]string{"records", "lists", "first"}, forget)
	if removes {
		want = slices.Concat(want, []string{"sleep 700", "delete"}, forget)
	}
	if stages[0] == "lists" {
		want = want[1:] // no record is new
	}
	if !slices.Equal(stages, want) {
		t.Errorf("the order was %q, want %q", stages, want)
	}
}
