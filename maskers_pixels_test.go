package chemigram

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/maskprogram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// A testMasker answers as it is told.
type testMasker struct {
	can    []string
	answer func(ctx context.Context, picture image.Image, r MaskRequest) (*image.Gray, float64, error)
}

func (testMasker) Name() string    { return "test eyes" }
func (m testMasker) Can() []string { return m.can }
func (m testMasker) Mask(ctx context.Context, picture image.Image, r MaskRequest) (*image.Gray, float64, error) {
	return m.answer(ctx, picture, r)
}

// hill is a region along the picture's lower side: within, how far a place is.
func hill(u, v float64) float64 { return v - 0.6 - 0.15*math.Sin(5*u) }

// lowland draws the hill with a soft edge.
func lowland(size image.Point) *image.Gray {
	m := image.NewGray(image.Rectangle{Max: size})
	for i := range m.Pix {
		u, v := (float64(i%size.X)+0.5)/float64(size.X), (float64(i/size.X)+0.5)/float64(size.Y)
		m.Pix[i] = uint8(255 * min(max(0.5+hill(u, v)*40, 0), 1))
	}
	return m
}

// What a masker selects is what darktable then changes, up to the outermost lines of
// the picture; who asks says how sure the masker is.
func TestWhatAMaskerFindsIsWhereAMoveWorks(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, raw := openWith(t, dt, dusty{})
		if err := scene.Write(raw, dusty{}, scene.Options{Megapixels: 1}); err != nil {
			t.Fatal(err)
		}
		ingest(t, e, raw)
		e.opts.Maskers = []Masker{testMasker{[]string{"water", CanPoint}, func(_ context.Context, picture image.Image, _ MaskRequest) (*image.Gray, float64, error) {
			return lowland(picture.Bounds().Size()), 0.7, nil
		}}}
		seen, err := e.PreviewMask(t.Context(), PreviewMaskParams{ImageID: "a", Mask: Mask{Points: []MaskPoint{{X: 0.5, Y: 0.9}}}})
		if err != nil || seen.Confidence == nil || *seen.Confidence != 0.7 {
			t.Errorf("preview_mask: %+v, %v", seen, err)
		}
		look := func() *pixel.Image {
			return previewed(t, e, RenderPreviewParams{ImageID: "a", Size: 4096, Quality: QualityExact})
		}
		plain := look()
		ev := -2.0
		res, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Value: &ev, Mask: &Mask{Name: "water"}})
		if err != nil || res.MaskConfidence == nil || *res.MaskConfidence != 0.7 {
			t.Fatalf("apply_primitive: %+v, %v", res, err)
		}
		masked := look()
		both, either := 0.0, 0.0
		missed := map[string]int{}
		for i := range plain.Width * plain.Height {
			x, y := i%plain.Width, i/plain.Width
			want := hill((float64(x)+0.5)/float64(plain.Width), (float64(y)+0.5)/float64(plain.Height)) > 0
			got := masked.At(x, y).G < 0.6*plain.At(x, y).G
			if want && got {
				both++
			}
			if want || got {
				either++
			}
			if deep := hill((float64(x)+0.5)/float64(plain.Width), (float64(y)+0.5)/float64(plain.Height)) > 0.05; deep && !got {
				switch {
				case y >= plain.Height-3:
					missed["bottom"]++
				case x < 3 || x >= plain.Width-3:
					missed["sides"]++
				}
			}
		}
		t.Logf("intersection over union %.4f", both/either)
		if both/either < 0.97 {
			t.Errorf("what darktable changes shares %.4f with what was selected, want 0.97", both/either)
		}
		if len(missed) > 0 {
			t.Errorf("pixels at the rim that are left out: %v", missed)
		}
		again, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Value: &ev, Mask: &Mask{Name: "water"}})
		if err != nil || again.Changed {
			t.Errorf("the same move again: changed %v, %v", again.Changed, err)
		}
	})
}

// A masker that fails in any way is named, and nothing changes.
func TestAMaskerThatFailsIsNamed(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, _ := ready(t, dt, scene.Chart{})
		e.opts.MaskerTimeout = time.Second
		head := headHash(t, e)
		program := filepath.Join(t.TempDir(), "program")
		if err := os.WriteFile(program, []byte("#!/bin/sh\ncat >/dev/null\necho no model here >&2\nexit 3\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		fails := map[string]struct {
			masker Masker
			want   string
		}{
			"an error": {testMasker{answer: func(context.Context, image.Image, MaskRequest) (*image.Gray, float64, error) {
				return nil, 0, errors.New("no memory")
			}}, "no memory"},
			"a panic": {testMasker{answer: func(context.Context, image.Image, MaskRequest) (*image.Gray, float64, error) {
				panic("out of range")
			}}, "out of range"},
			"another size": {testMasker{answer: func(context.Context, image.Image, MaskRequest) (*image.Gray, float64, error) {
				return image.NewGray(image.Rect(0, 0, 5, 5)), 1, nil
			}}, "5 by 5"},
			"fewer pixels": {testMasker{answer: func(_ context.Context, p image.Image, _ MaskRequest) (*image.Gray, float64, error) {
				return &image.Gray{Rect: image.Rectangle{Max: p.Bounds().Size()}, Stride: p.Bounds().Dx()}, 1, nil
			}}, "fewer pixels"},
			"no mask": {testMasker{answer: func(context.Context, image.Image, MaskRequest) (*image.Gray, float64, error) {
				return nil, 1, nil
			}}, "no mask"},
			"no confidence": {testMasker{answer: func(_ context.Context, p image.Image, _ MaskRequest) (*image.Gray, float64, error) {
				return lowland(p.Bounds().Size()), math.NaN(), nil
			}}, "NaN"},
			"no end": {testMasker{answer: func(context.Context, image.Image, MaskRequest) (*image.Gray, float64, error) {
				select {}
			}}, "time was over"},
			"nothing": {testMasker{answer: func(context.Context, image.Image, MaskRequest) (*image.Gray, float64, error) {
				return nil, 0, fmt.Errorf("looked well: %w", ErrNothingFound)
			}}, "no region there"},
			"an empty mask": {testMasker{answer: func(_ context.Context, p image.Image, _ MaskRequest) (*image.Gray, float64, error) {
				return image.NewGray(image.Rectangle{Max: p.Bounds().Size()}), 1, nil
			}}, "nothing"},
			"a program that fails":      {&ProgramMasker{Path: program, Called: "test eyes", Finds: []string{CanPoint}}, "no model here"},
			"a program that is missing": {&ProgramMasker{Path: program + "-no", Called: "test eyes", Finds: []string{CanPoint}}, "no such file"},
		}
		for name, tt := range fails {
			if m, ok := tt.masker.(testMasker); ok {
				m.can = []string{CanPoint}
				tt.masker = m
			}
			e.opts.Maskers = []Masker{tt.masker}
			for verb, call := range map[string]func(Mask) error{
				"preview_mask": func(m Mask) error {
					_, err := e.PreviewMask(t.Context(), PreviewMaskParams{ImageID: "a", Mask: m, Size: 200})
					return err
				},
				"apply_primitive": func(m Mask) error {
					_, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Mask: &m})
					return err
				},
			} {
				err := call(Mask{Points: []MaskPoint{{X: 0.5, Y: 0.5}}})
				if !errors.Is(err, ErrMasking) || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("%s, %s: %v; want a masking_error that has %q", name, verb, err, tt.want)
				}
				if name != "an empty mask" && AsError(err).Details["masker"] != "test eyes" {
					t.Errorf("%s, %s: the masker is not named: %v", name, verb, AsError(err).Details)
				}
			}
		}
		if headHash(t, e) != head {
			t.Error("a masker that failed changed the edit")
		}
	})
}

// A program answers on its standard output.
func TestAProgramIsAMasker(t *testing.T) {
	t.Parallel()
	picture := image.NewRGBA(image.Rect(0, 0, 40, 30))
	question, err := maskprogram.Question(picture, MaskRequest{Meaning: "sky", Box: []float64{0, 0, 1, 0.5}})
	if err != nil || !strings.HasPrefix(string(question), `{"request":{"meaning":"sky","box":[0,0,1,0.5]},"width":40,"height":30,"bytes":`) {
		t.Errorf("%.120s, %v", question, err)
	}
	dir := t.TempDir()
	mask := writePNG(t, lowland(image.Pt(40, 30)))
	script := filepath.Join(dir, "eyes")
	text := fmt.Sprintf("#!/bin/sh\ncat >/dev/null\nprintf '{\"confidence\": 0.6, \"bytes\": %%d}\\n' $(wc -c < '%s')\ncat '%s'\n", mask, mask)
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	eyes := &ProgramMasker{Path: script, Finds: []string{"sky"}}
	found, confidence, err := eyes.Mask(t.Context(), picture, MaskRequest{Meaning: "sky"})
	if err != nil || confidence != 0.6 || found.GrayAt(20, 28).Y != 255 || found.GrayAt(20, 1).Y != 0 {
		t.Errorf("confidence %v, %v", confidence, err)
	}
	for answer, want := range map[string]string{
		"": "line of JSON", "hello\n": "line of JSON", `{"confidence": 1, "bytes": 9}` + "\nabc": "9 bytes, and gives 3",
		`{"confidence": 1, "bytes": 3}` + "\nabc": "no PNG", `{"nothing_found": true}`: "nothing found",
	} {
		if _, _, err := maskprogram.Answer([]byte(answer), image.Pt(40, 30)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", answer, err, want)
		}
	}
}
