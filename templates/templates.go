// Package templates holds the texts that sivu hands out beside its own output.
//
//	help/     the reference: a topic of "sivu help" in each file, in Markdown
//	hosts/    what the configurations of hosts are made of, a folder for each host
//	preview/  the page browser of "sivu preview": HTML, CSS and JavaScript modules,
//	          served as they are; there is no build step
//	schema/   JSON Schemas of what people write and programs read
//	starter/  the content folder that "sivu init" writes where there is nothing yet
//
// They are part of the program, so that a copied binary needs no files beside it.
package templates

import (
	"embed"
	"io/fs"
)

// Names that begin with "." or "_" belong to hosts too, such as ".htaccess".
//
//go:embed help all:hosts preview schema starter
var files embed.FS

// Help returns the topics of the reference.
func Help() fs.FS { return below("help") }

// Schemas returns the JSON Schemas.
func Schemas() fs.FS { return below("schema") }

// Hosts returns the templates of host configurations.
func Hosts() fs.FS { return below("hosts") }

// Preview returns the files of the page browser, index.html at the root.
func Preview() fs.FS { return below("preview") }

// Starter returns the content folder of a new site. In its files PLACEHOLDER stands for the
// address of the API, NAMESPACE for a UUID, and TODAY for a date.
func Starter() fs.FS { return below("starter") }

// below returns a folder of what is embedded. That the folder is there was seen
// to when the program was compiled.
func below(folder string) fs.FS {
	sub, err := fs.Sub(files, folder)
	if err != nil {
		return embed.FS{}
	}
	return sub
}
