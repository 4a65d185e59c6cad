// Autopilot edits a photograph on its own: it reads the context, edits three branches
// by rules and measurements, tags the best, writes a report in Markdown, and proposes a
// note. It is a template for an agent of your own.
//
//	go run ./examples/autopilot                  on a synthetic landscape
//	go run ./examples/autopilot -raw photo.nef   on your own file
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/examples/demo"
)

func main() {
	raw := flag.String("raw", "", "raw file to edit; default: a synthetic landscape, a stop too dark")
	out := flag.String("out", "autopilot-output", "folder for the workspace and the report")
	flag.Parse()
	demo.Main("autopilot", func(ctx context.Context) error {
		report, err := run(ctx, *raw, *out, 2)
		if err == nil {
			fmt.Println(report)
		}
		return err
	})
}

// run edits the raw and returns the path of the report.
func run(ctx context.Context, raw, out string, megapixels float64) (string, error) {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return "", err
	}
	raw, err := demo.Raw(raw, out, megapixels, -1)
	if err != nil {
		return "", err
	}
	engine, err := chemigram.Open(ctx, &chemigram.Options{Workspace: filepath.Join(out, "workspace"), Actor: "autopilot"})
	if err != nil {
		return "", err
	}
	defer func() { _ = engine.Close() }()
	image, err := engine.Ingest(ctx, chemigram.IngestParams{RawPath: raw})
	if err != nil {
		return "", err
	}
	e := exploration{engine: engine, image: image.ImageID}
	if err := e.run(ctx); err != nil {
		return "", err
	}
	return e.report(ctx, filepath.Join(out, "report.md"))
}
