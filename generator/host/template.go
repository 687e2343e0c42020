package host

import (
	"encoding/json"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"sync"
	"text/template"

	"example.org/sivu/templates"
)

// Part describes one file that a host needs. Its text, Name and Where are
// templates with the delimiters [[ and ]], which leave the braces of JSON,
// JavaScript and workflows alone.
type Part struct {
	Template string // a file below templates/hosts
	Text     string // the text itself, where there is no file
	Name     string // slash-separated
	Where    string // where the file goes, for people
	Mode     uint32 // 0 is 0644
}

// RootFiles returns the files that lie in the snapshot itself. The error is a
// [*Refusal] where the host cannot serve what the configuration asks for.
func (h *Host) RootFiles(c *Config) ([]File, error) {
	if h.checkRoot != nil {
		if err := h.checkRoot(c); err != nil {
			return nil, err
		}
	}
	return h.fill(c, h.InRoot)
}

// ConfigFiles returns the files that configure the host, and where each goes. The
// error is a [*Refusal] where the host cannot serve what the configuration asks for.
func (h *Host) ConfigFiles(c *Config) ([]File, error) { return h.fill(c, h.Configure) }

// UploadFiles returns the files that bring a snapshot to the host: a script, and
// samples for CI. The error is a [*Refusal] where the host cannot serve what the
// configuration asks for.
func (h *Host) UploadFiles(c *Config) ([]File, error) {
	return h.fill(c, h.Deploy.parts())
}

// fill makes files of parts, in order.
func (h *Host) fill(c *Config, parts []Part) ([]File, error) {
	v, err := h.values(c)
	if err != nil || len(parts) == 0 {
		return nil, err
	}
	all, err := hostTemplates()
	if err != nil {
		return nil, err
	}
	var files []File
	for _, part := range parts {
		text, name, where := part.Text, part.Name, part.Where
		if part.Template != "" {
			text = "[[template " + strconv.Quote(part.Template) + " .]]"
		}
		for _, field := range []*string{&text, &name, &where} {
			if *field, err = execute(all, *field, v); err != nil {
				return nil, err
			}
		}
		files = append(files, File{Name: name, Data: []byte(text), Mode: part.Mode, Where: where})
	}
	return files, nil
}

// execute fills a text that may use the templates of all.
func execute(all *template.Template, text string, v *values) (string, error) {
	one, err := all.Clone()
	if err == nil {
		one, err = one.Parse(text)
	}
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = one.Execute(&b, v)
	return b.String(), err
}

// hostTemplates are all files below templates/hosts, by their paths there. They
// are parsed once.
var hostTemplates = sync.OnceValues(func() (*template.Template, error) {
	root := template.New("").Delims("[[", "]]").Option("missingkey=error").Funcs(template.FuncMap{
		"json": jsonText,
		"sh":   ShellWord,
		"wait": func() int { return longestKept },
		"dir":  path.Dir,
		"next": func(n int) int { return n + 1 },
	})
	files := templates.Hosts()
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, name)
		if err == nil {
			_, err = root.New(name).Parse(string(text))
		}
		return err
	})
	return root, err
})

// jsonText returns a value as JSON, which is also JavaScript.
func jsonText(v any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// ShellWord returns a text as one word of a POSIX shell.
func ShellWord(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
