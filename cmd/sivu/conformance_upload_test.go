package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path"
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

// TestBucketUpload brings a collection to a bucket that grows, and shrinks again, with
// the command of the sample for CI. The bucket is walked after every single object.
func TestBucketUpload(t *testing.T) {
	inTestAll(t)
	for _, test := range []struct{ host, prefix, folder string }{
		{"s3-website", "/v1", "v1"},
		{"s3-compatible", "", ""},
		{"cloudfront", "/v1", ""},
	} {
		t.Run(test.host, func(t *testing.T) {
			t.Parallel()
			h, _ := host.Named(test.host)
			s := bucketService(t, h, test.prefix)
			dir := filepath.Dir(s.root)
			uploaded := filepath.Join(dir, "uploaded")
			less, more := buildPart(t, s, "less", "en"), buildPart(t, s, "more", "en", "fi", "sv", "ru")
			store := newS3Server(t)
			store.after = func(request string) {
				for _, missing := range store.walk(s.base(), test.folder) {
					t.Errorf("after %s, %s is missing", request, missing)
				}
			}
			for _, step := range []struct {
				snapshot string
				changes  bool
			}{{less, false}, {more, true}, {less, true}} {
				store.requests()
				forgot := publishSample(t, s, store, step.snapshot)
				if forgot != (step.changes && h.Name == "cloudfront") {
					t.Errorf("the cache was made to forget: %t", forgot)
				}
				checkOrder(t, store.requests(), step.snapshot == more || !step.changes, test.folder)
			}
			// What left the lists is there until a run after a while.
			if keys := len(store.objects); keys < len(answersBelow(t, more)) {
				t.Errorf("the bucket has %d objects, and some left too soon", keys)
			}
			if out, err := store.sivu(t, "publish", "s3://bucket/"+test.folder, "--from", less, "--keep-removed", "0s"); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			store.lay(t, filepath.Join(uploaded, "bucket"))
			checkBucket(t, less, uploaded, test.folder)
		})
	}
}

// publishSample runs the command that brings a snapshot to the bucket in the sample for
// CI, and reports whether that made a cache forget what it has.
func publishSample(t *testing.T, s *served, store *s3Server, snapshot string) (forgot bool) {
	t.Helper()
	sample, err := os.ReadFile(s.path("github.yml"))
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile(`(?m)^ +sivu (publish .*)$`).FindSubmatch(sample)
	if command == nil {
		t.Fatal("the sample does not publish")
	}
	c := exec.CommandContext(t.Context(), "sh", "-c", "for word in "+string(command[1])+`; do printf '%s\0' "$word"; done`)
	c.Env = append(os.Environ(), "BUCKET=bucket")
	words, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	args := strings.Split(strings.TrimSuffix(string(words), "\x00"), "\x00")
	tools := t.TempDir()
	log := filepath.Join(tools, "aws.log")
	writeTool(t, tools, "aws", `printf '%s ' "$@" >>'`+log+`'; echo >>'`+log+`'; echo I1`)
	for i, word := range args {
		switch word {
		case "public":
			args[i] = snapshot
		case "sh deploy/forget.sh":
			args[i] = "PATH='" + tools + "':\"$PATH\" DISTRIBUTION=D1 sh '" + s.path("forget.sh") + "'"
		}
	}
	if out, err := store.sivu(t, args...); err != nil {
		t.Fatalf("sivu %q: %v: %s", args, err, out)
	}
	said, err := os.ReadFile(log)
	if err != nil {
		return false
	}
	want := regexp.MustCompile(`^cloudfront create-invalidation --distribution-id D1 --paths /\* .*\ncloudfront wait invalidation-completed --distribution-id D1 --id I1 \n$`)
	if !want.Match(said) {
		t.Errorf("aws was called as %q", said)
	}
	return true
}

// walk follows next, previous and url from the first list page, in both variants, once
// there is one, and returns what is missing. The caller holds the lock.
func (s *s3Server) walk(base, folder string) (missing []string) {
	for _, ending := range []string{".json", ".api.json"} {
		todo := []string{"pages/index" + ending}
		seen := map[string]bool{}
		if _, ok := s.objects[path.Join(folder, todo[0])]; !ok {
			continue
		}
		for len(todo) > 0 {
			name := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if seen[name] {
				continue
			}
			seen[name] = true
			o, ok := s.objects[path.Join(folder, name)]
			if !ok {
				missing = append(missing, name)
				continue
			}
			var answer struct {
				Next, Previous string
				Results        []struct{ URL string }
			}
			json.Unmarshal(o.data, &answer)
			links := []string{answer.Next, answer.Previous}
			for _, record := range answer.Results {
				links = append(links, record.URL)
			}
			for _, link := range links {
				if rest, ok := strings.CutPrefix(link, base+"/"); ok {
					todo = append(todo, fileOfAddress(rest, ending))
				}
			}
		}
	}
	return missing
}

func fileOfAddress(address, ending string) string {
	name, query, _ := strings.Cut(address, "?")
	if strings.HasSuffix(name, ".json") {
		return name
	}
	if values, _ := url.ParseQuery(query); values.Get("page") != "" {
		return name + "page-" + values.Get("page") + ending
	}
	return name + "index" + ending
}

// bucketService is a service that nothing is asked of.
func bucketService(t *testing.T, h *host.Host, prefix string) *served {
	t.Helper()
	base, err := baseurl.Parse("https://www.example.org" + prefix)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	s := &served{host: h, root: filepath.Join(dir, "root"), dir: filepath.Join(dir, "deploy"), config: &host.Config{Base: base, Links: h.Styles()[0]}}
	files, err := hostFiles(h, s.config)
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

// checkOrder looks at the requests of a publication: records came first, then list pages
// from the last, the first list page at the end, and nothing was removed.
func checkOrder(t *testing.T, requests []string, hasRecords bool, folder string) {
	t.Helper()
	list := regexp.MustCompile(`^PUT pages/page-(\d+)\.json$`)
	var stages []string
	last := 1 << 30
	for _, line := range requests {
		if folder != "" {
			line = strings.Replace(line, " "+folder+"/", " ", 1)
		}
		stage := ""
		switch {
		case strings.HasPrefix(line, "DELETE pages"):
			t.Error(line)
		case strings.HasPrefix(line, "PUT pages/index."), strings.HasPrefix(line, "PUT pages/page-1."):
			stage = "first"
		case strings.HasSuffix(line, "/index.json") && strings.Count(line, "-") == 4:
			stage = "records"
		case list.MatchString(line):
			stage = "lists"
			const inParallel = 16
			n, _ := strconv.Atoi(list.FindStringSubmatch(line)[1])
			if n >= last+inParallel {
				t.Errorf("%s: it came after list page %d", line, last)
			}
			last = n
		}
		if stage != "" && (len(stages) == 0 || stages[len(stages)-1] != stage) {
			stages = append(stages, stage)
		}
	}
	want := []string{"records", "lists", "first"}
	if !hasRecords {
		want = want[1:]
	}
	if len(stages) > 0 && stages[len(stages)-1] == "first" && last == 1<<30 {
		want = slices.DeleteFunc(want, func(stage string) bool { return stage == "lists" }) // there is one list page
	}
	if !slices.Equal(stages, want) {
		t.Errorf("the order was %q, want %q", stages, want)
	}
}
