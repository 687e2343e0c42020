package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// What a store answers becomes an error that says what to do.
func TestPublishErrors(t *testing.T) {
	out := builtSite(t)
	answer := func(status int, body string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
			w.WriteHeader(status)
			fmt.Fprint(w, body)
			return true
		}
	}
	coded := func(status int, code string) func(http.ResponseWriter, *http.Request) bool {
		return answer(status, "<Error><Code>"+code+"</Code><Message>so it is</Message><Region>eu-north-1</Region></Error>")
	}
	for name, test := range map[string]struct {
		fail          func(http.ResponseWriter, *http.Request) bool
		message, hint string
	}{
		"no bucket":    {coded(404, "NoSuchBucket"), `there is no bucket "bucket" at http://`, "make it, or look at the name"},
		"denied":       {coded(403, "AccessDenied"), "cannot read s3://bucket/v1/.sivu/head: access denied", "s3:GetObject"},
		"no such key":  {coded(403, "InvalidAccessKeyId"), "does not accept the credentials: so it is", "AWS_ACCESS_KEY_ID"},
		"no such user": {coded(404, "XAdminUserNotFound"), "does not accept the credentials: so it is", "AWS_ACCESS_KEY_ID"}, // versitygw's
		"other 403":    {coded(403, "NobodyKnows"), "cannot read s3://bucket/v1/.sivu/head: so it is", "AWS_ACCESS_KEY_ID"},
		"region":       {coded(400, "AuthorizationHeaderMalformed"), `the bucket "bucket" is in another region: so it is`, "give --region eu-north-1"},
		"redirect":     {coded(301, "PermanentRedirect"), `the bucket "bucket" is in another region`, "give --region eu-north-1"},
		"skewed":       {coded(403, "RequestTimeTooSkewed"), "does not accept the time of this machine", "set its clock"},
		"no XML":       {answer(400, "<html>nonsense"), "cannot read s3://bucket/v1/.sivu/head: ", ""},
		"too large":    {answer(200, strings.Repeat("x", 100<<10)), "is no state of sivu: it is larger than 64 kB", "name another place with --state"},
		"newer":        {answer(200, `{"format":7}`), "the state of the bucket has format 7, and this version of sivu knows 1", "use a newer sivu"},
		"at work": {answer(200, fmt.Sprintf(`{"format":1,"content":"%[1]s","headers":"%[1]s","lock":{"nonce":"n","by":"somebody\u001b","since":"2026-01-02T03:04:05Z","lease":3600,"plans":[]}}`, strings.Repeat("0", 64))),
			"another publisher is at work: somebody", "wait until it ends, or let --wait do so"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := newS3Server(t)
			store.fail = test.fail
			said, err := store.sivu(t, "publish", "s3://bucket/v1", "--from", out)
			if err == nil || !strings.Contains(said, test.message) || !strings.Contains(said, test.hint) || strings.Contains(said, "\x1b") {
				t.Errorf("%v:\n%s\nwant %q, %q", err, said, test.message, test.hint)
			}
		})
	}
}

// A failure that passes is no failure.
func TestPublishRetries(t *testing.T) {
	t.Parallel()
	out, store, n := builtSite(t), newS3Server(t), 0
	store.fail = func(w http.ResponseWriter, r *http.Request) bool {
		if n++; n%4 != 0 {
			return false
		}
		s3Error(w, http.StatusServiceUnavailable, "SlowDown")
		return true
	}
	if said, err := store.sivu(t, "publish", "s3://bucket", "--from", out); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	if said, err := store.sivu(t, "publish", "s3://bucket", "--from", out); err != nil || !strings.Contains(said, "\nrequests    1, 0 B\npublished to s3://bucket in ") {
		t.Errorf("%v: %s", err, said)
	}
}

// What is built for a bucket has links that name files. What was built before is sent
// with any, and a warning.
func TestPublishLinks(t *testing.T) {
	t.Parallel()
	store, out := newS3Server(t), filepath.Join(t.TempDir(), "public")
	said, err := store.sivu(t, "publish", "s3://bucket", "--content", "../../content", "--base-url", "https://api.example.org", "--out", out)
	if err != nil || strings.Contains(said, "warning: the snapshot has") || !strings.Contains(string(store.objects["pages/index.json"].data), "/pages/page-2.json?page=2") {
		t.Errorf("built for the bucket: %v: %s", err, said)
	}
	said, err = store.sivu(t, "publish", "s3://bucket", "--from", out)
	if err != nil || strings.Contains(said, "warning") {
		t.Errorf("files: %v: %s", err, said)
	}
	command(t, "build", "--quiet", "--content", "../../content", "--base-url", "https://api.example.org", "--out", out)
	said, err = store.sivu(t, "publish", "s3://bucket", "--from", out)
	if err != nil || strings.Count(said, "warning: the snapshot has query links, which a bucket cannot serve: ") != 1 {
		t.Errorf("query: %v: %s", err, said)
	}
	said, err = store.sivu(t, "publish", "s3://bucket", "--from", out, "--host", "cloudfront")
	if err != nil || strings.Contains(said, "warning") {
		t.Errorf("query for a host that routes: %v: %s", err, said)
	}
	said, err = store.sivu(t, "publish", "s3://bucket", "--from", out, "--host", "s3-website")
	if err == nil || !strings.Contains(said, "s3-website cannot serve query links") {
		t.Errorf("query for a host that does not: %v: %s", err, said)
	}
	empty := t.TempDir()
	command(t, "build", "--quiet", "--allow-empty", "--content", empty, "--base-url", "https://api.example.org", "--out", out)
	said, err = store.sivu(t, "publish", "s3://bucket", "--from", out, "--host", "s3-website")
	if err != nil || strings.Contains(said, "warning") {
		t.Errorf("no records, and so no links: %v: %s", err, said)
	}
}

// A publication that is interrupted says so, and the next one completes it. What it keeps
// is told in plain words.
func TestPublishInterrupted(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be sent an interrupt")
	}
	sites, store := sitesOf(t, "en,fi", "en"), newS3Server(t)
	c := exec.CommandContext(t.Context(), sivuProgram(t), "publish", "s3://bucket", "--from", sites[0], "--endpoint", store.URL)
	var said strings.Builder
	c.Stdout, c.Stderr = &said, &said
	started, once := make(chan struct{}), sync.Once{}
	store.mu.Lock()
	store.after = func(request string) {
		if strings.HasPrefix(request, "PUT pages/") {
			once.Do(func() { <-started; c.Process.Signal(os.Interrupt) })
			time.Sleep(10 * time.Millisecond)
		}
	}
	store.mu.Unlock()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	close(started)
	if err := c.Wait(); err == nil || !strings.Contains(said.String(), "sivu: interrupted; the publication is not complete; the next sivu publish completes it\n") {
		t.Errorf("%v: %s", err, &said)
	}
	for i, want := range []string{"completed a publication that did not end", "24 objects no longer listed, for clients with older lists; a run after "} {
		if text, err := store.sivu(t, "publish", "s3://bucket", "--from", sites[i]); err != nil || !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
			t.Errorf("%v: %s", err, text)
		}
	}
}

// A dry run says how much would be sent. The command of --on-change gets the addresses
// of what changed, and if it fails, gets them again.
func TestPublishTells(t *testing.T) {
	t.Parallel()
	store, dir := newS3Server(t), t.TempDir()
	content, out := filepath.Join(dir, "content"), filepath.Join(dir, "public")
	page := func(body string) {
		writePublic(t, filepath.Join(content, "en/page.md"), "---\ntitle: One\ncreated: 2024-01-02T03:04:05Z\nid: 5a6593c8-468e-48cd-9cf2-4d15be308bcb\n---\n\n"+body+"\n")
	}
	writePublic(t, filepath.Join(content, "site.yaml"), "base_url: https://api.example.org/v1\nlanguages: [en]\n")
	args := []string{"publish", "s3://bucket", "--content", content, "--out", out, "--host", "cloudfront"}
	run := func(failed bool, more ...string) string {
		t.Helper()
		said, err := store.sivu(t, append(args, more...)...)
		if (err != nil) != failed {
			t.Fatalf("%v: %s", err, said)
		}
		return said
	}
	page("Some text.")
	run(false)
	page("Other text.")
	store.requests()
	if said := run(false, "--dry-run"); !strings.Contains(said, "0 added, 2 changed, 0 no longer listed, 6 unchanged") || !strings.Contains(said, "\ndry run: nothing sent to s3://bucket (") {
		t.Errorf("the dry run says %s", said)
	}
	for _, r := range store.requests() {
		if !strings.HasPrefix(r, "GET ") {
			t.Errorf("the dry run makes the request %s", r)
		}
	}
	told := filepath.Join(dir, "told")
	const want = "https://api.example.org/v1/pages/5a6593c8-468e-48cd-9cf2-4d15be308bcb/?format=api\nhttps://api.example.org/v1/pages/5a6593c8-468e-48cd-9cf2-4d15be308bcb/\n"
	for _, failed := range []bool{true, false} {
		said := run(failed, "--on-change", fmt.Sprintf("cat >'%s'; %t", told, !failed))
		text, err := os.ReadFile(told)
		if string(text) != want || err != nil {
			t.Errorf("the command is told %q, %v", text, err)
		}
		if failed && !strings.Contains(said, "the command of --on-change failed: exit status 1") || !failed && !strings.Contains(said, "completed   a publication that did not end") {
			t.Errorf("it says %s", said)
		}
		os.Remove(told)
	}
	if run(false, "--on-change", "echo >'"+told+"'"); !isMissing(told) {
		t.Error("nothing changed, and the command is run")
	}
	// What was built before says itself what its addresses are.
	page("Some text.")
	command(t, "build", "--quiet", "--content", content, "--out", out)
	args = []string{"publish", "s3://bucket", "--from", out}
	run(false, "--on-change", "cat >'"+told+"'")
	if text, _ := os.ReadFile(told); string(text) != want {
		t.Errorf("the command is told %q", text)
	}
}

func isMissing(name string) bool {
	_, err := os.Lstat(name)
	return os.IsNotExist(err)
}

// A store keeps others away by its own clock.
func TestPublishWaits(t *testing.T) {
	t.Parallel()
	out, store := builtSite(t), newS3Server(t)
	if said, err := store.sivu(t, "publish", "s3://bucket", "--from", out, "--on-change", "exit 1"); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	head := store.objects[".sivu/head"]
	head.data = []byte(strings.Replace(string(head.data), `"lock":null`, `"lock":{"nonce":"n","by":"me","since":"2026-01-02T03:04:05Z","lease":1,"plans":[]}`, 1))
	head.written = time.Now()
	store.objects[".sivu/head"] = head
	said, err := store.sivu(t, "publish", "s3://bucket", "--from", out, "--wait")
	if err != nil || !strings.Contains(said, "waiting for another publisher on s3://bucket, me; Ctrl-C ends the waiting") {
		t.Errorf("%v: %s", err, said)
	}
}
