package mask_test

import (
	"os"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/mask"
)

func TestMasksFromDarktableItselfAreLeftAlone(t *testing.T) {
	t.Parallel()
	files := []string{
		testutil.SharedData(t, "xmp", "0081-mask-groups__mask-groups.xmp"),
		testutil.SharedData(t, "xmp", "0091-mask-combine-intersection-inverted__mask-combine-intersection-inverted.xmp"),
		testutil.SharedData(t, "xmp", "0075-retouch-heal__retouch-heal.xmp"),
	}
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		s := newDeveloper(t, dt, scene.Landscape{}, scene.Options{Megapixels: 0.06})
		disc := mask.Circle{X: 0.5, Y: 0.5, Radius: 0.2, Border: 0.02}
		jobs := map[string]*xmp.Sidecar{}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			side, err := xmp.Parse(data)
			if err != nil {
				t.Fatal(err)
			}
			if len(side.Forms()) == 0 {
				t.Fatalf("%s has no forms", file)
			}
			// Levels of another camera's raw would leave nothing to see.
			levels, _ := s.baseline.Find("rawprepare", "")
			side = s.with(side, xmp.Put{Entry: levels})
			neutral := s.put("exposure", "neutral", map[string]float64{"exposure": 0, "black": 0, "compensate_exposure_bias": 0})
			jobs[file] = side
			jobs[file+" neutral"] = s.with(side, s.masked(neutral, shape(disc), mask.ColorSpaceRGBScene))
			jobs[file+" masked"] = s.with(side, s.darkerWhere("ours", shape(disc)))
		}
		pictures := s.develop(jobs)
		for _, file := range files {
			plain := pictures[file]
			// Mixing a picture with itself rounds.
			if d, err := pixel.Compare(plain, pictures[file+" neutral"]); err != nil || d.Mean > 0.001 {
				t.Errorf("%s: a neutral edit changes ΔE2000 by %.4f in the mean, %.3f at most, %v", file, d.Mean, d.Max, err)
			}
			// These sidecars turn, crop or sharpen; what matters is that some of
			// the picture follows our mask, and the rest stays.
			d, err := pixel.Compare(plain, pictures[file+" masked"])
			if err != nil || d.Changed < 0.02 || d.Changed > 0.4 {
				t.Errorf("%s: a masked edit changes %.3f of the picture, %v", file, d.Changed, err)
			}
		}
	})
}
