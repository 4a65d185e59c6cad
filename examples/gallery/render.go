package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"html/template"
	"image"
	"image/jpeg"
	"slices"

	"golang.org/x/image/draw"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/render"
)

// batchSize is how many variants one call renders.
const batchSize = 36

// render renders all states of the queue: as variants, which darktable develops many
// at a time, and whose pictures are then in the cache of previews.
func (b *builder) render(ctx context.Context) error {
	if err := b.reset(ctx); err != nil {
		return err
	}
	b.files = map[string]string{}
	developed := 0
	for chunk := range slices.Chunk(b.queue, batchSize) {
		var variants []chemigram.Variant
		for _, r := range chunk {
			variants = append(variants, chemigram.Variant{Name: r.state[:8], Moves: r.moves})
		}
		if _, err := b.engine.RenderVariants(ctx, chemigram.RenderVariantsParams{
			ImageID: imageID, Variants: variants, Size: chemigram.Size(b.size), TimeoutSeconds: 1800,
		}); err != nil {
			return err
		}
		for _, r := range chunk {
			res, err := b.engine.RenderPreview(ctx, chemigram.RenderPreviewParams{
				ImageID: imageID, RefOrHash: chemigram.RefOrHash(r.state), Size: chemigram.Size(b.size), Quality: chemigram.QualityExact,
			})
			if err != nil {
				return err
			}
			b.files[r.state] = res.JPEGPath
		}
		developed += len(chunk)
		b.note("developed %d of %d pictures", developed, len(b.queue))
	}
	return nil
}

const (
	thumbnailSize = 180 // the longest edge of a sweep's pictures, in pixels
	quality       = 82  // the JPEG quality: the page has more than a thousand pictures
)

// picture returns a file as a data URL, so that the page needs no other file, scaled
// down to maxEdge pixels.
func picture(path string, maxEdge int) (template.URL, error) {
	img, err := render.Load(path)
	if err != nil {
		return "", err
	}
	size := img.Bounds().Size()
	if scale := float64(maxEdge) / float64(max(size.X, size.Y)); scale < 1 {
		small := image.NewRGBA(image.Rect(0, 0, int(float64(size.X)*scale), int(float64(size.Y)*scale)))
		draw.CatmullRom.Scale(small, small.Bounds(), img, img.Bounds(), draw.Src, nil)
		img = small
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, img, &jpeg.Options{Quality: quality}); err != nil {
		return "", err
	}
	return dataURL(out.Bytes()), nil
}

func dataURL(jpeg []byte) template.URL {
	return template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(jpeg)) //nolint:gosec // base64 has no meaning in HTML
}
