// Studio serves Chemigram's page for a person within a program of one's own, which edits
// beside it as an agent would.
//
//	go run ./examples/studio               on a synthetic landscape
//	go run ./examples/studio photo.nef …   on your own files
//
// It prints the link to open, and ends with Ctrl+C.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/examples/demo"
	"github.com/chemigram/chemigram/studio"
)

func main() {
	address := flag.String("address", "127.0.0.1:0", "address to serve the page on")
	workspace := flag.String("workspace", "", "folder of images and histories; default: a temporary one")
	flag.Parse()
	demo.Main("studio", func(ctx context.Context) error {
		return run(ctx, os.Stdout, *address, *workspace, flag.Args())
	})
}

func run(ctx context.Context, stdout io.Writer, address, workspace string, raws []string) error {
	folder, err := os.MkdirTemp("", "chemigram-studio-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	if workspace == "" {
		workspace = filepath.Join(folder, "workspace")
	}
	engine, err := chemigram.Open(ctx, &chemigram.Options{Workspace: workspace})
	if err != nil {
		return err
	}
	defer func() { _ = engine.Close() }()

	page, err := studio.New(engine, nil) // the whole page is a handler
	if err != nil {
		return err
	}
	defer func() { _ = page.Close() }()
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	web := &http.Server{Handler: page, ReadHeaderTimeout: 10 * time.Second}
	defer context.AfterFunc(ctx, func() { _ = web.Close() })()
	served := make(chan error, 1)
	go func() { served <- web.Serve(listener) }()
	fmt.Fprintln(stdout, page.Address("http://"+listener.Addr().String()+"/"))

	if err := edit(ctx, engine, folder, raws); err != nil {
		_ = web.Close()
		return err
	}
	if err := <-served; ctx.Err() == nil {
		return err
	}
	return nil
}

// edit registers the raws and makes a first edit of each, which the open page shows as it
// happens.
func edit(ctx context.Context, engine *chemigram.Engine, folder string, raws []string) error {
	if len(raws) == 0 {
		raw, err := demo.Raw("", folder, 6, 0)
		if err != nil {
			return err
		}
		raws = []string{raw}
	}
	for _, raw := range raws {
		img, err := engine.Ingest(ctx, chemigram.IngestParams{RawPath: raw})
		if err != nil {
			return err
		}
		ev := 0.4
		if _, err := engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{ImageID: img.ImageID, PrimitiveName: "exposure", Value: &ev}); err != nil {
			return err
		}
	}
	return nil
}
