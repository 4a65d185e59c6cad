package cnn

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"
)

// What the network makes of a pattern is what TensorFlow.js makes of it with the weights
// as they were, but for their rounding.
func TestTheNetworkIsTheOneThatWasConverted(t *testing.T) {
	t.Parallel()
	n, err := builtIn()
	if err != nil {
		t.Fatal(err)
	}
	maps := n.run(pattern(160, 128)).Maps
	for i, want := range []struct {
		width, height, channels int
		strength                float64
		means, middle           []float64 // of the first channels
	}{
		{20, 16, 128, 0.10275, []float64{0.0566, 0.0630, 0.0534, 0.0912, 0.0526, 0.1163}, []float64{0.2443, 0.2299, -0.0207, 0.1098, -0.0384, 0.4476}},
		{10, 8, 256, 0.07807, []float64{0.0284, 0.1036, 0.0377, 0.0175, 0.0589, 0.0238}, []float64{-0.0025, 0.0450, -0.0297, -0.0019, 0.0520, -0.0189}},
		{5, 4, 512, 0.06400, []float64{0.0833, 0.0142, 0.0216, 0.0349, 0.0700, 0.0487}, []float64{0.2773, -0.0316, -0.0270, 0.0063, -0.0185, 0.1970}},
	} {
		m := maps[i]
		if m.Width != want.width || m.Height != want.height || m.Channels != want.channels || len(m.Values) != m.Width*m.Height*m.Channels {
			t.Fatalf("map %d has %d by %d places of %d channels, %d numbers", i, m.Width, m.Height, m.Channels, len(m.Values))
		}
		strength := 0.0
		means := make([]float64, m.Channels)
		for j, v := range m.Values {
			strength += math.Abs(float64(v)) / float64(len(m.Values))
			means[j%m.Channels] += math.Abs(float64(v)) / float64(m.Width*m.Height)
		}
		near(t, "strength", strength, want.strength, 0.03*want.strength)
		middle := m.Values[(m.Height/2*m.Width+m.Width/2)*m.Channels:]
		for c := range want.means {
			near(t, "mean", means[c], want.means[c], 0.1*want.strength)
			near(t, "middle", float64(middle[c]), want.middle[c], 0.5*want.strength)
		}
	}
}

// pattern is a picture as the network takes it.
func pattern(width, height int) *plane {
	p := newPlane(width, height, 3)
	for y := range p.height {
		for x := range p.width {
			for c := range 3 {
				v := 128 + 100*math.Sin(float64(x)/7+float64(c))*math.Cos(float64(y)/float64(9+c)) - 20
				if (x/32+y/32)%2 == 1 {
					v += 50
				}
				p.values[p.at(x, y)+c] = (float32(int(v)&255) - mean[c]) / deviation[c]
			}
		}
	}
	return p
}

// The things that the network finds in a pattern are those that TensorFlow.js finds with the
// weights as they were, but for their rounding: as many, and the surest at each size.
func TestTheNetworkFindsTheSameThings(t *testing.T) {
	t.Parallel()
	n, err := builtIn()
	if err != nil {
		t.Fatal(err)
	}
	found := n.run(pattern(416, 416)).Things
	const count = 838 + 421 + 33 // of places at the three sizes
	near(t, "things", float64(len(found)), count, 0.08*count)
	for _, want := range []struct {
		kind                     int
		sure                     float64
		left, top, right, bottom float64
	}{
		{56, 0.1836, 0, 0.0317, 0.1193, 0.2779},
		{39, 0.1471, 0.2960, 0.3495, 0.4685, 0.9202},
		{57, 0.1897, 0, 0, 0.9970, 0.3970},
		{0, 0.1892, 0, 0.0404, 1, 0.9146},
	} {
		sure := 0.0
		for _, f := range found {
			off := max(math.Abs(f.Left-want.left), math.Abs(f.Top-want.top), math.Abs(f.Right-want.right), math.Abs(f.Bottom-want.bottom))
			if off < 0.03 {
				sure = max(sure, float64(f.Kinds[want.kind]))
			}
		}
		near(t, "likelihood", sure, want.sure, 0.03)
	}
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within {
		t.Errorf("%s: %.4f, want %.4f within %.4f", what, got, want, within)
	}
}

// A layer makes the sums that it is said to make, whatever the size, the step and the
// channels of which it is given some.
func TestALayerIsAConvolution(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range []struct {
		width, height, in, out, side, stride int
		tiled                                bool
	}{
		{4, 1, 3, 2, 3, 1, false},
		{5, 3, 4, 6, 3, 1, false},
		{7, 5, 8, 4, 3, 2, false},
		{4, 4, 3, 2, 3, 2, false},
		{6, 4, 5, 4, 1, 1, false},
		{4, 1, 3, 2, 3, 1, true},
		{5, 3, 4, 6, 3, 1, true},
		{12, 7, 8, 4, 3, 1, true},
		{9, 8, 3, 2, 3, 1, true},
	} {
		in, out := newPlane(size.width*size.stride, size.height*size.stride, size.in+3), newPlane(size.width, size.height, size.out+2)
		for y := range in.height {
			for i := range in.width * in.channels {
				in.values[in.at(0, y)+i] = random.Float32() - 0.5
			}
		}
		places, middle := size.side*size.side, size.side/2
		l := layer{
			in: size.in, out: size.out, side: size.side, straight: size.side == 1,
			weights: make([]float32, places*size.in*size.out), bias: make([]float32, size.out),
		}
		for i := range l.weights {
			l.weights[i] = random.Float32() - 0.5
		}
		for i := range l.bias {
			l.bias[i] = random.Float32() - 0.5
		}
		weights := l.weights
		if size.tiled {
			l.tile()
		}
		l.convolve(in.from(2, size.in), out.from(1, size.out), size.stride)
		for y := range out.height {
			for x := range out.width {
				for o := range size.out {
					sum := float64(l.bias[o])
					for place := range places {
						at := in.at(x*size.stride+place%size.side-middle, y*size.stride+place/size.side-middle) + 2
						for c := range size.in {
							sum += float64(weights[(o*places+place)*size.in+c] * in.values[at+c])
						}
					}
					if !l.straight {
						sum = max(sum, sum/10)
					}
					near(t, "sum", float64(out.values[out.at(x, y)+1+o]), sum, 1e-5)
				}
				if out.values[out.at(x, y)] != 0 || out.values[out.at(x, y)+size.out+1] != 0 {
					t.Fatalf("%v: channels of others were written", size)
				}
			}
		}
		for x := -1; x <= out.width; x++ {
			for c := range out.channels {
				if out.values[out.at(x, -1)+c] != 0 || out.values[out.at(x, out.height)+c] != 0 {
					t.Fatalf("%v: the border was written", size)
				}
			}
		}
	}
}

func TestThePoolKeepsTheLargest(t *testing.T) {
	t.Parallel()
	in := newPlane(6, 4, 2)
	for y := range in.height {
		for x := range in.width {
			copy(in.values[in.at(x, y):], []float32{-float32(x+10*y) - 1, float32(x + 10*y)})
		}
	}
	out := pool(in)
	for y := range 2 {
		for x := range 3 {
			want := [2]float32{-float32(max(2*x-1, 0)+10*max(2*y-1, 0)) - 1, float32(2*x + 1 + 10*(2*y+1))}
			if got := [2]float32(out.values[out.at(x, y):]); got != want {
				t.Errorf("at %d, %d: %v, want %v", x, y, got, want)
			}
		}
	}
}

func TestWeightsThatEndEarlyAreNotRead(t *testing.T) {
	t.Parallel()
	for _, length := range []int{0, 1, 100, len(weightBytes) - 1} {
		if _, err := read(weightBytes[:length]); err == nil {
			t.Errorf("a network was read from %d bytes", length)
		}
	}
	if _, err := read(append(weightBytes[:len(weightBytes):len(weightBytes)], 0)); err == nil {
		t.Error("a network was read from a byte too many")
	}
}

// Pictures of all proportions are seen, and what is seen of them is bounded.
func TestPicturesOfAllProportionsAreSeen(t *testing.T) {
	t.Parallel()
	for _, size := range []image.Point{{1, 1}, {16, 16}, {1, 5000}, {5000, 1}, {3000, 200}, {481, 321}, {321, 481}} {
		m := image.NewRGBA(image.Rect(3, 5, size.X+3, size.Y+5))
		m.Set(3, 5, color.White)
		seen, err := See(m)
		if err != nil {
			t.Fatal(err)
		}
		channels, places := 0, 0
		for _, seen := range seen.Maps {
			channels += seen.Channels
			places = max(places, seen.Width*seen.Height)
			if seen.Width < 4 || seen.Height < 4 {
				t.Errorf("%v: a map of %d by %d places", size, seen.Width, seen.Height)
			}
			for _, v := range seen.Values {
				if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
					t.Fatalf("%v: %v", size, v)
				}
			}
		}
		if channels != Channels || places > 2*area/64 {
			t.Errorf("%v: %d channels, at most %d places", size, channels, places)
		}
	}
}

func BenchmarkSee(b *testing.B) {
	m := image.NewRGBA(image.Rect(0, 0, 720, 480))
	for b.Loop() {
		if _, err := See(m); err != nil {
			b.Fatal(err)
		}
	}
}
