// Retouch does eight jobs as a photographer would give them, without a hand in between,
// and says of each what was measured: what was lost to clipping, how much noise came,
// what was selected, how far the colours moved.
//
//	go run ./examples/retouch                                     on painted scenes
//	go run ./examples/retouch -photo pier=pier.jpg -photo glare=lake.nef@0.41,0.63
//
// A job for which a photograph is named, a JPEG or a raw, is done on it; a place behind
// @, in fractions of the width and height, is where its spot lies. The folder that -out
// names gets a workspace with the edits, and the pictures before and after on one sheet.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/examples/demo"
	"github.com/chemigram/chemigram/render"
)

func main() {
	given := photographs{}
	flag.Var(given, "photo", "`job=file[@x,y]`: do a job on this photograph; may be given more than once")
	out := flag.String("out", "retouch-output", "folder for the workspace and the sheet")
	flag.Parse()
	demo.Main("retouch", func(ctx context.Context) error {
		s := session{out: *out, given: given, megapixels: 1, size: 1024}
		_, err := s.run(ctx, os.Stdout, jobs)
		return err
	})
}

// photographs are the files that were given, by what they are for.
type photographs map[demo.Job]photograph

// photograph is a file, and the place of the spot in it.
type photograph struct {
	path   string
	x, y   float64
	placed bool // there is a place
}

func (p photographs) String() string { return "" }

// Set takes one job=file[@x,y].
func (p photographs) Set(s string) error {
	job, file, ok := strings.Cut(s, "=")
	if !ok || file == "" {
		return errors.New("want job=file, or job=file@x,y")
	}
	if !slices.Contains(names(), job) {
		return fmt.Errorf("there is no job %q; there are %s", job, strings.Join(names(), ", "))
	}
	taken := photograph{path: file}
	if at := strings.LastIndex(file, "@"); at >= 0 {
		if _, err := fmt.Sscanf(file[at+1:], "%g,%g", &taken.x, &taken.y); err == nil {
			taken.path, taken.placed = file[:at], true
		}
	}
	p[demo.Job(job)] = taken
	return nil
}

// session is one run of jobs.
type session struct {
	out        string
	given      photographs
	megapixels float64 // of painted scenes
	size       chemigram.Size
	engine     *chemigram.Engine
}

// outcome is what became of a job.
type outcome struct {
	job            demo.Job
	asked, done    string
	numbers        []string
	before, after  image.Image
	reframed       bool    // the frame is another one: before and after cannot be compared
	clipped, noise float64 // newly clipped, in percent, and added noise in L*
}

// run does jobs one after the other, prints the outcome of each, and writes the sheet.
func (s session) run(ctx context.Context, w io.Writer, all []job) ([]outcome, error) {
	if err := os.MkdirAll(s.out, 0o777); err != nil {
		return nil, err
	}
	var err error
	s.engine, err = chemigram.Open(ctx, &chemigram.Options{Workspace: filepath.Join(s.out, "workspace"), Actor: "retouch"})
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.engine.Close() }()
	var (
		outcomes []outcome
		tiles    []render.Tile
	)
	for _, j := range all {
		o, err := s.do(ctx, j)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", j.name, err)
		}
		if err := o.tell(w); err != nil {
			return nil, err
		}
		outcomes = append(outcomes, o)
		tiles = append(tiles, render.Tile{Label: string(o.job) + ": " + o.done, Picture: render.SideBySide(
			render.Tile{Picture: o.before, Label: "before"}, render.Tile{Picture: o.after, Label: "after"},
		)})
	}
	sheet, err := render.Sheet(tiles, 2)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(s.out, "retouch.jpg")
	if err := keep(path, sheet); err != nil {
		return nil, err
	}
	_, err = fmt.Fprintln(w, path)
	return outcomes, err
}

// do does one job, and measures what every job may have harmed.
func (s session) do(ctx context.Context, j job) (outcome, error) {
	id, err := s.ingest(ctx, j.name)
	if err != nil {
		return outcome{}, err
	}
	o := outcome{job: j.name, asked: j.asked}
	if o.before, err = s.picture(ctx, id); err != nil {
		return o, err
	}
	if err := j.do(ctx, s, id, &o); err != nil {
		return o, err
	}
	if o.after, err = s.picture(ctx, id); err != nil {
		return o, err
	}
	err = o.harm()
	return o, err
}

func (o outcome) tell(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s: %s\n  %s\n  %s\n", o.job, o.asked, o.done, strings.Join(o.numbers, "\n  "))
	return err
}

// picture is the present look of an image.
func (s session) picture(ctx context.Context, id chemigram.ImageID) (image.Image, error) {
	seen, err := s.engine.RenderPreview(ctx, chemigram.RenderPreviewParams{ImageID: id, Size: s.size})
	if err != nil {
		return nil, err
	}
	f, err := os.Open(seen.JPEGPath)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return jpeg.Decode(f)
}

// keep writes a picture as a JPEG.
func keep(path string, m image.Image) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return jpeg.Encode(f, m, &jpeg.Options{Quality: 92})
}
