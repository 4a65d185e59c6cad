package onnx

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/chemigram/chemigram"
)

// PromptedOptions say what an encoder and a decoder want.
type PromptedOptions struct {
	// Name is what errors call the masker. Default "prompted".
	Name string
	// Size is the side of the square that the encoder takes. Default: the one that it asks
	// for, or 1024.
	Size int
	// Scale of the colours. Default [ImageNet].
	Scale Scale
	// Stretch fills the square, as the second Segment Anything wants it. Default: the
	// picture keeps its proportions, in the square's top left corner.
	Stretch bool
}

// Prompted is a [chemigram.Masker] of two models: an encoder, which sees a picture once,
// and a decoder, which answers points and boxes with masks. They are exports of Segment
// Anything, of its second version, or of what follows their ways: the decoder takes
// point_coords and point_labels, beside what the encoder gives, and, if it wants them,
// mask_input, has_mask_input and orig_im_size; and gives masks, as log-odds, and
// iou_predictions.
type Prompted struct {
	encoder, decoder *Model
	o                PromptedOptions
	raw              bool // the encoder takes the colours as they are, beside each other

	mu   sync.Mutex // one picture is encoded at a time
	seen [sha256.Size]byte
	code map[string]Tensor // what the encoder made of the picture seen last
}

// The decoder's names.
const (
	pointCoords = "point_coords"
	pointLabels = "point_labels"
	maskInput   = "mask_input"
	hasMask     = "has_mask_input"
	originalTo  = "orig_im_size"
	masksOut    = "masks"
	qualityOut  = "iou_predictions"
)

// NewPrompted makes a masker of an encoder and a decoder.
func NewPrompted(encoder, decoder *Model, o PromptedOptions) (*Prompted, error) {
	if len(encoder.Inputs) != 1 {
		return nil, fmt.Errorf("onnx: the encoder has %d inputs: it has to take one picture", len(encoder.Inputs))
	}
	p := &Prompted{encoder: encoder, decoder: decoder, o: o}
	shape := encoder.Inputs[0].Shape
	switch {
	case len(shape) == 4 && (shape[1] == 3 || shape[1] < 0):
		if shape[2] > 0 {
			p.o.Size = int(shape[2])
		}
	case len(shape) == 3 && shape[2] == 3:
		p.raw = true
	default:
		return nil, fmt.Errorf("onnx: the encoder takes %v: 1×3×height×width or height×width×3 can be given", shape)
	}
	p.o.Name, p.o.Size = cmp.Or(o.Name, "prompted"), cmp.Or(p.o.Size, 1024)
	if p.o.Scale == (Scale{}) {
		p.o.Scale = ImageNet
	}
	if p.o.Size < 16 || p.o.Size > 4096 {
		return nil, fmt.Errorf("onnx: a picture of %d pixels: 16 to 4096 can be given", p.o.Size)
	}
	own := []string{pointCoords, pointLabels, maskInput, hasMask, originalTo}
	for _, in := range decoder.Inputs {
		if _, ok := p.given(in.Name); !ok && !slices.Contains(own, in.Name) {
			return nil, fmt.Errorf("onnx: the decoder wants %q, which the encoder does not give", in.Name)
		}
	}
	for _, name := range own[:2] {
		if !slices.ContainsFunc(decoder.Inputs, func(in Port) bool { return in.Name == name }) {
			return nil, fmt.Errorf("onnx: the decoder takes no %q", name)
		}
	}
	if !slices.ContainsFunc(decoder.Outputs, func(out Port) bool { return out.Name == masksOut }) {
		return nil, fmt.Errorf("onnx: the decoder gives no %q", masksOut)
	}
	return p, nil
}

// given is the encoder's output that an input of the decoder takes: the one of its name,
// or the only one for what is called an embedding.
func (p *Prompted) given(input string) (output string, ok bool) {
	for _, out := range p.encoder.Outputs {
		if out.Name == input || len(p.encoder.Outputs) == 1 && strings.HasPrefix(input, "image_embed") {
			return out.Name, true
		}
	}
	return "", false
}

// Name is what errors call the masker.
func (p *Prompted) Name() string { return p.o.Name }

// Can says that points, boxes and outlines are understood.
func (*Prompted) Can() []string { return []string{chemigram.CanPoint} }

// Mask asks the models: the encoder if the picture is another one than the last, and the
// decoder. An outline counts as the box around it and the point that is farthest within.
// The confidence is what the decoder predicts.
func (p *Prompted) Mask(ctx context.Context, picture image.Image, r chemigram.MaskRequest) (*image.Gray, float64, error) {
	if r.Meaning != "" {
		return nil, 0, fmt.Errorf("onnx: points, boxes and outlines are understood, and not %q", r.Meaning)
	}
	size := picture.Bounds().Size()
	shown := p.shown(size)
	code, err := p.encode(ctx, resized(picture, shown))
	if err != nil {
		return nil, 0, err
	}
	inputs := p.prompts(r, size, shown)
	for _, in := range p.decoder.Inputs {
		if output, ok := p.given(in.Name); ok {
			inputs[in.Name] = code[output]
		}
	}
	answers, err := p.decoder.Run(ctx, inputs)
	if err != nil {
		return nil, 0, err
	}
	return p.answer(answers, size, shown)
}

// shown is the size of a picture in the encoder's square.
func (p *Prompted) shown(size image.Point) image.Point {
	if p.o.Stretch {
		return image.Pt(p.o.Size, p.o.Size)
	}
	long := max(size.X, size.Y)
	return image.Pt(max(1, (size.X*p.o.Size+long/2)/long), max(1, (size.Y*p.o.Size+long/2)/long))
}

// encode is what the encoder makes of a picture.
func (p *Prompted) encode(ctx context.Context, m *image.RGBA) (map[string]Tensor, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h := sha256.New()
	fmt.Fprint(h, m.Rect)
	h.Write(m.Pix)
	seen := [sha256.Size]byte(h.Sum(nil))
	if p.code != nil && seen == p.seen {
		return p.code, nil
	}
	input := interleaved(m)
	if !p.raw {
		input = p.o.Scale.planes(m, p.o.Size)
	}
	code, err := p.encoder.Run(ctx, map[string]Tensor{p.encoder.Inputs[0].Name: input})
	if err == nil {
		p.code, p.seen = code, seen
	}
	return code, err
}

// The decoder's labels of points.
const (
	off         = 0
	on          = 1
	topLeft     = 2
	bottomRight = 3
	padding     = -1
)

// prompts are the decoder's inputs for what a person pointed at.
func (p *Prompted) prompts(r chemigram.MaskRequest, size, shown image.Point) map[string]Tensor {
	var coords, labels []float32
	point := func(x, y float64, label float32) {
		coords = append(coords, float32(x*float64(shown.X)), float32(y*float64(shown.Y)))
		labels = append(labels, label)
	}
	for _, q := range r.Points {
		if q.Kept() {
			point(q.X, q.Y, on)
		} else {
			point(q.X, q.Y, off)
		}
	}
	box := r.Box
	if len(r.Outlines) > 0 {
		within := outlined(r.Outlines)
		x, y := within.deepest()
		point(x, y, on)
		if len(box) != 4 {
			box = within.box()
		}
	}
	if len(box) == 4 {
		point(box[0], box[1], topLeft)
		point(box[2], box[3], bottomRight)
	} else {
		point(0, 0, padding)
	}
	const low = 256 // the side of a mask that is given
	n := int64(len(labels))
	return map[string]Tensor{
		pointCoords: {Shape: []int64{1, n, 2}, Data: coords},
		pointLabels: {Shape: []int64{1, n}, Data: labels},
		maskInput:   {Shape: []int64{1, 1, low, low}, Data: make([]float32, low*low)},
		hasMask:     {Shape: []int64{1}, Data: []float32{0}},
		originalTo:  {Shape: []int64{2}, Data: []float32{float32(size.Y), float32(size.X)}},
	}
}

// answer is the best of the decoder's masks, for the picture.
func (p *Prompted) answer(answers map[string]Tensor, size, shown image.Point) (*image.Gray, float64, error) {
	masks, quality := answers[masksOut], answers[qualityOut].Data
	best := 0
	for i, q := range quality {
		if i < planeCount(masks) && q > quality[best] {
			best = i
		}
	}
	found, err := planeOf(masks, best)
	if err != nil {
		return nil, 0, err
	}
	width, height := float64(found.width), float64(found.height)
	if (found.width != size.X || found.height != size.Y) && !p.o.Stretch { // it is of the whole square
		width, height = width*float64(shown.X)/float64(p.o.Size), height*float64(shown.Y)/float64(p.o.Size)
	}
	found = found.sigmoid().spread(size, width, height)
	share, confidence := found.expectation()
	if share < leastFound {
		return nil, 0, chemigram.ErrNothingFound
	}
	if best < len(quality) {
		confidence = min(max(float64(quality[best]), 0), 1)
	}
	if math.IsNaN(confidence) {
		return nil, 0, errors.New("onnx: the decoder predicts no quality")
	}
	return found.gray(), confidence, nil
}
