package corpus

import (
	"fmt"
	"testing"
	"testing/fstest"

	"example.org/sivu/generator/settings"
)

// A check, which writes nothing, keeps nothing of what lists are made of.
func TestCheckKeepsNoItems(t *testing.T) {
	fsys := fstest.MapFS{}
	for i := range 30 {
		fsys[fmt.Sprintf("fi/%02d.md", i)] = &fstest.MapFile{Data: []byte("---\ntitle: A\ncreated: 2019-05-06\n---\nText.\n")}
	}
	s, err := settings.Resolve(settings.Options{Content: "content", FS: fsys})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c, err := Scan(t.Context(), s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	c.Lint()
	if err := c.Render(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if n := len(c.Pages); n != 30 || c.Rendered != 30 {
		t.Errorf("%d pages, %d rendered", n, c.Rendered)
	}
	for i := range c.Pages {
		if c.Pages[i].Item != (Ref{}) || c.Pages[i].Suffix != (Ref{}) {
			t.Errorf("of page %d something is in the spool", i)
		}
	}
}
