package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.org/sivu/generator/baseurl"
	"example.org/sivu/generator/host"
)

// TestCloudFrontSetup loses the answer to each call of setup.sh to AWS in turn, and
// runs the script again: the account is then the same as after a run without a
// failure. A call that fails before it has an effect leaves what the one before it
// leaves.
func TestCloudFrontSetup(t *testing.T) {
	inTestAll(t)
	t.Parallel()
	const one, other = "https://a.b.example.fi/v1", "https://a-b.example.fi/v1"
	whole := newAccount(t)
	id := whole.setUp(t, one)
	calls := whole.calls
	if again := whole.setUp(t, one); again != id {
		t.Errorf("a second run prints %q, want the distribution of the first, %q", again, id)
	}
	want := maps.Clone(whole.things)
	for at := 1; at <= calls; at++ {
		a := newAccount(t)
		a.failAt = at
		if _, err := a.run(t, one); err == nil {
			t.Errorf("call %d fails, and setup.sh does not", at)
		}
		a.failAt = 0
		if got := a.setUp(t, one); got != id {
			t.Errorf("call %d failed: the distribution is %q, want %q", at, got, id)
		}
		if diff := cmp.Diff(want, a.things); diff != "" {
			t.Errorf("call %d failed, and after another run (-want +got):\n%s", at, diff)
		}
	}
	whole.setUp(t, other)
	if len(whole.things) != 2*len(want) {
		t.Errorf("two sites have %d things in one account, want %d: %q", len(whole.things), 2*len(want), slices.Sorted(maps.Keys(whole.things)))
	}
	for name, thing := range want {
		if diff := cmp.Diff(thing, whole.things[name]); diff != "" {
			t.Errorf("%s of the first site (-before +after the second):\n%s", name, diff)
		}
	}
}

// account is CloudFront in one account, as far as setup.sh uses it. The command aws
// asks it over HTTP.
type account struct {
	server   *httptest.Server
	things   map[string]thing // by kind and name
	versions map[string]int   // of things, from which their ETags are made
	calls    int
	failAt   int // the call whose answer is lost
}

// thing is what has an id, and for functions what is published.
type thing struct{ ID, Config, Published string }

func newAccount(t *testing.T) *account {
	t.Helper()
	a := &account{things: map[string]thing{}, versions: map[string]int{}}
	a.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		a.calls++
		answer, err := a.answer(r.Header.Get("Folder"), strings.Split(strings.TrimSuffix(string(body), "\x00"), "\x00"))
		switch {
		case err != nil:
			t.Errorf("aws %q: %v", body, err)
			http.Error(w, err.Error(), http.StatusBadRequest)
		case a.calls == a.failAt:
			http.Error(w, "the answer is lost", http.StatusServiceUnavailable)
		default:
			fmt.Fprintln(w, answer)
		}
	}))
	t.Cleanup(a.server.Close)
	return a
}

// setUp runs setup.sh, and returns what it prints.
func (a *account) setUp(t *testing.T, base string) string {
	t.Helper()
	out, err := a.run(t, base)
	if err != nil {
		t.Fatalf("setup.sh: %v", err)
	}
	return out
}

func (a *account) run(t *testing.T, base string) (string, error) {
	t.Helper()
	curl := programOf(t, "curl")
	address, err := baseurl.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	h, _ := host.Named("cloudfront")
	dir := t.TempDir()
	files, err := h.ConfigFiles(&host.Config{Base: address})
	layFiles(t, dir, files, err)
	writeTool(t, dir, "aws", `printf '%s\0' "$@" | `+curl+` -fsS -H "Folder: $PWD" --data-binary @- `+a.server.URL)
	c := exec.CommandContext(t.Context(), "sh", filepath.Join(dir, "setup.sh"))
	c.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "BUCKET=bucket", "REGION=eu-north-1")
	out, err := c.Output()
	return strings.TrimSpace(string(out)), err
}

// answer carries out "cloudfront COMMAND --FLAG VALUE ...", and returns what its query
// finds in the answer, as text.
func (a *account) answer(folder string, words []string) (string, error) {
	if len(words) < 2 || words[0] != "cloudfront" || len(words)%2 != 0 {
		return "", errors.New("these are no command and flags")
	}
	flags := map[string]string{}
	for i := 2; i < len(words); i += 2 {
		flags[strings.TrimPrefix(words[i], "--")] = words[i+1]
	}
	if flags["output"] != "text" {
		return "", errors.New("the output is no text")
	}
	verb, kind, _ := strings.Cut(words[1], "-")
	if verb == "list" {
		return a.list(kind, flags["query"])
	}
	name, config, err := a.subject(folder, kind, flags)
	if err != nil {
		return "", err
	}
	is, there := a.things[name]
	etag := fmt.Sprintf("E%d", a.versions[name])
	switch {
	case verb == "create" && there:
		return "", fmt.Errorf("%s: AlreadyExists", name)
	case verb != "create" && !there:
		return "", fmt.Errorf("%s: NoSuchThing", name)
	case (verb == "update" || verb == "publish") && flags["if-match"] != etag:
		return "", fmt.Errorf("%s: PreconditionFailed: the ETag is %s, not %q", name, etag, flags["if-match"])
	}
	switch verb {
	case "create", "update":
		is.ID, is.Config = "ID-"+strings.ReplaceAll(name, " ", "-"), config
		a.versions[name]++
	case "publish":
		is.Published = is.Config
	case "get", "describe":
	default:
		return "", errors.New("there is no stand-in for it")
	}
	a.things[name] = is
	switch flags["query"] {
	case "ETag":
		return fmt.Sprintf("E%d", a.versions[name]), nil
	case "ResponseHeadersPolicy.Id", "OriginAccessControl.Id", "Distribution.Id", "FunctionSummary.FunctionMetadata.FunctionARN":
		return is.ID, nil
	}
	return "", errors.New("what does the query ask for")
}

// subject returns the kind and the name of what a command is about, and the
// configuration that comes with it.
func (a *account) subject(folder, kind string, flags map[string]string) (name, config string, err error) {
	for _, flag := range []string{kind + "-config", kind + "-code"} {
		text := flags[flag]
		if _, path, ok := strings.Cut(text, "://"); ok {
			if !filepath.IsAbs(path) {
				path = filepath.Join(folder, path)
			}
			read, err := os.ReadFile(path)
			if err != nil {
				return "", "", err
			}
			text = string(read)
		}
		config += text
	}
	name = flags["name"]
	if id := flags["id"]; id != "" {
		for known, one := range a.things {
			if one.ID == id {
				return known, config, nil
			}
		}
		return "", "", fmt.Errorf("there is nothing with the id %s", id)
	}
	if name == "" {
		found := regexp.MustCompile(`(?:^Name=|"Name": "|"CallerReference": ")([A-Za-z0-9-]+)`).FindStringSubmatch(config)
		if found == nil {
			return "", "", errors.New("it has no name")
		}
		name = found[1]
	}
	if !regexp.MustCompile(`^[A-Za-z0-9-]{1,64}$`).MatchString(name) {
		return "", "", fmt.Errorf("CloudFront takes no name like %q", name)
	}
	return kind + " " + name, config, a.check(kind, config)
}

// check wants of a distribution that all it names is there, and published.
func (a *account) check(kind, config string) error {
	if kind != "distribution" || config == "" {
		return nil
	}
	var is struct {
		Origins struct {
			Items []struct{ DomainName, OriginAccessControlId string }
		}
		DefaultCacheBehavior struct {
			ResponseHeadersPolicyId string
			FunctionAssociations    struct {
				Items []struct{ FunctionARN string }
			}
		}
	}
	if err := json.Unmarshal([]byte(config), &is); err != nil {
		return err
	}
	if is.Origins.Items[0].DomainName != "bucket.s3.eu-north-1.amazonaws.com" {
		return fmt.Errorf("the origin is %s", is.Origins.Items[0].DomainName)
	}
	behavior := is.DefaultCacheBehavior
	ids := []string{is.Origins.Items[0].OriginAccessControlId, behavior.ResponseHeadersPolicyId}
	for _, one := range behavior.FunctionAssociations.Items {
		ids = append(ids, one.FunctionARN)
	}
	for _, id := range ids {
		known := false
		for name, one := range a.things {
			known = known || one.ID == id && (one.Published != "" || !strings.HasPrefix(name, "function "))
		}
		if !known {
			return fmt.Errorf("%q is not there, or not published", id)
		}
	}
	return nil
}

// list returns the ids, or names, of the things of a kind that a query asks for by
// their name. Long lists come in parts, so that an answer may begin with those that
// have nothing.
func (a *account) list(kind, query string) (string, error) {
	found := regexp.MustCompile(`^\w+\.Items\[\?(?:\w+\.)*(?:Name|Comment)=='([^']+)'\]\.(?:\w+\.)?(?:Id|Name)$`).FindStringSubmatch(query)
	if found == nil {
		return "", fmt.Errorf("there is no stand-in for the query %s", query)
	}
	kind = strings.NewReplacer("ies", "y", "controls", "control", "functions", "function", "distributions", "distribution").Replace(kind)
	if is, ok := a.things[kind+" "+found[1]]; ok {
		return "None\n" + is.ID, nil
	}
	return "None", nil
}
