package generator

import (
	"fmt"
	"slices"
	"strings"

	"example.org/sivu/generator/archive"
	"example.org/sivu/generator/snapshot"
)

// archiveCodings returns the codings of those names, each once and in order.
func archiveCodings(names []string) ([]archive.Coding, error) {
	var list []archive.Coding
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		i := slices.IndexFunc(snapshot.Codings, func(c snapshot.Coding) bool { return c.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("unknown coding %q: the codings are %s", name, strings.Join(snapshot.CodingNames(), ", "))
		}
		list = append(list, archive.Coding{Name: name, NewPacker: snapshot.Codings[i].NewPacker})
	}
	return list, nil
}
