package onnx

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"slices"

	"github.com/chemigram/chemigram"
)

// leastFound is the share of a picture below which nothing was found.
const leastFound = 0.001

// SaliencyOptions say what a model of a picture's subject wants and gives.
type SaliencyOptions struct {
	// Name is what errors call the masker. Default "saliency".
	Name string
	// Finds are the regions that the model finds; see [chemigram.Masker]. Default subject.
	Finds []string
	// Size is the side of the square that the picture is scaled to. Default: the one that
	// the model asks for, or 320.
	Size int
	// Scale of the colours. Default [ImageNet].
	Scale Scale
	// Output is the name of the output that is the mask. Default: the first.
	Output string
	// Logits says that the output are log-odds, and not probabilities, 0 to 1.
	Logits bool
}

// Saliency is a [chemigram.Masker] of a model that answers a picture with how probably
// each pixel is of its subject.
type Saliency struct {
	model *Model
	o     SaliencyOptions
}

// NewSaliency makes a masker of a model with one input, a picture as 1×3×size×size, and an
// output of 1×1×height×width.
func NewSaliency(model *Model, o SaliencyOptions) (*Saliency, error) {
	if len(model.Inputs) != 1 || len(model.Inputs[0].Shape) != 4 || len(model.Outputs) == 0 {
		return nil, errors.New("onnx: a model of a subject has one input, 1×3×height×width, and an output")
	}
	shape := model.Inputs[0].Shape
	if shape[2] > 0 {
		o.Size = int(shape[2])
	}
	o.Size = cmp.Or(o.Size, 320)
	if o.Size < 16 || o.Size > 4096 || shape[1] != 3 && shape[1] > 0 || shape[3] > 0 && shape[3] != int64(o.Size) {
		return nil, fmt.Errorf("onnx: the model takes %v: a square of 16 to 4096 pixels in three colours can be given", shape)
	}
	if o.Scale == (Scale{}) {
		o.Scale = ImageNet
	}
	o.Name, o.Output = cmp.Or(o.Name, "saliency"), cmp.Or(o.Output, model.Outputs[0].Name)
	if len(o.Finds) == 0 {
		o.Finds = []string{"subject"}
	}
	if !slices.ContainsFunc(model.Outputs, func(p Port) bool { return p.Name == o.Output }) {
		return nil, fmt.Errorf("onnx: the model has no output %q", o.Output)
	}
	return &Saliency{model, o}, nil
}

// Name is what errors call the masker.
func (s *Saliency) Name() string { return s.o.Name }

// Can lists what the model finds.
func (s *Saliency) Can() []string { return slices.Clone(s.o.Finds) }

// Mask asks the model. The confidence is the intersection over union to be expected, were
// the model's probabilities right.
func (s *Saliency) Mask(ctx context.Context, picture image.Image, _ chemigram.MaskRequest) (*image.Gray, float64, error) {
	side := image.Pt(s.o.Size, s.o.Size)
	input := map[string]Tensor{s.model.Inputs[0].Name: s.o.Scale.planes(resized(picture, side), s.o.Size)}
	answers, err := s.model.Run(ctx, input, s.o.Output)
	if err != nil {
		return nil, 0, err
	}
	found, err := planeOf(answers[s.o.Output], 0)
	if err != nil {
		return nil, 0, err
	}
	if s.o.Logits {
		found = found.sigmoid()
	} else if slices.ContainsFunc(found.values, func(v float32) bool { return v < -0.01 || v > 1.01 }) {
		return nil, 0, errors.New("onnx: the model answers no probabilities, 0 to 1: they may be log-odds (Logits)")
	}
	found = found.spread(picture.Bounds().Size(), float64(found.width), float64(found.height))
	share, overlap := found.expectation()
	if share < leastFound {
		return nil, 0, chemigram.ErrNothingFound
	}
	return found.gray(), overlap, nil
}
