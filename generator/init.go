package generator

import (
	"context"

	"example.org/sivu/generator/adopt"
	"example.org/sivu/generator/work"
)

// Adopted is what Init wrote.
type Adopted = adopt.Adopted

// Init writes a site.yaml for a folder of pages that was not made for sivu, or a new site
// into an empty one: see package adopt. With force it replaces a site.yaml.
func Init(ctx context.Context, folder string, force bool, progress *work.Progress) (*Adopted, error) {
	return adopt.Adopt(adopt.Options{Folder: folder, Force: force, Check: func(content, siteFile string) (adopt.Checked, error) {
		r, err := Check(ctx, Options{Content: content, SiteFile: siteFile, Progress: progress})
		if err != nil {
			return adopt.Checked{}, err
		}
		c := adopt.Checked{Report: r.Report, Records: r.Records, Skipped: r.Skipped, Warnings: map[string]int{}}
		for _, d := range r.Report.Diagnostics {
			c.Warnings[d.Rule.Name]++
		}
		return c, nil
	}})
}
