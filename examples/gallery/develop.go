package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"html/template"
	"image"
	"image/jpeg"
	"slices"
	"sync"

	"golang.org/x/image/draw"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/render"
)

// develop has every wanted state developed, two at a time.
func (s *studio) develop(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s.files = map[string]string{}
	var mu sync.Mutex
	var group sync.WaitGroup
	places := make(chan struct{}, 2)
	slices.Sort(s.states)
	for _, state := range slices.Compact(s.states) {
		group.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			res, err := s.engine.RenderPreview(ctx, chemigram.RenderPreviewParams{
				ImageID: imageID, RefOrHash: chemigram.RefOrHash(state), Size: chemigram.Size(s.size), Quality: chemigram.QualityExact,
			})
			if err != nil {
				cancel(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			s.files[state] = res.JPEGPath
		})
	}
	group.Wait()
	return context.Cause(ctx)
}

// thumbnailSize is the longest edge of a sweep's pictures.
const thumbnailSize = 200

// thumbnail is a picture made small, as a data URL.
func thumbnail(path string) (template.URL, error) {
	full, err := render.Load(path)
	if err != nil {
		return "", err
	}
	size := full.Bounds().Size()
	scale := min(1, float64(thumbnailSize)/float64(max(size.X, size.Y)))
	small := image.NewRGBA(image.Rect(0, 0, int(float64(size.X)*scale), int(float64(size.Y)*scale)))
	draw.CatmullRom.Scale(small, small.Bounds(), full, full.Bounds(), draw.Src, nil)
	var out bytes.Buffer
	if err := jpeg.Encode(&out, small, &jpeg.Options{Quality: 85}); err != nil {
		return "", err
	}
	return template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(out.Bytes())), nil //nolint:gosec // base64 has no meaning in HTML
}
