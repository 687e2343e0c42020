package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"example.org/sivu/generator/snapshot"
)

func newManifest() *cobra.Command {
	out := "public"
	command := &cobra.Command{
		Use:   "manifest",
		Short: "print what the last build wrote, as JSON",
		Long: `manifest prints the files of the snapshot in the output folder as one JSON
object: the path of each below the folder, its size in bytes and its SHA-256.`,
		Example: `  sivu manifest --out public | jq -r '.files[] | .sha256 + "  " + .path' |
    (cd public && sha256sum --check)`,
		Args: noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			manifest, err := snapshot.ReadManifest(out)
			if err != nil {
				return err
			}
			b := bufio.NewWriter(command.OutOrStdout())
			fmt.Fprintf(b, `{"count":%d,"bytes":%d,"files":[`, manifest.Len(), manifest.Bytes())
			separator := "\n"
			for entry := range manifest.All() {
				line, err := json.Marshal(manifestFile{entry.Path, entry.Size, hex.EncodeToString(entry.SHA256[:])})
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
	command.Flags().StringVar(&out, "out", out, "output `folder`")
	command.MarkFlagDirname("out")
	return command
}

// manifestFile is one file as printed; its names are part of what other
// programs rely on.
type manifestFile struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}
