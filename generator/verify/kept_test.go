package verify_test

import (
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"example.org/sivu/generator/verify"
)

// keptSnapshot is a snapshot of one record, with the files of an older one of 25
// beside it that stay for a while: their paths are sorted, so a record is first.
func keptSnapshot(t *testing.T) (f files, kept []string) {
	t.Helper()
	f = snapshot(t, testBase, "")
	content := sources()
	maps.DeleteFunc(content, func(name string, _ *fstest.MapFile) bool { return strings.Contains(name, "/topic-") })
	now := build(t, content, testBase, "")
	for name := range f {
		if now[name] == "" {
			kept = append(kept, name)
		}
	}
	maps.Copy(f, now)
	if len(kept) != 2*24+2*2 {
		t.Fatalf("the older snapshot has %d files more", len(kept))
	}
	return f, slices.Sorted(slices.Values(kept))
}

func TestKept(t *testing.T) {
	f, kept := keptSnapshot(t)
	for _, o := range []verify.Options{{}, {Sample: 3}, {Lenient: true}} {
		wantRules(t, check(t, f.fs(), o), "file-surplus", "")
		o.Kept = slices.Values(kept)
		r := check(t, f.fs(), o)
		wantRules(t, r, "", "")
		if r.Kept != len(kept) || r.Records != 1 || r.Lists != 1 {
			t.Errorf("of %d files, %d are kept; %d records on %d list pages", len(kept), r.Kept, r.Records, r.Lists)
		}
	}
	if text := printed(t, "json", check(t, f.fs(), verify.Options{Kept: slices.Values(kept)}), false); !strings.Contains(text, `"kept": 52,`) {
		t.Error(text)
	}
	for _, missing := range []int{0, 1, len(kept) - 1} {
		less := slices.Delete(slices.Clone(kept), missing, missing+1)
		wantRules(t, check(t, f.fs(), verify.Options{Kept: slices.Values(less)}), "file-surplus", kept[missing])
	}
}

// What stays has to be sound in itself. Where its links lead does not matter, as
// the snapshot that it is of may have had another address.
func TestKeptIsSound(t *testing.T) {
	elsewhere := func(f files, names ...string) {
		for _, name := range names {
			f[name] = strings.ReplaceAll(f[name], testBase, "https://old.example.org/v1")
		}
	}
	for _, c := range []struct {
		name, rules string
		spoil       func(f files, record, list string)
	}{
		{"other address", "", func(f files, record, list string) { elsewhere(f, record, list) }},
		{"gone already", "", func(f files, record, list string) { delete(f, record); delete(f, list) }},
		{"torn", "json", func(f files, record, _ string) { f[record] = f[record][:100] }},
		{"torn list page", "json", func(f files, _, list string) { f[list] = f[list][:100] }},
		{"no object", "record-types", func(f files, record, _ string) { f[record] = "[]" }},
		{"no list", "envelope-types", func(f files, _, list string) { f[list] = "[]" }},
		{"no records", "envelope-types", func(f files, _, list string) { f[list] = `{"count":1,"next":null,"previous":null,"results":[1]}` }},
		{"no key", "record-keys extra-key", func(f files, record, _ string) { f.replace(`"language":`, `"tongue":`, record) }},
		{"other time", "content-modified", func(f files, record, _ string) {
			f.replace("2020-01-02T03:04:05.678901Z", "2020-01-02T03:04:06.000000Z", record)
		}},
		{"time of a list", "timestamp", func(f files, _, list string) { f.replace("2020-01-02T03:04:05.678901Z", "2020-01-02", list) }},
		{"content in a list", "list-form", func(f files, _, list string) { f.replace(`"language":`, `"content":"","language":`, list) }},
		{"other record", "url", func(f files, record, _ string) { f.replace("/pages/", "/pages/0", record) }},
		{"sibling", "sibling-bytes", func(f files, record, _ string) { f[record+".gz"] = pack(t, "gz", "{}") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, kept := keptSnapshot(t)
			record, list := kept[1], "pages/page-3.json"
			c.spoil(f, record, list)
			if f[record+".gz"] != "" {
				kept = append(kept, record+".gz")
			}
			wantRules(t, check(t, f.fs(), verify.Options{Kept: slices.Values(kept)}), c.rules, "")
		})
	}
}

// Neither what is no file of a snapshot nor what is no regular file is excused.
func TestKeptNamesOtherFiles(t *testing.T) {
	f, kept := keptSnapshot(t)
	f["pages/notes.txt"] = "mine"
	o := verify.Options{Kept: slices.Values(append(kept, "pages/notes.txt", "../secret", ""))}
	wantRules(t, check(t, f.fs(), o), "file-surplus", "pages/notes.txt")
	f, _ = keptSnapshot(t)
	wantRules(t, check(t, withMode(f, kept[0], fs.ModeSymlink), verify.Options{Kept: slices.Values(kept)}), "file-kind", kept[0])
}

// A record that stays has the variants of its time, also where the host makes the
// api variants now.
func TestKeptBesideEdge(t *testing.T) {
	f, kept := keptSnapshot(t)
	for name := range f {
		if strings.HasSuffix(name, ".api.json") && !slices.Contains(kept, name) {
			delete(f, name)
		}
	}
	r := check(t, f.fs(), verify.Options{PlainOnly: true, Kept: slices.Values(kept)})
	wantRules(t, r, "", "")
	if r.Kept != len(kept) {
		t.Errorf("%d files are kept", r.Kept)
	}
}
