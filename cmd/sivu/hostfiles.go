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
	var differ, write []host.File
	for _, file := range files {
		is, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(file.Name)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			write = append(write, file)
		case err != nil:
			return hostFileError(err)
		case !bytes.Equal(is, file.Data):
			differ = append(differ, file)
		}
	}
	if len(differ) > 0 && !force {
		names := mapped(differ, func(f host.File) string { return f.Name })
		return &hintedError{
			fmt.Errorf("%s holds other files of these names: %s", diag.Quote(out), strings.Join(names, ", ")),
			"look at them, and replace them with --force; nothing was written",
		}
	}
	for _, file := range append(write, differ...) {
		if err := writeHostFile(filepath.Join(out, filepath.FromSlash(file.Name)), file); err != nil {
			return hostFileError(err)
		}
	}
	return nil
}

// writeHostFile puts a file in its place, whole.
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

func hostFileError(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return fmt.Errorf("cannot write %s: %w", diag.Quote(pathError.Path), pathError.Err)
	}
	return fmt.Errorf("cannot write the configuration: %w", err)
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

// printHostFiles prints where the files go; as text without --out also what they
// hold, in the form of a txtar archive.
func printHostFiles(w io.Writer, h *host.Host, f *hostSettings, files []host.File) error {
	if f.format == "json" {
		answer := hostAnswer{describeHost(h), f.config.Base.String(), f.config.Links, []hostFileAnswer{}}
		for _, file := range files {
			answer.Files = append(answer.Files, hostFileAnswer{file.Name, file.Where, fmt.Sprintf("%04o", modeOf(file)), string(file.Data)})
		}
		return printJSON(w, answer)
	}
	var b strings.Builder
	for _, file := range files {
		name := file.Name
		if f.out != "" {
			name = filepath.Join(f.out, filepath.FromSlash(name))
		}
		fmt.Fprintf(&b, "%s → %s\n", diag.Name(name), file.Where)
	}
	if f.out != "" {
		files = nil // they are written, and so not printed
	}
	for _, file := range files {
		fmt.Fprintf(&b, "\n-- %s --\n%s", file.Name, file.Data)
		if !bytes.HasSuffix(file.Data, []byte("\n")) {
			b.WriteByte('\n')
		}
	}
	_, err := io.WriteString(w, b.String())
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

// printHosts prints a table by levels, of so many columns. What a host cannot keep
// is given by the names of the rules of sivu verify.
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
	for _, level := range []host.Level{host.Full, host.Routing, host.Walkable} {
		fmt.Fprintf(&b, "%s:\n", level)
		for _, h := range host.Hosts {
			if h.Level != level {
				continue
			}
			start := fmt.Sprintf("  %-*s  %-*s", names, h.Name, styles, strings.Join(h.Styles(), ", "))
			if h.Edge {
				start += "  or variants at the edge"
			}
			b.WriteString(wrap(strings.TrimRight(start, " ")+"\n", columns))
			if len(h.Cannot) > 0 {
				const cannot = "cannot: "
				rules := mapped(h.Cannot, func(e host.Exception) string { return e.Rule })
				wrapLine(&b, strings.Repeat(" ", margin)+cannot, strings.Join(rules, ", "), margin+len(cannot), columns, "")
				b.WriteByte('\n')
			}
		}
		b.WriteString("\n")
	}
	b.WriteString(wrap("sivu host NAME --base-url ADDRESS configures one of them.\n", columns))
	_, err := io.WriteString(w, b.String())
	return err
}
