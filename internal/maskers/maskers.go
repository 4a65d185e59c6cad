// Package maskers asks who finds regions in developed pictures, and holds the answers to
// what was promised.
package maskers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"time"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/segment"
	"github.com/chemigram/chemigram/xmp/mask"
)

// Masker is chemigram.Masker.
type Masker interface {
	Name() string
	Can() []string
	Mask(ctx context.Context, picture image.Image, request mask.Request) (found *image.Gray, confidence float64, err error)
}

// Points says in Can that points, boxes and outlines are understood.
const Points = "points"

// timeout is how long a masker may take when nobody says.
const timeout = time.Minute

// BuiltIn is the engine's own.
type BuiltIn struct{ finder segment.Finder }

// Name is "built-in".
func (*BuiltIn) Name() string { return "built-in" }

// Can lists the meanings and points.
func (*BuiltIn) Can() []string {
	can := []string{Points}
	for _, m := range mask.Meanings() {
		can = append(can, string(m))
	}
	return can
}

// Mask finds a region by the picture's colours, texture and edges.
func (b *BuiltIn) Mask(ctx context.Context, picture image.Image, r mask.Request) (*image.Gray, float64, error) {
	wanted := segment.Request{Category: segment.Category(r.Meaning), Hints: segment.Hints{Outlines: r.Outlines}}
	for _, p := range r.Points {
		wanted.Points = append(wanted.Points, segment.Point{X: p.X, Y: p.Y, Keep: p.Kept()})
	}
	if len(r.Box) == 4 {
		wanted.Box = &segment.Box{Left: r.Box[0], Top: r.Box[1], Right: r.Box[2], Bottom: r.Box[3]}
	}
	found, err := b.finder.Find(ctx, picture, wanted)
	if err != nil {
		return nil, 0, err
	}
	return found.Gray(picture.Bounds().Size()), found.Confidence, nil
}

// choose chooses who finds a region: the first that can.
func choose[M Masker](own *BuiltIn, others []M, r mask.Request) Masker {
	points := len(r.Points)+len(r.Box)+len(r.Outlines) > 0
	for _, m := range others {
		can := m.Can()
		if (r.Meaning == "" || slices.Contains(can, string(r.Meaning))) && (!points || slices.Contains(can, Points)) {
			return m
		}
	}
	return own
}

// Find finds a region in a picture, within a time limit: 0 is a minute. The first of the
// others that can is asked, or else the engine's own.
func Find[M Masker](ctx context.Context, own *BuiltIn, others []M, limit time.Duration, picture image.Image, r mask.Request) (compose.Region, error) {
	m := choose(own, others, r)
	limited, cancel := context.WithTimeout(ctx, cmp.Or(limit, timeout))
	defer cancel()
	found, confidence, err := ask(limited, m, picture, r)
	if errors.Is(ctx.Err(), context.Canceled) {
		return compose.Region{}, ctx.Err()
	}
	if err != nil {
		return compose.Region{}, failed(m, r, err)
	}
	size := found.Bounds().Size()
	region := compose.Region{Width: size.X, Height: size.Y, Values: make([]float32, 0, size.X*size.Y), Confidence: confidence}
	for y := range size.Y {
		for _, v := range found.Pix[y*found.Stride:][:size.X] {
			region.Values = append(region.Values, float32(v)/0xff)
		}
	}
	return region, nil
}

// failed is the fault of a masker's error.
func failed(m Masker, r mask.Request, err error) error {
	what := "region there"
	if r.Meaning != "" {
		what = string(r.Meaning)
	}
	if errors.Is(err, segment.ErrNothing) {
		return fault.New(fault.Masking, "the picture shows no %s that could be found: point at it with points, a box or a polygon, or draw shapes", what).
			With("masker", m.Name()).With("nothing_found", true)
	}
	return fault.New(fault.Masking, "the masker %q failed: %v", m.Name(), err).With("masker", m.Name())
}

// ask asks a masker, and holds its answer to what it promises. A masker that
// does not end when ctx does is left alone.
func ask(ctx context.Context, m Masker, picture image.Image, r mask.Request) (*image.Gray, float64, error) {
	type answer struct {
		mask       *image.Gray
		confidence float64
		err        error
	}
	answers := make(chan answer, 1)
	go func() {
		var a answer
		defer func() {
			if p := recover(); p != nil {
				a = answer{err: fmt.Errorf("it panicked: %v", p)}
			}
			answers <- a
		}()
		a.mask, a.confidence, a.err = m.Mask(ctx, picture, r)
	}()
	select {
	case a := <-answers:
		if a.err != nil {
			return nil, 0, a.err
		}
		return a.mask, a.confidence, checkAnswer(a.mask, a.confidence, picture.Bounds().Size())
	case <-ctx.Done():
		return nil, 0, errors.New("its time was over")
	}
}

// checkAnswer checks what a masker gave.
func checkAnswer(found *image.Gray, confidence float64, want image.Point) error {
	switch {
	case found == nil:
		return errors.New("it gave no mask")
	case found.Bounds().Size() != want:
		got := found.Bounds().Size()
		return fmt.Errorf("its mask has %d by %d pixels; the picture has %d by %d", got.X, got.Y, want.X, want.Y)
	case found.Stride < want.X || len(found.Pix) < (want.Y-1)*found.Stride+want.X:
		return errors.New("its mask holds fewer pixels than it says")
	case !(confidence >= 0 && confidence <= 1):
		return fmt.Errorf("its confidence is %v; it has to be 0 to 1", confidence)
	}
	return nil
}
