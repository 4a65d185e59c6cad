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

// atOnce is how many variants are tried in one call.
const atOnce = 36

// develop has every wanted state developed: as variants, which darktable
// develops many at a time and which leaves them in the cache of previews.
func (s *studio) develop(ctx context.Context) error {
	if _, err := s.engine.Reset(ctx, chemigram.ResetParams{ImageID: imageID}); err != nil {
		return err
	}
	s.files = map[string]string{}
	for chunk := range slices.Chunk(s.wanted, atOnce) {
		var variants []chemigram.Variant
		for _, w := range chunk {
			variants = append(variants, chemigram.Variant{Name: w.state[:8], Moves: w.move})
		}
		if _, err := s.engine.RenderVariants(ctx, chemigram.RenderVariantsParams{
			ImageID: imageID, Variants: variants, Size: chemigram.Size(s.size), TimeoutSeconds: 1800,
		}); err != nil {
			return err
		}
		for _, w := range chunk {
			res, err := s.engine.RenderPreview(ctx, chemigram.RenderPreviewParams{
				ImageID: imageID, RefOrHash: chemigram.RefOrHash(w.state), Size: chemigram.Size(s.size), Quality: chemigram.QualityExact,
			})
			if err != nil {
				return err
			}
			s.files[w.state] = res.JPEGPath
		}
	}
	return nil
}

// thumbnailSize is the longest edge of a sweep's pictures, in pixels, and quality
// the JPEG quality of all pictures: a page of a thousand should still be opened.
const (
	thumbnailSize = 180
	quality       = 82
)

// picture is a picture's file as a data URL, so that the page needs no other
// file, made smaller when its longest edge has more than longest pixels.
func picture(path string, longest int) (template.URL, error) {
	shown, err := render.Load(path)
	if err != nil {
		return "", err
	}
	size := shown.Bounds().Size()
	if scale := float64(longest) / float64(max(size.X, size.Y)); scale < 1 {
		small := image.NewRGBA(image.Rect(0, 0, int(float64(size.X)*scale), int(float64(size.Y)*scale)))
		draw.CatmullRom.Scale(small, small.Bounds(), shown, shown.Bounds(), draw.Src, nil)
		shown = small
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, shown, &jpeg.Options{Quality: quality}); err != nil {
		return "", err
	}
	return dataURL(out.Bytes()), nil
}

func dataURL(jpeg []byte) template.URL {
	return template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(jpeg)) //nolint:gosec // base64 has no meaning in HTML
}
