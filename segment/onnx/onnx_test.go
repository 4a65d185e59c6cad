package onnx

import (
	"context"
	"errors"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/chemigram/chemigram"
)

// installed is the runtime that ONNXRUNTIME_LIBRARY names. Under CI it has to be there.
func installed(tb testing.TB) *Runtime {
	tb.Helper()
	if os.Getenv("ONNXRUNTIME_LIBRARY") == "" {
		if os.Getenv("CI") == "true" {
			tb.Fatal("ONNXRUNTIME_LIBRARY names no ONNX Runtime")
		}
		tb.Skip("ONNXRUNTIME_LIBRARY names no ONNX Runtime")
	}
	r, err := Open("")
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func load(tb testing.TB, model []byte) *Model {
	tb.Helper()
	m, err := installed(tb).LoadBytes(model, 1)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(m.Close)
	return m
}

// Two red discs on green.
var discs = [...]struct{ x, y, r float64 }{{60, 50, 28}, {150, 70, 22}}

func picture() image.Image {
	m := image.NewRGBA(image.Rect(10, 20, 210, 140))
	for y := range 120 {
		for x := range 200 {
			c := color.RGBA{40, 140, 60, 255}
			for _, d := range discs {
				if math.Hypot(float64(x)+0.5-d.x, float64(y)+0.5-d.y) < d.r {
					c = color.RGBA{210, 40, 30, 255}
				}
			}
			m.SetRGBA(10+x, 20+y, c)
		}
	}
	return m
}

// overlap is the intersection over union of a mask with some of the discs.
func overlap(m *image.Gray, which ...int) float64 {
	both, either := 0, 0
	for y := range 120 {
		for x := range 200 {
			is, want := m.GrayAt(x, y).Y > 127, false
			for _, i := range which {
				d := discs[i]
				want = want || math.Hypot(float64(x)+0.5-d.x, float64(y)+0.5-d.y) < d.r
			}
			if is && want {
				both++
			}
			if is || want {
				either++
			}
		}
	}
	return float64(both) / float64(either)
}

func TestAModelOfTheSubjectSelectsIt(t *testing.T) {
	s, err := NewSaliency(load(t, redness(96)), SaliencyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Name() != "saliency" || len(s.Can()) != 1 || s.Can()[0] != "subject" {
		t.Errorf("it is %s and can %v", s.Name(), s.Can())
	}
	mask, confidence, err := s.Mask(t.Context(), picture(), chemigram.MaskRequest{Meaning: "subject"})
	if err != nil {
		t.Fatal(err)
	}
	if mask.Rect != image.Rect(0, 0, 200, 120) || confidence < 0.8 || confidence > 1 {
		t.Errorf("the mask is %v, its confidence %.2f", mask.Rect, confidence)
	}
	if is := overlap(mask, 0, 1); is < 0.95 {
		t.Errorf("the discs are selected to %.3f", is)
	}
	plain := image.NewRGBA(image.Rect(0, 0, 64, 64))
	if _, _, err := s.Mask(t.Context(), plain, chemigram.MaskRequest{Meaning: "subject"}); !errors.Is(err, chemigram.ErrNothingFound) {
		t.Errorf("of a black picture it says %v", err)
	}
}

func TestADecoderFollowsPointsBoxesAndOutlines(t *testing.T) {
	p, err := NewPrompted(load(t, encoder()), load(t, decoder()), PromptedOptions{})
	if err != nil {
		t.Fatal(err)
	}
	no := false
	at := func(i int) chemigram.MaskPoint {
		return chemigram.MaskPoint{X: discs[i].x / 200, Y: discs[i].y / 120}
	}
	offAt := func(i int) chemigram.MaskPoint { q := at(i); q.Keep = &no; return q }
	around := func(i int) (outline [][2]float64) {
		for k := range 12 {
			sin, cos := math.Sincos(float64(k) * math.Pi / 6)
			outline = append(outline, [2]float64{(discs[i].x + discs[i].r*cos) / 200, (discs[i].y + discs[i].r*sin) / 120})
		}
		return outline
	}
	for _, tt := range []struct {
		name    string
		request chemigram.MaskRequest
		discs   []int
	}{
		{"a point", chemigram.MaskRequest{Points: []chemigram.MaskPoint{at(0)}}, []int{0}},
		{"the other", chemigram.MaskRequest{Points: []chemigram.MaskPoint{at(1)}}, []int{1}},
		{"one and not the other", chemigram.MaskRequest{Points: []chemigram.MaskPoint{at(0), offAt(1)}}, []int{0}},
		{"both", chemigram.MaskRequest{Points: []chemigram.MaskPoint{at(0), at(1)}}, []int{0, 1}},
		{"an outline", chemigram.MaskRequest{Outlines: [][][2]float64{around(1)}}, []int{1}},
	} {
		mask, confidence, err := p.Mask(t.Context(), picture(), tt.request)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if is := overlap(mask, tt.discs...); is < 0.85 || confidence != 0.75 {
			t.Errorf("%s: selected to %.3f, confidence %g", tt.name, is, confidence)
		}
	}
	_, _, err = p.Mask(t.Context(), picture(), chemigram.MaskRequest{Points: []chemigram.MaskPoint{offAt(0)}})
	if !errors.Is(err, chemigram.ErrNothingFound) {
		t.Errorf("with a point off alone it says %v", err)
	}
}

func TestManyAskAtOnce(t *testing.T) {
	p, err := NewPrompted(load(t, encoder()), load(t, decoder()), PromptedOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var asking sync.WaitGroup
	for i := range 32 {
		asking.Go(func() {
			d := discs[i%2]
			request := chemigram.MaskRequest{Points: []chemigram.MaskPoint{{X: d.x / 200, Y: d.y / 120}}}
			mask, _, err := p.Mask(t.Context(), picture(), request)
			if err != nil || overlap(mask, i%2) < 0.8 {
				t.Errorf("%d: %v", i, err)
			}
		})
	}
	asking.Wait()
}

func TestWhatIsNoModelIsAnError(t *testing.T) {
	r := installed(t)
	good := redness(16)
	for name, model := range map[string][]byte{
		"empty": nil, "zeros": make([]byte, 100), "cut off": good[:len(good)/2], "text": []byte("a model"),
	} {
		if m, err := r.LoadBytes(model, 1); err == nil {
			m.Close()
			t.Errorf("%s is loaded", name)
		}
	}
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "none")} {
		if _, err := r.Load(path, 1); err == nil {
			t.Errorf("%s is loaded", path)
		}
	}
	if _, err := Open(filepath.Join(dir, "libnone.so")); err == nil {
		t.Error("a library that is not there is loaded")
	}
	if err := os.WriteFile(filepath.Join(dir, "text.so"), []byte("no library"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(filepath.Join(dir, "text.so")); err == nil {
		t.Error("a text is loaded as a library")
	}
}

func TestModelsOfOtherKindsAreRefused(t *testing.T) {
	tiny, enc, dec := load(t, redness(16)), load(t, encoder()), load(t, decoder())
	if _, err := NewSaliency(dec, SaliencyOptions{}); err == nil {
		t.Error("a decoder is no model of a subject")
	}
	if _, err := NewSaliency(tiny, SaliencyOptions{Output: "other"}); err == nil {
		t.Error("an output that is not there is taken")
	}
	if _, err := NewPrompted(dec, enc, PromptedOptions{}); err == nil {
		t.Error("encoder and decoder are taken the wrong way round")
	}
	if _, err := NewPrompted(tiny, dec, PromptedOptions{}); err != nil {
		t.Errorf("one output of another name is an embedding, too: %v", err)
	}
	if _, err := NewPrompted(enc, tiny, PromptedOptions{}); err == nil {
		t.Error("a model without points is a decoder")
	}
	// The sizes do not fit each other: told by the runtime, when it is asked.
	p, err := NewPrompted(tiny, dec, PromptedOptions{})
	if err != nil {
		t.Fatal(err)
	}
	request := chemigram.MaskRequest{Points: []chemigram.MaskPoint{{X: 0.5, Y: 0.5}}}
	if _, _, err := p.Mask(t.Context(), picture(), request); err == nil {
		t.Error("models that do not fit each other answer")
	}
}

func TestInputsAreLookedAt(t *testing.T) {
	m := load(t, redness(16))
	good := Tensor{Shape: []int64{1, 3, 16, 16}, Data: make([]float32, 3*16*16)}
	for name, inputs := range map[string]map[string]Tensor{
		"none":          {},
		"another name":  {"pictures": good},
		"too short":     {"picture": {Shape: good.Shape, Data: good.Data[1:]}},
		"another shape": {"picture": {Shape: []int64{3 * 16 * 16}, Data: good.Data}},
		"negative":      {"picture": {Shape: []int64{-1, 3, 16, -16}, Data: good.Data}},
		"overflowing":   {"picture": {Shape: []int64{1 << 62, 4, 1 << 62, 4}, Data: good.Data}},
		"nothing":       {"picture": {Shape: []int64{0}}},
	} {
		if _, err := m.Run(t.Context(), inputs); err == nil {
			t.Errorf("%s: it runs", name)
		}
	}
	if _, err := m.Run(t.Context(), map[string]Tensor{"picture": good}, "other"); err == nil {
		t.Error("an output that is not there is given")
	}
	answers, err := m.Run(t.Context(), map[string]Tensor{"picture": good})
	if err != nil || len(answers["mask"].Data) != 16*16 {
		t.Errorf("%v, %v", answers, err)
	}
	m.Close()
	m.Close()
	if _, err := m.Run(t.Context(), map[string]Tensor{"picture": good}); err == nil {
		t.Error("a closed model runs")
	}
}

// A run ends with its context: the model goes on for ever without.
func TestARunEndsWithItsContext(t *testing.T) {
	m := load(t, redness(2048))
	big := Tensor{Shape: []int64{1, 3, 2048, 2048}, Data: make([]float32, 3*2048*2048)}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Run(ctx, map[string]Tensor{"picture": big}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled run says %v", err)
	}
	if _, err := m.Run(t.Context(), map[string]Tensor{"picture": big}); err != nil {
		t.Errorf("the next run says %v", err)
	}
}

func TestOutlinesAreFilled(t *testing.T) {
	f := outlined([][][2]float64{{{0.25, 0.25}, {0.75, 0.25}, {0.75, 0.75}, {0.25, 0.75}}})
	if x, y := f.deepest(); math.Abs(x-0.5) > 0.02 || math.Abs(y-0.5) > 0.02 {
		t.Errorf("the middle of a square is at %g, %g", x, y)
	}
	box := f.box()
	for i, want := range []float64{0.25, 0.25, 0.75, 0.75} {
		if math.Abs(box[i]-want) > 1.0/grid {
			t.Errorf("its box is %v", box)
		}
	}
	if none := outlined(nil); none.box() != nil {
		t.Error("nothing has a box")
	}
}
