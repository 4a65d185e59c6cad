// Gallery renders every move of the vocabulary into one page: before and after,
// each parameter from end to end, the area that a masked move works on, and
// numbers beside each picture. The page is one file that needs no other.
//
//	go run ./examples/gallery                       on a synthetic landscape
//	go run ./examples/gallery -raw photo.nef        on your own file
//	go run ./examples/gallery -only 'warm|film'     some of the moves
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/vocab"
)

func main() {
	var o options
	out := flag.String("out", "chemigram-gallery.html", "the page to write")
	flag.StringVar(&o.raw, "raw", os.Getenv("RAW"), "raw file to show the moves on; default: the environment's RAW, else a synthetic landscape")
	only := flag.String("only", "", "regular expression of the moves and masks to show; default: all")
	flag.StringVar(&o.pictures, "pictures", "", "folder that gets each move's and mask's picture as a file, too; it is made when it is missing")
	flag.IntVar(&o.size, "size", 480, "longest edge of the pictures in pixels")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *out, *only, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "gallery:", err)
		os.Exit(1)
	}
}

type options struct {
	raw      string
	only     *regexp.Regexp
	pictures string
	size     int
}

func run(ctx context.Context, out, only string, o options) (err error) {
	if o.only, err = regexp.Compile(only); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "chemigram-gallery-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	if o.raw == "" {
		o.raw = filepath.Join(work, "landscape.dng")
		if err := scene.Write(o.raw, scene.Landscape{}, scene.Options{Megapixels: 0.6}); err != nil {
			return err
		}
	}
	engine, err := chemigram.Open(ctx, &chemigram.Options{Workspace: filepath.Join(work, "workspace"), Actor: "gallery"})
	if err != nil {
		return err
	}
	defer func() { _ = engine.Close() }()
	packs, err := vocab.Builtin()
	if err != nil {
		return err
	}
	shipped, _ := vocab.Load(packs...)
	s := &studio{engine: engine, options: o, shipped: shipped}
	shown, err := s.show(ctx)
	if err != nil {
		return err
	}
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	if err := shown.write(file); err != nil {
		_ = file.Close()
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	fmt.Printf("%d moves and %d masks in %s\n", len(shown.Entries), len(shown.Masks), out)
	return nil
}
