package onnx

import (
	"encoding/binary"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// graph is a model that a test writes, in ONNX's own form: messages of protocol buffers
// whose fields have the numbers that onnx.proto gives them.
type graph struct{ nodes, constants, inputs, outputs []byte }

// message appends a message, or bytes, as a field.
func message(to []byte, field protowire.Number, value []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(to, field, protowire.BytesType), value)
}

func text(to []byte, field protowire.Number, value string) []byte {
	return message(to, field, []byte(value))
}

func number(to []byte, field protowire.Number, value int64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(to, field, protowire.VarintType), uint64(value))
}

// attribute is an attribute of a node: whole numbers.
type attribute struct {
	name   string
	values []int64
	alone  bool
}

// node adds an operation.
func (g *graph) node(op string, inputs, outputs []string, attributes ...attribute) {
	var n []byte
	for _, in := range inputs {
		n = text(n, 1, in)
	}
	for _, out := range outputs {
		n = text(n, 2, out)
	}
	n = text(n, 4, op)
	for _, a := range attributes {
		const one, many = 2, 7
		f := text(nil, 1, a.name)
		if a.alone {
			f = number(number(f, 3, a.values[0]), 20, one)
		} else {
			for _, v := range a.values {
				f = number(f, 8, v)
			}
			f = number(f, 20, many)
		}
		n = message(n, 5, f)
	}
	g.nodes = message(g.nodes, 1, n)
}

// constant adds a tensor of the model's own.
func (g *graph) constant(name string, shape []int64, data ...float32) {
	var t, raw []byte
	for _, d := range shape {
		t = number(t, 1, d)
	}
	for _, v := range data {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	g.constants = message(g.constants, 5, message(text(number(t, 2, floats), 8, name), 9, raw))
}

// whole adds a tensor of 64-bit integers.
func (g *graph) whole(name string, data ...int64) {
	var raw []byte
	for _, v := range data {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	t := number(number(nil, 1, int64(len(data))), 2, ints)
	g.constants = message(g.constants, 5, message(text(t, 8, name), 9, raw))
}

// input and output add what the model takes and gives; -1 is any size.
func (g *graph) input(name string, shape ...int64) {
	g.inputs = message(g.inputs, 11, port(name, floats, shape))
}

func (g *graph) output(name string, shape ...int64) {
	g.outputs = message(g.outputs, 12, port(name, floats, shape))
}

func port(name string, kind int64, shape []int64) []byte {
	var dims []byte
	for _, d := range shape {
		if d < 0 {
			dims = message(dims, 1, text(nil, 2, "any"))
		} else {
			dims = message(dims, 1, number(nil, 1, d))
		}
	}
	return message(text(nil, 1, name), 2, message(nil, 1, message(number(nil, 1, kind), 2, dims)))
}

// model is the file.
func (g *graph) model() []byte {
	body := append(append(append(append(text(nil, 2, "test"), g.nodes...), g.constants...), g.inputs...), g.outputs...)
	version := number(text(nil, 1, ""), 2, 13)
	return message(message(number(nil, 1, 8), 8, version), 7, body)
}

// redness is a model of a subject: how much redder than green a pixel is.
func redness(size int64) []byte {
	var g graph
	g.input("picture", 1, 3, size, size)
	g.output("mask", 1, 1, size, size)
	g.constant("weights", []int64{1, 3, 1, 1}, 4, -4, 0)
	g.constant("bias", []int64{1}, -2)
	g.node("Conv", []string{"picture", "weights", "bias"}, []string{"odds"})
	g.node("Sigmoid", []string{"odds"}, []string{"mask"})
	return g.model()
}

// The side of the tiny encoder's square, and of the masks.
const side, low = 128, 32

// encoder gives a smaller picture.
func encoder() []byte {
	var g graph
	g.input("image", 1, 3, side, side)
	g.output("image_embeddings", 1, 3, low, low)
	g.node("AveragePool", []string{"image"}, []string{"image_embeddings"},
		attribute{"kernel_shape", []int64{4, 4}, false}, attribute{"strides", []int64{4, 4}, false})
	return g.model()
}

// decoder selects what is near to points on, and not near to points off, where the picture
// is red.
func decoder() []byte {
	var g graph
	g.input("image_embeddings", 1, 3, low, low)
	g.input(pointCoords, 1, -1, 2)
	g.input(pointLabels, 1, -1)
	g.output(masksOut, 1, 2, low, low)
	g.output(qualityOut, 1, 2)
	var places []float32
	for y := range low {
		for x := range low {
			places = append(places, (float32(x)+0.5)*side/low, (float32(y)+0.5)*side/low)
		}
	}
	g.constant("places", []int64{1, 1, low * low, 2}, places...)
	g.constant("near", nil, -1.0/(2*24*24))
	g.constant("label on", nil, on)
	g.constant("label off", nil, off)
	g.constant("least", nil, 0.9)
	g.constant("steep", nil, 40)
	g.constant("colours", []int64{1, 3, 1, 1}, 1, -1, 0)
	g.constant("qualities", []int64{1, 2}, 0.25, 0.75)
	g.whole("second", 2)
	g.whole("third", 3)
	g.whole("last", -1)
	g.whole("first", 1)
	g.whole("picture", 1, 1, low, low)
	g.node("Unsqueeze", []string{pointCoords, "second"}, []string{"points"})
	g.node("Sub", []string{"places", "points"}, []string{"way"})
	g.node("Mul", []string{"way", "way"}, []string{"squares"})
	g.node("ReduceSum", []string{"squares", "third"}, []string{"far"}, attribute{"keepdims", []int64{0}, true})
	g.node("Mul", []string{"far", "near"}, []string{"exponent"})
	g.node("Exp", []string{"exponent"}, []string{"nearness"})
	g.node("Equal", []string{pointLabels, "label on"}, []string{"is on"})
	g.node("Equal", []string{pointLabels, "label off"}, []string{"is off"})
	g.node("Cast", []string{"is on"}, []string{"points on"}, attribute{"to", []int64{floats}, true})
	g.node("Cast", []string{"is off"}, []string{"points off"}, attribute{"to", []int64{floats}, true})
	g.node("Sub", []string{"points on", "points off"}, []string{"sign"})
	g.node("Unsqueeze", []string{"sign", "last"}, []string{"signs"})
	g.node("Mul", []string{"nearness", "signs"}, []string{"votes"})
	g.node("ReduceSum", []string{"votes", "first"}, []string{"vote"}, attribute{"keepdims", []int64{0}, true})
	g.node("Reshape", []string{"vote", "picture"}, []string{"wanted"})
	g.node("Conv", []string{"image_embeddings", "colours"}, []string{"red"})
	g.node("Relu", []string{"red"}, []string{"reds"})
	g.node("Mul", []string{"wanted", "reds"}, []string{"both"})
	g.node("Sub", []string{"both", "least"}, []string{"over"})
	g.node("Mul", []string{"over", "steep"}, []string{"odds"})
	g.node("Neg", []string{"odds"}, []string{"worse"})
	g.node("Concat", []string{"worse", "odds"}, []string{masksOut}, attribute{"axis", []int64{1}, true})
	g.node("Identity", []string{"qualities"}, []string{qualityOut})
	return g.model()
}
