package generator

import (
	"context"

	"example.org/sivu/generator/folder"
)

// stageOptions returns what the snapshot has to know of the options of a build.
func (o *Options) stageOptions(ctx context.Context) folder.Options {
	options := folder.Options{Content: o.Content, DryRun: o.DryRun, Codings: o.Precompress, KeepRemoved: o.KeepRemoved, Report: o.Report, ErrorBodies: errorBodies()}
	options.Largest = o.Host != nil && o.Host.Limits.FileBytes > 0
	if o.OnWait != nil {
		options.Wait = func() context.Context {
			o.OnWait()
			return ctx
		}
	}
	return options
}
