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
	"io"
	"os"
	"path/filepath"
	"regexp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/examples/demo"
	"github.com/chemigram/chemigram/vocab"
)

func main() {
	var o options
	out := flag.String("out", "chemigram-gallery.html", "the page to write")
	flag.StringVar(&o.raw, "raw", os.Getenv("RAW"), "raw file to show the moves on; default: the environment's RAW, else a synthetic landscape")
	only := flag.String("only", "", "regular expression of the moves and masks to show; default: all")
	flag.StringVar(&o.pictures, "pictures", "", "folder to write the picture of each move and mask to, too; it is made when it is missing")
	flag.IntVar(&o.size, "size", 480, "longest edge of the pictures in pixels")
	flag.Parse()
	o.progress = os.Stderr

	demo.Main("gallery", func(ctx context.Context) error { return run(ctx, *out, *only, o) })
}

type options struct {
	raw      string
	only     *regexp.Regexp
	pictures string
	size     int
	progress io.Writer // told how far it is; nil for nobody
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
	if o.raw, err = demo.Raw(o.raw, work, 0.6, 0); err != nil {
		return err
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
	b := &builder{engine: engine, options: o, shipped: shipped}
	g, err := b.build(ctx)
	if err != nil {
		return err
	}
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	if err := g.write(file); err != nil {
		_ = file.Close()
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	fmt.Printf("%d moves and %d masks in %s\n", len(g.Entries), len(g.Masks), out)
	return nil
}
