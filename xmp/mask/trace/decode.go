package trace

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
)

// The limits of what is read.
const (
	maxBytes   = 64 << 20         // of a file
	maxPixels  = 64 * 1000 * 1000 // of a picture
	maxDecoded = 256 << 20        // bytes of a picture in memory
	maxRings   = 500
	maxPoints  = 20000 // of all rings together
)

// Ring is a closed outline: corners [x, y] in 0..1 of the picture, from the top
// left, without a second first corner.
type Ring [][2]float64

// Decode reads a polygon or a picture, which it tells apart by the first bytes.
//
// A polygon is a JSON array of corners [x, y], or of several such arrays. What is
// within an even number of them is not selected: so a ring within a ring is a
// hole. A picture is a PNG of 8 or 16 bits, gray or in colour; where it has
// transparency, opaque is what it selects, otherwise white. Half is the
// threshold. It has to have the proportions of the developed picture, at any
// size.
//
// The work is bounded by what a mask can be: a picture of too many pieces, such as a
// checkerboard, is refused as TooLarge before its outlines are followed. A polygon
// whose corners lie too close for darktable, or that crosses itself, is traced as a
// picture would be. When ctx ends, Decode returns its error within milliseconds.
func Decode(ctx context.Context, r io.Reader) ([]Ring, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return nil, &Error{Kind: Unreadable, Message: "it cannot be read", Err: err}
	}
	switch {
	case len(data) == 0:
		return nil, errorf(Empty, "it is empty")
	case len(data) > maxBytes:
		return nil, errorf(TooLarge, "it is larger than %d MB", maxBytes>>20)
	}
	if bytes.HasPrefix(data, []byte("\x89PNG")) {
		return decodePNG(ctx, data)
	}
	return decodePolygon(ctx, data)
}

func decodePolygon(ctx context.Context, data []byte) ([]Ring, error) {
	var rings [][][]float64
	var one [][]float64
	if json.Unmarshal(data, &one) == nil {
		rings = [][][]float64{one}
	} else if err := json.Unmarshal(data, &rings); err != nil {
		return nil, &Error{Kind: Unreadable, Message: "it is neither a PNG nor a JSON array of [x, y], or of such arrays", Err: err}
	}
	var out []Ring
	total := 0
	for i, corners := range rings {
		ring := make(Ring, 0, len(corners))
		for j, c := range corners {
			if len(c) != 2 || !(c[0] >= 0 && c[0] <= 1 && c[1] >= 0 && c[1] <= 1) {
				return nil, errorf(Unreadable, "corner %d of polygon %d is %v; it has to be [x, y], each 0 to 1", j, i, c)
			}
			ring = append(ring, [2]float64(c))
		}
		if n := len(ring); n > 3 && ring[0] == ring[n-1] {
			ring = ring[:n-1]
		}
		if len(ring) < 3 {
			return nil, errorf(Unreadable, "polygon %d has %d corners; it needs 3", i, len(ring))
		}
		total += len(ring)
		out = append(out, ring)
	}
	if err := checkSize(out, total); err != nil {
		return nil, err
	}
	return cleanAll(ctx, out)
}

// checkSize checks the number of outlines, and of their points together.
func checkSize(rings []Ring, points int) error {
	switch {
	case len(rings) == 0:
		return errorf(Empty, "it selects nothing")
	case len(rings) > maxRings:
		return errorf(TooLarge, "%d outlines; at most %d: smooth the mask, or drop its specks", len(rings), maxRings)
	case points > maxPoints:
		return errorf(TooLarge, "%d corners; at most %d", points, maxPoints)
	}
	return nil
}

func decodePNG(ctx context.Context, data []byte) ([]Ring, error) {
	head, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, &Error{Kind: Unreadable, Message: "it is no whole PNG", Err: err}
	}
	const limits = "%d by %d pixels; a mask has 2 by 2 to %d million: a smaller one selects as well"
	most := maxPixels
	for _, deep := range []color.Model{color.RGBA64Model, color.NRGBA64Model} {
		if head.ColorModel == deep {
			most = maxDecoded / 8
		}
	}
	if isInterlaced(data) {
		most /= 4 // it is put together of seven pictures
	}
	switch {
	case head.Width < 2 || head.Height < 2:
		return nil, errorf(Unreadable, limits, head.Width, head.Height, most/1000000)
	case head.Width > most/head.Height:
		return nil, errorf(TooLarge, limits, head.Width, head.Height, most/1000000)
	}
	m, err := png.Decode(&patientReader{ctx, bytes.NewReader(data)})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, &Error{Kind: Unreadable, Message: "it is no whole PNG", Err: err}
	}
	return traceImage(ctx, m.(image.RGBA64Image)) // every picture of package png is one
}

// isInterlaced reports whether a PNG is, by the last number of its head.
func isInterlaced(data []byte) bool { return len(data) > 28 && data[28] != 0 }

// A patientReader gives few bytes at a time, and looks whether ctx has ended before
// it does: a PNG of few bytes may have many pixels.
type patientReader struct {
	ctx context.Context
	r   io.Reader
}

func (p *patientReader) Read(b []byte) (int, error) {
	if p.ctx.Err() != nil {
		return 0, errors.New("no longer asked for")
	}
	return p.r.Read(b[:min(len(b), 64)])
}
