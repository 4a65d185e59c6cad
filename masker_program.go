package chemigram

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"slices"

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
	question, err := maskQuestion(picture, r)
	if err != nil {
		return nil, 0, err
	}
	answer, err := render.Program{Path: p.Path, Args: p.Args, Most: mostAnswer}.Ask(ctx, question)
	if err != nil {
		return nil, 0, err
	}
	return readMaskAnswer(answer, picture.Bounds().Size())
}

// maskQuestion is what a program gets.
func maskQuestion(picture image.Image, r MaskRequest) ([]byte, error) {
	var pixels bytes.Buffer
	if err := png.Encode(&pixels, picture); err != nil {
		return nil, err
	}
	size := picture.Bounds().Size()
	head, err := json.Marshal(struct {
		Request MaskRequest `json:"request"`
		Width   int         `json:"width"`
		Height  int         `json:"height"`
		Bytes   int         `json:"bytes"`
	}{r, size.X, size.Y, pixels.Len()})
	if err != nil {
		return nil, err
	}
	return slices.Concat(head, []byte("\n"), pixels.Bytes()), nil
}

// readMaskAnswer reads what a program answered about a picture of this size.
func readMaskAnswer(answer []byte, want image.Point) (*image.Gray, float64, error) {
	lines := bufio.NewReader(bytes.NewReader(answer))
	line, err := lines.ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, err
	}
	var head struct {
		Confidence   float64 `json:"confidence"`
		Bytes        int     `json:"bytes"`
		NothingFound bool    `json:"nothing_found"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return nil, 0, fmt.Errorf("its answer does not begin with a line of JSON: %w", err)
	}
	if head.NothingFound {
		return nil, 0, ErrNothingFound
	}
	rest := answer[len(line):]
	if head.Bytes != len(rest) {
		return nil, 0, fmt.Errorf("it says that its mask has %d bytes, and gives %d", head.Bytes, len(rest))
	}
	config, err := png.DecodeConfig(bytes.NewReader(rest))
	if err != nil {
		return nil, 0, fmt.Errorf("its mask is no PNG: %w", err)
	}
	if config.Width != want.X || config.Height != want.Y {
		return nil, 0, fmt.Errorf("its mask has %d by %d pixels; the picture has %d by %d", config.Width, config.Height, want.X, want.Y)
	}
	m, err := png.Decode(bytes.NewReader(rest))
	if err != nil {
		return nil, 0, fmt.Errorf("its mask is no whole PNG: %w", err)
	}
	gray := image.NewGray(image.Rect(0, 0, want.X, want.Y))
	for y := range want.Y {
		for x := range want.X {
			gray.SetGray(x, y, color.GrayModel.Convert(m.At(m.Bounds().Min.X+x, m.Bounds().Min.Y+y)).(color.Gray))
		}
	}
	return gray, head.Confidence, nil
}
