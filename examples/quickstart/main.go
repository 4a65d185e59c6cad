// Quickstart runs Chemigram's main job on a real raw file: ingest, apply moves,
// preview each step, branch, diff, compare, export. It makes a folder of
// pictures.
//
//	go run ./examples/quickstart               on a synthetic landscape
//	RAW=photo.nef go run ./examples/quickstart on your own file
//
// The pictures go to the folder that -out names.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/examples/demo"
)

func main() {
	out := flag.String("out", "quickstart-output", "folder for the pictures; an earlier quickstart's is replaced")
	raw := flag.String("raw", os.Getenv("RAW"), "raw file to edit; default: the environment's RAW, else a synthetic landscape")
	megapixels := flag.Float64("megapixels", 6, "size of the synthetic landscape")
	size := flag.Int("size", 1280, "longest edge of the previews in pixels")
	flag.Parse()

	demo.Main("quickstart", func(ctx context.Context) error {
		return run(ctx, os.Stdout, *out, *raw, *megapixels, chemigram.Size(*size))
	})
}

func run(ctx context.Context, stdout io.Writer, out, raw string, megapixels float64, size chemigram.Size) error {
	p := printer{stdout}
	out, err := prepare(out)
	if err != nil {
		return err
	}
	if raw == "" {
		err := p.timed("Making a raw of a synthetic landscape", func() (err error) {
			raw, err = demo.Raw("", out, megapixels, 0)
			return err
		})
		if err != nil {
			return err
		}
	}
	engine, err := chemigram.Open(ctx, &chemigram.Options{Workspace: filepath.Join(out, "workspace")})
	if err != nil {
		return err
	}
	defer func() { _ = engine.Close() }()

	w := &walkthrough{engine: engine, printer: p, out: out, size: size}
	if err := w.run(ctx, raw); err != nil {
		return err
	}
	p.line("")
	p.line("The pictures are in %s:", out)
	for _, picture := range w.pictures {
		p.line("  %s", filepath.Base(picture))
	}
	return nil
}

// marker is a file in folders that a quickstart has made, which may be replaced.
const marker = ".chemigram-quickstart"

// prepare makes an empty folder. It replaces only that of an earlier quickstart.
func prepare(out string) (string, error) {
	out, err := filepath.Abs(out)
	if err != nil {
		return "", err
	}
	entries, err := os.ReadDir(out)
	if err != nil && !os.IsNotExist(err) {
		return "", err
	}
	if len(entries) > 0 {
		if _, err := os.Stat(filepath.Join(out, marker)); err != nil {
			return "", fmt.Errorf("%s is not empty and not from an earlier quickstart: name another folder with -out", out)
		}
		if err := os.RemoveAll(out); err != nil {
			return "", err
		}
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return "", err
	}
	return out, os.WriteFile(filepath.Join(out, marker), nil, 0o666)
}
