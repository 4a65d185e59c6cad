package chemigram

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
	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/xmp/mask"
)

// A Masker finds regions in developed pictures, for the masks sky, plants, water,
// skin and subject, and for masks of points, a box or rough outlines. The engine has
// one of its own; those of [Options] come before it. Mask may be called from many
// goroutines at once.
type Masker interface {
	// Name is what errors call it.
	Name() string
	// Can lists what it finds: meanings of [MaskRequest], and [CanPoint] when it
	// understands points, boxes and outlines.
	Can() []string
	// Mask finds a region in a picture, which is encoded as sRGB and which it must
	// not change. The mask has the picture's size; white is selected. The
	// confidence, 0 to 1, is how much of mask and region is probably common to
	// both, as intersection over union. The error is, or wraps,
	// [ErrNothingFound] when the picture has no such region.
	Mask(ctx context.Context, picture image.Image, request MaskRequest) (found *image.Gray, confidence float64, err error)
}

// MaskRequest says what region a [Masker] is asked for.
type MaskRequest = mask.Request

// MaskPoint is a place on a region, or off it.
type MaskPoint = mask.SpecPoint

// CanPoint says in [Masker.Can] that points, boxes and outlines are understood.
const CanPoint = "points"

// ErrNothingFound is the error of a [Masker] that finds no such region in the picture.
var ErrNothingFound = segment.ErrNothing

// builtInMasker is the engine's own.
type builtInMasker struct{ finder segment.Finder }

// Name is "built-in".
func (*builtInMasker) Name() string { return "built-in" }

// Can lists the meanings and points.
func (*builtInMasker) Can() []string {
	can := []string{CanPoint}
	for _, m := range mask.Meanings() {
		can = append(can, string(m))
	}
	return can
}

// Mask finds a region by the picture's colours, texture and edges.
func (b *builtInMasker) Mask(ctx context.Context, picture image.Image, r MaskRequest) (*image.Gray, float64, error) {
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

// maskerFor chooses who finds a region: the first that can.
func (e *Engine) maskerFor(r MaskRequest) Masker {
	points := len(r.Points)+len(r.Box)+len(r.Outlines) > 0
	for _, m := range e.opts.Maskers {
		can := m.Can()
		if (r.Meaning == "" || slices.Contains(can, string(r.Meaning))) && (!points || slices.Contains(can, CanPoint)) {
			return m
		}
	}
	return &e.masker
}

// maskerTimeout is the default of [Options.MaskerTimeout].
const maskerTimeout = time.Minute

// region finds a region in an image for an edit of a stack.
func (e *Engine) region(ctx context.Context, img *workspace.Image, now stack.Stack, r MaskRequest) (compose.Region, error) {
	picture, err := e.probe.Picture(ctx, rawOf(ctx, img), now)
	if err != nil {
		return compose.Region{}, err
	}
	masker := e.maskerFor(r)
	limited, cancel := context.WithTimeout(ctx, cmp.Or(e.opts.MaskerTimeout, maskerTimeout))
	defer cancel()
	found, confidence, err := askMasker(limited, masker, picture.Image, r)
	if errors.Is(ctx.Err(), context.Canceled) {
		return compose.Region{}, ctx.Err()
	}
	if err != nil {
		return compose.Region{}, maskerFault(masker, r, err)
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

// maskerFault is the fault of a masker's error.
func maskerFault(masker Masker, r MaskRequest, err error) error {
	what := "region there"
	if r.Meaning != "" {
		what = string(r.Meaning)
	}
	if errors.Is(err, ErrNothingFound) {
		return fault.New(fault.Masking, "the picture shows no %s that could be found: point at it with points, a box or a polygon, or draw shapes", what).
			With("masker", masker.Name()).With("nothing_found", true)
	}
	return fault.New(fault.Masking, "the masker %q failed: %v", masker.Name(), err).With("masker", masker.Name())
}

// askMasker asks a masker, and holds its answer to what it promises. A masker that
// does not end when ctx does is left alone.
func askMasker(ctx context.Context, m Masker, picture image.Image, r MaskRequest) (*image.Gray, float64, error) {
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
