package onnx

import (
	"fmt"
	"image"
	"math"

	"golang.org/x/image/draw"
)

// Scale says how a model wants colours: each channel, 0 to 1 in sRGB, less Mean and
// divided by Std.
type Scale struct{ Mean, Std [3]float64 }

// ImageNet is the scale of most models, those of U²-Net and Segment Anything among them.
var ImageNet = Scale{Mean: [3]float64{0.485, 0.456, 0.406}, Std: [3]float64{0.229, 0.224, 0.225}}

// resized is a picture at a size.
func resized(m image.Image, size image.Point) *image.RGBA {
	out := image.NewRGBA(image.Rectangle{Max: size})
	draw.CatmullRom.Scale(out, out.Rect, m, m.Bounds(), draw.Src, nil)
	return out
}

// planes gives a picture as red, green and blue planes of a square, which it need not
// fill: the rest is 0.
func (s Scale) planes(m *image.RGBA, side int) Tensor {
	data := make([]float32, 3*side*side)
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			for c := range 3 {
				v := float64(m.Pix[y*m.Stride+4*x+c]) / 255
				data[(c*side+y)*side+x] = float32((v - s.Mean[c]) / s.Std[c])
			}
		}
	}
	return Tensor{Shape: []int64{1, 3, int64(side), int64(side)}, Data: data}
}

// interleaved gives a picture line by line, red, green and blue beside each other, 0 to
// 255.
func interleaved(m *image.RGBA) Tensor {
	width, height := m.Rect.Dx(), m.Rect.Dy()
	data := make([]float32, 0, 3*width*height)
	for y := range height {
		for x := range width {
			for c := range 3 {
				data = append(data, float32(m.Pix[y*m.Stride+4*x+c]))
			}
		}
	}
	return Tensor{Shape: []int64{int64(height), int64(width), 3}, Data: data}
}

// A plane is a value for each pixel of a picture.
type plane struct {
	width, height int
	values        []float32
}

// planeOf is the last two dimensions of a tensor, at an index of all that is before them.
func planeOf(t Tensor, index int) (plane, error) {
	rank := len(t.Shape)
	if rank < 2 {
		return plane{}, fmt.Errorf("onnx: an output of the shape %v is no picture", t.Shape)
	}
	p := plane{width: int(t.Shape[rank-1]), height: int(t.Shape[rank-2])}
	size := p.width * p.height
	if size == 0 || index < 0 || len(t.Data) < (index+1)*size {
		return plane{}, fmt.Errorf("onnx: an output of the shape %v has no picture %d", t.Shape, index)
	}
	p.values = t.Data[index*size:][:size]
	for _, v := range p.values {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return plane{}, fmt.Errorf("onnx: the model answers %g", v)
		}
	}
	return p, nil
}

// planeCount is how many pictures a tensor has.
func planeCount(t Tensor) int {
	n := 1
	for _, d := range t.Shape[:max(0, len(t.Shape)-2)] {
		n *= int(d)
	}
	return n
}

// at is the value at a place, counted in pixels, between their middles.
func (p plane) at(x, y float64) float64 {
	x, y = min(max(x-0.5, 0), float64(p.width-1)), min(max(y-0.5, 0), float64(p.height-1))
	left, top := int(x), int(y)
	right, bottom := min(left+1, p.width-1), min(top+1, p.height-1)
	u, v := x-float64(left), y-float64(top)
	value := func(x, y int) float64 { return float64(p.values[y*p.width+x]) }
	return (1-v)*((1-u)*value(left, top)+u*value(right, top)) + v*((1-u)*value(left, bottom)+u*value(right, bottom))
}

// spread gives a value to each pixel of a picture that the plane's first width and height
// show.
func (p plane) spread(size image.Point, width, height float64) plane {
	out := plane{width: size.X, height: size.Y, values: make([]float32, 0, size.X*size.Y)}
	for y := range size.Y {
		for x := range size.X {
			v := p.at((float64(x)+0.5)*width/float64(size.X), (float64(y)+0.5)*height/float64(size.Y))
			out.values = append(out.values, float32(v))
		}
	}
	return out
}

// sigmoid makes probabilities of log-odds.
func (p plane) sigmoid() plane {
	out := plane{p.width, p.height, make([]float32, len(p.values))}
	for i, v := range p.values {
		out.values[i] = float32(1 / (1 + math.Exp(-float64(v))))
	}
	return out
}

// gray is the plane's probabilities as a mask.
func (p plane) gray() *image.Gray {
	m := image.NewGray(image.Rect(0, 0, p.width, p.height))
	for i, v := range p.values {
		m.Pix[i] = uint8(255*min(max(v, 0), 1) + 0.5)
	}
	return m
}

// expectation is the share of the pixels that are probably selected, and the intersection
// over union with the truth that is to be expected, were the probabilities right.
func (p plane) expectation() (share, overlap float64) {
	var selected, within, missed float64
	for _, v := range p.values {
		switch probability := min(max(float64(v), 0), 1); {
		case probability > 0.5:
			selected, within = selected+1, within+probability
		default:
			missed += probability
		}
	}
	return selected / float64(len(p.values)), within / max(selected+missed, 1)
}
