// Quickstart runs Chemigram's main job on a real raw file: ingest, apply moves,
// preview each step, branch, diff, compare, export. It leaves a folder of
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
	"os/signal"
	"path/filepath"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

func main() {
	out := flag.String("out", "quickstart-output", "folder for the pictures; an earlier quickstart's is replaced")
	raw := flag.String("raw", os.Getenv("RAW"), "raw file to edit; default: the environment's RAW, else a synthetic landscape")
	megapixels := flag.Float64("megapixels", 6, "size of the synthetic landscape")
	size := flag.Int("size", 1280, "longest edge of the previews in pixels")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Stdout, *out, *raw, *megapixels, chemigram.Size(*size))
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer, out, raw string, megapixels float64, size chemigram.Size) error {
	say := teller{w}
	out, err := prepare(out)
	if err != nil {
		return err
	}
	if raw == "" {
		raw = filepath.Join(out, "landscape.dng")
		if err := say.step("Painting a synthetic landscape and writing it as a raw", func() error {
			return scene.Write(raw, scene.Landscape{}, scene.Options{Megapixels: megapixels})
		}); err != nil {
			return err
		}
	}
	engine, err := chemigram.Open(ctx, &chemigram.Options{Workspace: filepath.Join(out, "workspace")})
	if err != nil {
		return err
	}
	defer func() { _ = engine.Close() }()

	tour := &tour{engine: engine, say: say, out: out, size: size}
	if err := tour.walk(ctx, raw); err != nil {
		return err
	}
	say.line("")
	say.line("The pictures are in %s:", out)
	for _, picture := range tour.pictures {
		say.line("  %s", filepath.Base(picture))
	}
	return nil
}

// marker says that a folder was made here, and may be replaced.
const marker = ".chemigram-quickstart"

// prepare gives an empty folder. It replaces only what an earlier run has left.
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
