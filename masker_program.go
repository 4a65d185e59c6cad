package chemigram

import (
	"context"
	"image"
	"slices"

	"github.com/chemigram/chemigram/internal/maskprogram"
	"github.com/chemigram/chemigram/render"
)

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
