// Matchlook makes a raw look like a reference and says by which moves.
//
//	go run ./examples/matchlook -raw photo.nef                        like the camera's JPEG
//	go run ./examples/matchlook -raw photo.nef -reference print.jpg   like a file
//
// The folder that -out names gets a workspace with the edit, and the path of a picture
// that shows the reference, and the raw before and after, is printed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/examples/demo"
)

func main() {
	raw := flag.String("raw", os.Getenv("RAW"), "raw file to edit; default: the environment's RAW")
	reference := flag.String("reference", "camera", "a JPEG, PNG or TIFF, or camera: the JPEG in the raw")
	out := flag.String("out", "matchlook-output", "folder for the workspace")
	flag.Parse()
	demo.Main("matchlook", func(ctx context.Context) error { return run(ctx, os.Stdout, *raw, *reference, *out) })
}

func run(ctx context.Context, stdout io.Writer, raw, reference, out string) error {
	if raw == "" {
		return errors.New("name a raw with -raw")
	}
	engine, err := chemigram.Open(ctx, &chemigram.Options{Workspace: filepath.Join(out, "workspace")})
	if err != nil {
		return err
	}
	defer func() { _ = engine.Close() }()
	image, err := engine.Ingest(ctx, chemigram.IngestParams{RawPath: raw})
	if err != nil {
		return err
	}
	found, err := engine.MatchReference(ctx, chemigram.MatchReferenceParams{ImageID: image.ImageID, Reference: reference})
	if err != nil {
		return err
	}
	return tell(stdout, found)
}

// tell says what was found.
func tell(w io.Writer, found chemigram.MatchReferenceResult) error {
	var text strings.Builder
	fmt.Fprintf(&text, "The reference is %s. Distance %.1f, with exposure and white balance %.1f, now %.1f.\n",
		found.Understood, found.Before, found.LightAlone, found.After)
	if found.LeftAlone != "" {
		fmt.Fprintf(&text, "Nothing was changed: %s.\n", found.LeftAlone)
	}
	for _, move := range found.Applied {
		fmt.Fprintf(&text, "  %s", move.Move)
		for _, v := range move.Values {
			fmt.Fprintf(&text, " %g %s", v.Value, v.Unit)
		}
		text.WriteString("\n")
	}
	_, err := io.WriteString(w, text.String()+found.JPEGPath+"\n")
	return err
}
