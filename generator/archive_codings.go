package generator

import (
	"fmt"
	"slices"
	"strings"

	"example.org/sivu/generator/archive"
	"example.org/sivu/generator/folder"
)

// archiveCodings returns the codings of those names, each once and in order.
func archiveCodings(names []string) ([]archive.Coding, error) {
	var list []archive.Coding
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		i := slices.IndexFunc(folder.Codings, func(c folder.Coding) bool { return c.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("unknown coding %q: the codings are %s", name, strings.Join(folder.CodingNames(), ", "))
		}
		list = append(list, archive.Coding{Name: name, NewPacker: folder.Codings[i].NewPacker})
	}
	return list, nil
}
