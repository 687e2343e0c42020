package host

import (
	"bytes"
	"fmt"
)

// ownServer are the flags that say something to a server that reads the files.
var ownServer = []string{"root", "listen"}

// fillServer fills the templates of a real server, in order.
func fillServer(s *server, parts ...part) ([]File, error) {
	all, err := siteTemplates()
	if err != nil {
		return nil, err
	}
	var files []File
	for _, p := range parts {
		var b bytes.Buffer
		if err := all.ExecuteTemplate(&b, p.template, s); err != nil {
			return nil, fmt.Errorf("template %s: %w", p.template, err)
		}
		files = append(files, File{Name: p.name, Data: b.Bytes(), Mode: p.mode, Where: p.where})
	}
	return files, nil
}
