package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"
)

func newManifest() *cobra.Command {
	command := &cobra.Command{
		Use:   "manifest [FOLDER]",
		Short: "print what the last build wrote, as JSON",
		Long: `manifest prints the files of the snapshot in an output folder (default ` + defaultOut + `) as
one JSON object: the path of each below the folder, its size in bytes and its SHA-256.`,
		Example: `  sivu manifest public | jq -r '.files[] | .sha256 + "  " + .path' |
    (cd public && sha256sum --check)`,
		RunE: func(command *cobra.Command, args []string) error {
			folder, err := namedFolder(command, args, "out")
			if err != nil {
				return err
			}
			manifest, err := readManifest(folder)
			if err != nil {
				return err
			}
			b := bufio.NewWriter(command.OutOrStdout())
			fmt.Fprintf(b, `{"count":%d,"bytes":%d,"files":[`, manifest.Files, manifest.Bytes)
			separator := "\n"
			for entry := range manifest.All() {
				line, err := json.Marshal(manifestFile{entry.Path.String(), int64(entry.Size), hex.EncodeToString(entry.SHA256[:])})
				if err != nil {
					return err
				}
				b.WriteString(separator)
				b.Write(line)
				separator = ",\n"
			}
			b.WriteString("\n]}\n")
			return b.Flush()
		},
	}
	addBuilt(command)
	return command
}

// manifestFile is one file as printed; its names are part of what other
// programs rely on.
type manifestFile struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}
