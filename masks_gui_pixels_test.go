package chemigram

import (
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// An edit that darktable's window made, with masks and spots of its own, is
// edited further: a neutral edit changes no pixel, and a masked one what is
// inside of its mask.
func TestMasksOfDarktablesWindowAreEditedFurther(t *testing.T) {
	var files []string
	for _, name := range []string{"0081-mask-groups__mask-groups", "0091-mask-combine-intersection-inverted__mask-combine-intersection-inverted", "0075-retouch-heal__retouch-heal"} {
		files = append(files, testutil.SharedData(t, "xmp", name+".xmp"))
	}
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, raw := openWith(t, dt, scene.Landscape{})
		ingest(t, e, raw)
		for _, file := range files {
			name := filepath.Base(file)
			if _, err := e.ImportSidecar(t.Context(), ImportSidecarParams{ImageID: "a", Path: file}); err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			// Levels of another camera's raw would leave nothing to see.
			if _, err := e.RemoveModule(t.Context(), RemoveModuleParams{ImageID: "a", ModuleName: "rawprepare"}); err != nil {
				t.Fatal(err)
			}
			before := previewOf(t, e, "")
			if _, err := set(t, e, "exposure", "neutral", "exposure", "0", "black", "0", "compensate_exposure_bias", "false"); err != nil {
				t.Fatal(err)
			}
			if d := distance(t, before, previewOf(t, e, "")); d.Max != 0 {
				t.Errorf("%s: a neutral edit changes ΔE2000 by %.4f in the mean, %.3f at most", name, d.Mean, d.Max)
			}
			applyMasked(t, e, ApplyPrimitiveParams{PrimitiveName: "exposure", Value: new(-1.5), Mask: ellipse(0.5, 0.5, 0.3, 0.2, 0)})
			in, out := acrossEllipse(before, previewOf(t, e, ""))
			if !(in > 5) || !(out < 0.1) {
				t.Errorf("%s: a masked edit changes ΔE2000 by %.2f inside and %.3f outside of its mask", name, in, out)
			}
		}
	})
}

// acrossEllipse gives the mean ΔE2000 in the ellipse 0.5, 0.5, 0.3, 0.2, and
// beyond its edge.
func acrossEllipse(before, after *pixel.Image) (inside, outside float64) {
	var in, out float64
	for i := range before.Width * before.Height {
		x, y := i%before.Width, i/before.Width
		d := pixel.DeltaE2000(before.At(x, y).Lab(), after.At(x, y).Lab())
		switch r := inEllipse(float64(x), float64(y), before, 0.5, 0.5, 0.3, 0.2, 0); {
		case r < 0.9:
			inside, in = inside+d, in+1
		case r > 1.3:
			outside, out = outside+d, out+1
		}
	}
	return inside / in, outside / out
}
