// Autopilot edits a photograph without anybody watching: it reads what is known,
// explores three branches by rules over the measured picture, tags the best,
// writes a report in Markdown, and proposes a note. It is a template for an
// agent of your own.
//
//	go run ./examples/autopilot                  on a synthetic landscape
//	go run ./examples/autopilot -raw photo.nef   on your own file
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

func main() {
	raw := flag.String("raw", "", "raw file to edit; default: a synthetic landscape, a stop too dark")
	out := flag.String("out", "autopilot-output", "folder for the workspace and the report")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	report, err := run(ctx, *raw, *out, 2)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "autopilot:", err)
		os.Exit(1)
	}
	fmt.Println(report)
}

// run gives the path of the report.
func run(ctx context.Context, raw, out string, megapixels float64) (string, error) {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return "", err
	}
	if raw == "" {
		raw = filepath.Join(out, "landscape.dng")
		dark := scene.Options{Megapixels: megapixels}
		dark.DNG.EV = -1
		if err := scene.Write(raw, scene.Landscape{}, dark); err != nil {
			return "", err
		}
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
	pilot := pilot{engine: engine, image: image.ImageID}
	if err := pilot.explore(ctx); err != nil {
		return "", err
	}
	return pilot.report(ctx, filepath.Join(out, "report.md"))
}
