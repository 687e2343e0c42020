package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"example.org/sivu/generator"
	"example.org/sivu/generator/bucket"
)

// gateway is versitygw, a real object store with the S3 API, whose buckets are folders
// below root. What asks it goes through a proxy that sees each request.
type gateway struct {
	root    string
	address string
}

// TestObjectStore publishes to a real store, as people do: as a process of its own.
func TestObjectStore(t *testing.T) {
	if os.Getenv(requireHosts) != "1" {
		t.Skip("builds a whole object store; set " + requireHosts + "=1 for it")
	}
	dir := t.TempDir()
	g := &gateway{root: filepath.Join(dir, "buckets"), address: freeAddress(t)}
	program, err := exec.Command("go", "-C", "testdata/s3server", "tool", "-n", "versitygw").Output()
	if err != nil {
		t.Fatalf("versitygw is not built: %v", err)
	}
	if err := errors.Join(os.Mkdir(g.root, 0o755), os.Mkdir(filepath.Join(dir, "meta"), 0o755)); err != nil {
		t.Fatal(err)
	}
	start(t, &served{dir: dir}, g.address, strings.TrimSpace(string(program)), "--access", os.Getenv("AWS_ACCESS_KEY_ID"), "--secret", os.Getenv("AWS_SECRET_ACCESS_KEY"),
		"--port", g.address, "--quiet", "posix", "--sidecar", filepath.Join(dir, "meta"), g.root)
	for name, test := range map[string]func(*testing.T){
		"sample": g.testSample, "archive": g.testArchive, "kills": g.testKills, "two": g.testTwo, "dead": g.testDead, "large": g.testLarge, "public": g.testPublic,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t)
		})
	}
}

// place is one bucket, and the way to it.
type place struct {
	*gateway
	name string
	*httptest.Server

	mu      sync.Mutex
	log     []string
	before  func(n int) // called before and after the nth request since the log was read
	after   func(n int)
	counted int
}

func (g *gateway) place(t *testing.T, name string) *place {
	t.Helper()
	p := &place{gateway: g, name: name}
	if err := os.Mkdir(p.folder(), 0o755); err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: g.address})
			r.Out.Host = r.In.Host // it is signed
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.log = append(p.log, r.Method+" "+strings.TrimPrefix(r.URL.Path, "/"+name+"/"))
		p.counted++
		n, before, after := p.counted, p.before, p.after
		p.mu.Unlock()
		if before != nil {
			before(n)
		}
		proxy.ServeHTTP(w, r)
		if after != nil {
			after(n)
		}
	}))
	t.Cleanup(p.Close)
	return p
}

func (p *place) folder() string { return filepath.Join(p.root, p.name) }

// requests returns how many there were of each method since it was called last.
func (p *place) requests() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	counts := map[string]int{}
	for _, line := range p.log {
		method, _, _ := strings.Cut(line, " ")
		counts[method]++
	}
	p.log, p.counted = nil, 0
	return counts
}

func (p *place) command(args ...string) *exec.Cmd {
	return exec.Command("sivu", append([]string{"publish", "s3://" + p.name + "/v1", "--endpoint", p.URL, "--quiet"}, args...)...)
}

func (p *place) publish(t *testing.T, args ...string) {
	t.Helper()
	if out, err := p.command(args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// compare wants the files of a folder in the bucket, and no others.
func (p *place) compare(t *testing.T, folder string) {
	t.Helper()
	due, is := answersBelow(t, folder), answersBelow(t, filepath.Join(p.folder(), "v1"))
	for name := range is {
		if strings.Contains(name, ".sgwtmp") {
			delete(is, name)
		}
	}
	if !maps.EqualFunc(due, is, bytes.Equal) {
		t.Errorf("the bucket has %d objects, and they are not the %d of %s", len(is), len(due), folder)
	}
}

// expire makes the lease of a publisher that is dead end: the store tells the age of
// an object by the time of its file.
func (p *place) expire(t *testing.T) {
	t.Helper()
	long := time.Now().Add(-time.Hour)
	err := os.Chtimes(filepath.Join(p.folder(), "v1/.sivu/head"), long, long)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
}

// sitesOf builds the sample site in some languages, each time into a folder of its own.
func sitesOf(t *testing.T, languages ...string) (folders []string) {
	t.Helper()
	dir := t.TempDir()
	for _, list := range languages {
		content := filepath.Join(dir, "content-"+list)
		for language := range strings.SplitSeq(list, ",") {
			if err := os.CopyFS(filepath.Join(content, language), os.DirFS(filepath.Join("../../content", language))); err != nil {
				t.Fatal(err)
			}
		}
		settings, err := os.ReadFile("../../content/site.yaml")
		if err != nil {
			t.Fatal(err)
		}
		writePublic(t, filepath.Join(content, "site.yaml"), string(settings))
		out := filepath.Join(dir, list)
		buildSample(t, generator.Options{Content: content, Out: out, Links: "file"})
		folders = append(folders, out)
	}
	return folders
}

func (g *gateway) testSample(t *testing.T) {
	p := g.place(t, "sample")
	out := filepath.Join(t.TempDir(), "public")
	args := []string{"--content", "../../content", "--out", out}
	p.publish(t, args...)
	p.compare(t, out)
	p.requests()
	p.publish(t, args...)
	if counts := p.requests(); !maps.Equal(counts, map[string]int{"GET": 1}) {
		t.Errorf("nothing changed, and there were %v", counts)
	}
	store, err := bucket.OpenS3(p.name, bucket.S3Options{Endpoint: p.URL})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bucket.Headers{
		"v1/pages/index.json": {ContentType: "application/json", CacheControl: goodCache}, "v1/404.json": {ContentType: "application/json", CacheControl: errorCache},
	} {
		if o, err := store.Get(t.Context(), name, 1<<20); err != nil || o.Headers != want {
			t.Errorf("%s: %v, %v", name, o, err)
		}
	}
	// Without its state, the bucket is listed, and only what differs is sent.
	writePublic(t, filepath.Join(p.folder(), "v1/photo.jpg"), "somebody's")
	for o, err := range store.List(t.Context(), "v1/.sivu/") {
		if err = errors.Join(err, store.Delete(t.Context(), o.Key)); err != nil {
			t.Fatal(err)
		}
	}
	p.requests()
	p.publish(t, args...)
	if counts := p.requests(); counts["PUT"] > 10 {
		t.Errorf("nothing changed but the state was lost, and there were %v", counts)
	}
	if err := os.Remove(filepath.Join(p.folder(), "v1/photo.jpg")); err != nil {
		t.Errorf("what somebody else put there: %v", err)
	}
	p.compare(t, out)
}

// testPublic verifies what the store serves to everybody.
func (g *gateway) testPublic(t *testing.T) {
	p := g.place(t, "public")
	base := "http://" + g.address + "/public/v1"
	p.publish(t, "--content", "../../content", "--out", filepath.Join(t.TempDir(), "public"), "--base-url", base)
	client, err := minio.New(g.address, &minio.Options{Creds: credentials.NewEnvAWS()})
	if err != nil {
		t.Fatal(err)
	}
	const policy = `{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::public/*"}]}`
	if err := client.SetBucketPolicy(t.Context(), p.name, policy); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("sivu", "verify", "--host", "s3-compatible", "--links", "file+query", base).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func (g *gateway) testArchive(t *testing.T) {
	p := g.place(t, "archive")
	sites := sitesOf(t, "en", "en,fi,sv")
	old := filepath.Join(t.TempDir(), "old.tar.zst")
	command(t, "build", "--quiet", "--content", filepath.Join(filepath.Dir(sites[0]), "content-en"), "--links", "file", "--archive", old)
	p.publish(t, "--from", sites[1])
	p.compare(t, sites[1])
	p.publish(t, "--from", old, "--keep-removed", "0s")
	p.compare(t, sites[0])
}

// testKills kills publishers at hundreds of moments while a client walks.
func (g *gateway) testKills(t *testing.T) {
	kills := 200
	if n, err := strconv.Atoi(os.Getenv("SIVU_KILLS")); err == nil {
		kills = n
	}
	p := g.place(t, "kills")
	sites := sitesOf(t, "en,ru", "en,fi,sv", "fi,ru,so,et")
	p.publish(t, "--from", sites[0])
	stop := make(chan struct{})
	var walker sync.WaitGroup
	walker.Go(func() {
		for {
			p.walk(t)
			select {
			case <-stop:
				return
			default:
			}
		}
	})
	random, killed := rand.New(rand.NewPCG(1, 2)), 0
	for i := range kills {
		at, late := 1+random.IntN(80), random.IntN(2) == 0
		p.requests()
		c := p.command("--from", sites[random.IntN(len(sites))])
		started := make(chan struct{})
		kill := func(n int) {
			if n == at {
				<-started
				c.Process.Kill()
			}
		}
		p.mu.Lock()
		p.before, p.after = nil, nil
		if late {
			p.after = kill
		} else {
			p.before = kill
		}
		p.mu.Unlock()
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		close(started)
		if c.Wait() != nil {
			killed++
		}
		p.mu.Lock()
		p.before, p.after = nil, nil
		p.mu.Unlock()
		p.expire(t)
		if i%20 == 19 {
			end := sites[i/20%len(sites)]
			p.publish(t, "--from", end)
			p.compareDue(t, end)
		}
		if t.Failed() {
			break
		}
	}
	close(stop)
	walker.Wait()
	if t.Logf("%d of %d publishers were killed", killed, kills); killed < kills/3 {
		t.Error("too few were killed at work")
	}
	p.publish(t, "--from", sites[1])
	p.publish(t, "--from", sites[1], "--keep-removed", "0s")
	p.compare(t, sites[1])
}

// compareDue wants the files of a folder in the bucket, and lets others be there.
func (p *place) compareDue(t *testing.T, folder string) {
	t.Helper()
	is := answersBelow(t, filepath.Join(p.folder(), "v1"))
	for name, data := range answersBelow(t, folder) {
		if !bytes.Equal(is[name], data) {
			t.Errorf("%s is not as it is in %s", name, folder)
		}
	}
}

// walk follows all links from the first list page, with requests to the store.
func (p *place) walk(t *testing.T) {
	store, err := bucket.OpenS3(p.name, bucket.S3Options{Endpoint: "http://" + p.address})
	if err != nil {
		t.Error(err)
		return
	}
	for next := "pages/index.json"; next != ""; {
		var page struct {
			Next    string
			Results []struct{ URL string }
		}
		p.fetch(t, store, next, &page)
		for _, record := range page.Results {
			var detail struct{ Content string }
			_, name, _ := strings.Cut(record.URL, "/pages/")
			p.fetch(t, store, "pages/"+name, &detail)
		}
		_, name, ok := strings.Cut(page.Next, "/pages/")
		if next = ""; ok {
			next = "pages/" + name
		}
	}
}

func (p *place) fetch(t *testing.T, store bucket.Store, name string, into any) {
	object, err := store.Get(t.Context(), "v1/"+name, 1<<20)
	if err == nil {
		err = json.Unmarshal(object.Data, into)
	}
	if err != nil {
		t.Errorf("the client asks for %s: %v", name, err)
	}
}

// testTwo has publishers of different sites at work at the same time. All come to their
// end, and what is there then is one of the sites, whole.
func (g *gateway) testTwo(t *testing.T) {
	p := g.place(t, "two")
	sites := sitesOf(t, "en", "fi,sv", "ru,so,et")
	var all sync.WaitGroup
	for _, site := range sites {
		all.Go(func() {
			if out, err := p.command("--from", site, "--wait", "--keep-removed", "0s").CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	all.Wait()
	is := answersBelow(t, filepath.Join(p.folder(), "v1"))
	if !slices.ContainsFunc(sites, func(site string) bool { return maps.EqualFunc(answersBelow(t, site), is, bytes.Equal) }) {
		t.Error("what is in the bucket is none of the sites")
	}
}

// testDead lets the lease of a publisher that was killed end by itself.
func (g *gateway) testDead(t *testing.T) {
	p := g.place(t, "dead")
	sites := sitesOf(t, "en", "en,fi")
	p.publish(t, "--from", sites[0])
	p.requests()
	c := p.command("--from", sites[1], "--lease", "2s")
	p.after = func(n int) {
		if n == 20 {
			c.Process.Kill()
		}
	}
	if err := c.Run(); err == nil {
		t.Fatal("it was not killed")
	}
	p.after = nil
	out, err := p.command("--from", sites[1]).CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitFailed || !strings.Contains(string(out), "another publisher is at work: ") {
		t.Errorf("while the lease runs: %v: %s", err, out)
	}
	p.publish(t, "--from", sites[1], "--wait", "--keep-removed", "0s")
	p.compare(t, sites[1])
}

// testLarge publishes 12,000 records, and then one of them with another title of the
// same length, and one with another body.
func (g *gateway) testLarge(t *testing.T) {
	const records = 12_000
	dir := t.TempDir()
	content, out := filepath.Join(dir, "content"), filepath.Join(dir, "public")
	page := func(n int, title, body string) {
		writePublic(t, filepath.Join(content, fmt.Sprintf("en/%03d/%d.md", n/100, n)),
			fmt.Sprintf("---\ntitle: %s %05d\ncreated: 2024-01-02T03:04:05Z\n---\n\n%s of page %d.\n", title, n, body, n))
	}
	for n := range records {
		page(n, "Title", "The body")
	}
	writePublic(t, filepath.Join(content, "site.yaml"), "base_url: https://api.example.org\nnamespace: 5d5e2b6c-9f0a-4a53-8f3b-0a3f6f4e1c11\nlanguages: [en]\n")
	p := g.place(t, "large")
	args := []string{"--content", content, "--out", out, "--links", "file"}
	p.publish(t, args...)
	p.compare(t, out)
	for _, step := range []struct {
		title, body string
		files       int
	}{{"Titel", "The body", 4}, {"Titel", "Another body", 2}} {
		page(7_000, step.title, step.body)
		p.requests()
		p.publish(t, args...)
		counts := p.requests()
		if counts["PUT"] != step.files+4 || counts["LIST"]+counts["DELETE"] > 0 {
			t.Errorf("%s, %s: there were %v", step.title, step.body, counts)
		}
		t.Logf("%s, %s: %v", step.title, step.body, counts)
		p.compare(t, out)
	}
}
