package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/uuid"

	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/fsutil"
	"example.org/sivu/generator/host"
)

// writeHostFiles writes all files below a folder, or none where one of them is
// there already, differs, and may not be replaced.
func writeHostFiles(out string, files []host.File, force bool) error {
	var differ []string
	var write []host.File
	for _, file := range files {
		name := filepath.Join(out, filepath.FromSlash(file.Name))
		is, err := os.ReadFile(name)
		switch {
		case err == nil && bytes.Equal(is, file.Data):
			continue
		case err == nil:
			differ = append(differ, file.Name)
		case !errors.Is(err, fs.ErrNotExist):
			return hostFileError(name, err)
		}
		write = append(write, file)
	}
	if len(differ) > 0 && !force {
		return hinted("look at them, and replace them with --force; nothing was written",
			"%s holds other files of these names: %s", diag.Quote(out), strings.Join(differ, ", "))
	}
	for _, file := range write {
		name := filepath.Join(out, filepath.FromSlash(file.Name))
		if err := writeHostFile(name, file); err != nil {
			return hostFileError(name, err)
		}
	}
	return nil
}

// writeHostFile writes one file. Whatever fails, its name never leads to a part of it.
func writeHostFile(name string, file host.File) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := fsutil.Create(name, ".sivu-host-"+uuid.NewString(), modeOf(file))
	if err != nil {
		return err
	}
	if _, err := f.Write(file.Data); err != nil {
		f.Abort()
		return err
	}
	return f.Commit(false)
}

// modeOf returns the permissions of a file; most say none of their own.
func modeOf(file host.File) fs.FileMode { return cmp.Or(fs.FileMode(file.Mode), 0o644) }

func hostFileError(name string, err error) error {
	return fmt.Errorf("cannot write %s: %w", diag.Quote(name), fsutil.Reason(err))
}

// hostAnswer is a configuration as printed; its names are part of what other
// programs rely on.
type hostAnswer struct {
	Host  hostDescription  `json:"host"`
	Base  string           `json:"base_url"`
	Links string           `json:"links"`
	Files []hostFileAnswer `json:"files"`
}

type hostFileAnswer struct {
	Name  string `json:"name"`
	Where string `json:"where"`
	Mode  string `json:"mode"`
	Data  string `json:"data"`
}

// print prints what the host cannot keep, and where each file goes; as text without --out
// also the files themselves, as a txtar archive.
func (f *hostSettings) print(w io.Writer, h *host.Host, files []host.File) error {
	if f.format == "json" {
		return printJSON(w, hostAnswer{describeHost(h), f.config.Base.String(), f.config.Links, mapped(files, func(file host.File) hostFileAnswer {
			return hostFileAnswer{file.Name, file.Where, fmt.Sprintf("%04o", modeOf(file)), string(file.Data)}
		})})
	}
	var list, contents strings.Builder
	for _, e := range h.Cannot {
		fmt.Fprintf(&list, "cannot keep %s: %s\n", e.Rule, e.Why)
	}
	for _, file := range files {
		name := file.Name
		if f.out != "" {
			name = filepath.Join(f.out, filepath.FromSlash(name))
		} else {
			fmt.Fprintf(&contents, "\n-- %s --\n%s\n", file.Name, bytes.TrimSuffix(file.Data, []byte("\n")))
		}
		fmt.Fprintf(&list, "%s → %s\n", diag.Name(name), file.Where)
	}
	_, err := io.WriteString(w, list.String()+contents.String())
	return err
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// hostDescription is a host as printed; its names are part of what other programs
// rely on.
type hostDescription struct {
	Name   string           `json:"name"`
	Title  string           `json:"title"`
	Level  host.Level       `json:"level"`
	Links  []string         `json:"links"`
	Edge   bool             `json:"variants_edge"`
	Coding []string         `json:"precompressed"`
	Cannot []host.Exception `json:"cannot"`
	Limits host.Limits      `json:"limits"`
	Tried  string           `json:"tried"`
}

// describeHost returns lists, not null, where a host has none.
func describeHost(h *host.Host) hostDescription {
	return hostDescription{
		Name: h.Name, Title: h.Title, Level: h.Level, Links: h.Styles(), Edge: h.Edge,
		Coding: append([]string{}, h.Codings...), Cannot: append([]host.Exception{}, h.Cannot...),
		Limits: h.Limits, Tried: h.TestedWith,
	}
}

// printHosts prints a table of so many columns, with a heading for each level, in the
// order of host.Hosts. What a host cannot keep is given by the names of the rules of sivu
// verify.
func printHosts(w io.Writer, columns int) error {
	names, styles := 0, 0
	for _, h := range host.Hosts {
		names = max(names, len(h.Name))
		styles = max(styles, len(strings.Join(h.Styles(), ", ")))
	}
	margin := names + 4
	if columns-margin < 2*minDescription {
		margin = hanging
	}
	var b strings.Builder
	level := host.Level("")
	for _, h := range host.Hosts {
		if h.Level != level {
			fmt.Fprintf(&b, "%s%s:\n", when(level != "", "\n"), h.Level)
			level = h.Level
		}
		start := fmt.Sprintf("  %-*s  %-*s%s", names, h.Name, styles, strings.Join(h.Styles(), ", "), when(h.Edge, "  or variants at the edge"))
		b.WriteString(wrap(strings.TrimRight(start, " ")+"\n", columns))
		if len(h.Cannot) > 0 {
			const cannot = "cannot: "
			rules := mapped(h.Cannot, func(e host.Exception) string { return e.Rule })
			b.WriteString(wrapLine(strings.Repeat(" ", margin)+cannot, strings.Join(rules, ", "), margin+len(cannot), columns, "") + "\n")
		}
	}
	b.WriteString(wrap("\nsivu host NAME --base-url ADDRESS configures one of them.\n", columns))
	_, err := io.WriteString(w, b.String())
	return err
}
