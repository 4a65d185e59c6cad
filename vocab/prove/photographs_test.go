package prove_test

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"testing"

	_ "image/jpeg" // the photographs

	"github.com/chemigram/chemigram/internal/colour"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/vocab"
)

// photographsThere are photographs beside the repository as scenes, to be looked at for
// harm: three of those that are there, the same ones every time, or none.
func photographsThere(t *testing.T) (names []vocab.Scene) {
	t.Helper()
	const few = 3
	var paths []string
	t.Run("photographs", func(t *testing.T) { // skips alone where there are none
		var err error
		if paths, err = filepath.Glob(filepath.Join(testutil.SharedData(t, "photos"), "*.jpg")); err != nil {
			t.Fatal(err)
		}
	})
	for i := range min(few, len(paths)) {
		f, err := os.Open(paths[i*len(paths)/few])
		if err != nil {
			t.Fatal(err)
		}
		m, _, err := image.Decode(f)
		_ = f.Close()
		if err != nil {
			t.Fatal(err)
		}
		name := vocab.Scene(fmt.Sprintf("photograph %d", i+1))
		photographs[name] = newPhotograph(printed{m}, dng.Options{})
		names = append(names, name)
	}
	return names
}

// printed is a photograph as if its print had been photographed.
type printed struct{ print image.Image }

func (printed) Name() string { return "photograph" }

func (printed) Places() map[string]pixel.Rect { return nil }

// Image is the photograph at a size, in linear Rec.2020 as ITU-R BT.2087 has it.
func (p printed) Image(width, height int) dng.Image {
	toRec2020 := colour.Matrix{{0.6274, 0.3293, 0.0433}, {0.0691, 0.9195, 0.0114}, {0.0164, 0.0880, 0.8956}}
	srgb, box := colour.FromSRGB(), p.print.Bounds()
	return dng.Image{Width: width, Height: height, Row: func(y int, out []float32) {
		for x := range width {
			r, g, b, _ := p.print.At(box.Min.X+x*box.Dx()/width, box.Min.Y+y*box.Dy()/height).RGBA()
			light := toRec2020.Apply([3]float64{srgb.Linear(uint16(r)), srgb.Linear(uint16(g)), srgb.Linear(uint16(b))})
			for c, v := range light {
				out[3*x+c] = float32(v)
			}
		}
	}}
}
