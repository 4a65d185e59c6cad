package chemigram

import (
	"context"
	"image"
	"slices"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/maskers"
	"github.com/chemigram/chemigram/internal/maskprogram"
	"github.com/chemigram/chemigram/internal/segment"
	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/render"
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
const CanPoint = maskers.Points

// ErrNothingFound is the error of a [Masker] that finds no such region in the picture.
var ErrNothingFound = segment.ErrNothing

// region finds a region in an image for an edit of a stack.
func (e *Engine) region(ctx context.Context, img *workspace.Image, now stack.Stack, r MaskRequest) (compose.Region, error) {
	picture, err := e.probe.Picture(ctx, rawOf(ctx, img), now)
	if err != nil {
		return compose.Region{}, err
	}
	return maskers.Find(ctx, &e.masker, e.opts.Maskers, e.opts.MaskerTimeout, picture.Image, r)
}

// ProgramMasker is a [Masker] that asks an outside program, such as a Python script
// with a model, by starting it once for each region, without a shell.
//
// The program gets one line of JSON on its standard input, {"request": …, "width": w,
// "height": h, "bytes": n}, where request is a [MaskRequest], and after it n bytes
// of a PNG in sRGB: the picture. It answers with one line {"confidence": c, "bytes": n}
// and n bytes of a PNG of the same size, white where it selects, on its standard
// output; or with {"nothing_found": true}. Another exit status than 0 is an error,
// whose text is the end of what the program printed on its standard error.
type ProgramMasker struct {
	// Path of the program, absolute, or its name on PATH.
	Path string
	// Args are its arguments.
	Args []string
	// Called is what errors call it. Default: its path.
	Called string
	// Finds lists what it finds; see [Masker].
	Finds []string
}

// mostAnswer is how many bytes a program may answer.
const mostAnswer = 16 << 20

// Name is what errors call the masker.
func (p *ProgramMasker) Name() string {
	if p.Called != "" {
		return p.Called
	}
	return p.Path
}

// Can lists what the program finds.
func (p *ProgramMasker) Can() []string { return slices.Clone(p.Finds) }

// Mask asks the program.
func (p *ProgramMasker) Mask(ctx context.Context, picture image.Image, r MaskRequest) (*image.Gray, float64, error) {
	question, err := maskprogram.Question(picture, r)
	if err != nil {
		return nil, 0, err
	}
	answer, err := render.Program{Path: p.Path, Args: p.Args, Most: mostAnswer}.Ask(ctx, question)
	if err != nil {
		return nil, 0, err
	}
	return maskprogram.Answer(answer, picture.Bounds().Size())
}
