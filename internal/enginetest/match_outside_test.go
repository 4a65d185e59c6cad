package enginetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// ofToneAndColour are the modules that change tone and colour, of the whole picture or
// where a mask says, and ofTheCamera those that prepare a raw, correct its lens or take its
// noise away: they stay those of the picture.
var (
	ofToneAndColour = []string{
		"agx", "basecurve", "basicadj", "channelmixer", "channelmixerrgb", "colisa", "colorbalance", "colorbalancergb", "colorcontrast",
		"colorcorrection", "colorequal", "colorize", "colorzones", "exposure", "filmic", "filmicrgb", "globaltonemap", "levels", "lowlight",
		"monochrome", "profile_gamma", "relight", "rgbcurve", "rgblevels", "shadhi", "sigmoid", "splittoning", "tonecurve", "toneequal",
		"velvia", "vibrance",
	}
	ofTheCamera = []string{
		"cacorrect", "cacorrectrgb", "colorin", "colorout", "defringe", "demosaic", "denoiseprofile", "dither", "flip", "gamma", "highlights",
		"hotpixels", "lens", "mask_manager", "nlmeans", "rawdenoise", "rawprepare", "sharpen", "temperature",
	}
)

// outsideEdits are the shared sidecars whose modules are tone and colour, without those of
// the camera they were made with.
func outsideEdits(t *testing.T, release iop.Release) (names []string, edits [][]byte) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(testutil.SharedData(t, "xmp"), "*.xmp"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		edit, err := xmp.Parse(data)
		if err != nil {
			continue
		}
		var drop []xmp.Edit
		creative, other := false, false
		last := map[xmp.RemoveNumber]bool{}
		for _, e := range edit.History() {
			last[xmp.RemoveNumber{Operation: e.Operation, MultiPriority: e.MultiPriority}] = e.Enabled
		}
		for instance, enabled := range last {
			switch {
			case slices.Contains(ofTheCamera, instance.Operation):
				drop = append(drop, instance)
			case enabled && slices.Contains(ofToneAndColour, instance.Operation):
				creative = true
			case enabled:
				other = true
			default:
				drop = append(drop, instance)
			}
		}
		if !creative || other {
			continue
		}
		if edit, err = edit.With(release, drop...); err != nil {
			t.Logf("%s: %v", filepath.Base(path), err)
			continue
		}
		names, edits = append(names, filepath.Base(path)), append(edits, edit.Bytes())
	}
	return names, edits
}

// Real edits of others, whose moves are not ours, are matched: for 7 of 10 at most 40 % of
// the distance is left. Beside it: what exposure and white balance reach, the best of as
// many random edits by our moves, and the best global table of colours.
func TestEditsOfOthersAreMatched(t *testing.T) {
	if os.Getenv("CHEMIGRAM_MATCH") == "" {
		t.Skip("make match measures it")
	}
	s := newSeries(t)
	release, err := iop.ReleaseFor(testutil.AnyDarktable(t).Name)
	if err != nil {
		t.Fatal(err)
	}
	names, edits := outsideEdits(t, release)
	n, near := 0, 0
	first, end := numbers(t)
	for i := min(first, len(names)); i < min(end, len(names)); i++ {
		name := names[i]
		photo := s.photo(3 * (i % 6))
		id, truth := s.take(fmt.Sprintf("found%d", i), retaken{print: photo}, dng.Options{}), s.take(fmt.Sprintf("hidden%d", i), retaken{print: photo}, dng.Options{Seed: 9})
		path := filepath.Join(t.TempDir(), "hidden.xmp")
		if err := os.WriteFile(path, edits[i], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.engine.ImportSidecar(t.Context(), chemigram.ImportSidecarParams{ImageID: truth, Path: path, Partial: true}); err != nil {
			t.Logf("%s: %v", name, err)
			continue
		}
		plain, reference := s.sharp(id), s.sharp(truth)
		before := s.apart(id, truth)
		if before < 1 {
			t.Logf("%s: ΔE2000 %.2f before: it does hardly anything", name, before)
			continue
		}
		res, err := s.engine.MatchReference(t.Context(), chemigram.MatchReferenceParams{ImageID: id, Reference: string(truth)})
		if err != nil {
			t.Fatal(err)
		}
		after, table := s.apart(id, truth), meanDifference(t, pixel.ThroughTable(plain, reference), reference)
		random := s.random(i, id, truth, res.Renders)
		if n++; after <= 0.4*before {
			near++
		}
		t.Logf("%s: ΔE2000 %.2f before, %.2f after, %.0f %% are left; of light alone %.0f %%, of %d random edits %.0f %%, of a table %.0f %%; %s: %s %s", name, before, after,
			100*after/before, 100*res.LightAlone/res.Before, res.Renders, 100*random/before, 100*table/before, res.Understood, words(res.Applied), res.LeftAlone)
	}
	t.Logf("of %d edits of others, %d came to 40 %% of the distance", n, near)
}

// random is how near the best of so many random edits comes.
func (s *series) random(seed int, id, truth chemigram.ImageID, edits int) float64 {
	s.t.Helper()
	r := rand.New(rand.NewPCG(uint64(seed), 24))
	least := math.Inf(1)
	reference := s.seen(truth)
	for range edits {
		if _, err := s.engine.Reset(s.t.Context(), chemigram.ResetParams{ImageID: id}); err != nil {
			s.t.Fatal(err)
		}
		s.hide(r, id)
		d, err := pixel.Compare(s.seen(id), reference)
		if err != nil {
			s.t.Fatal(err)
		}
		least = min(least, d.Mean)
	}
	return least
}

// meanDifference is the mean ΔE2000 of two pictures after a blur.
func meanDifference(t *testing.T, a, b *pixel.Image) float64 {
	t.Helper()
	d, err := pixel.Compare(a.Blur(8), b.Blur(8))
	if err != nil {
		t.Fatal(err)
	}
	return d.Mean
}
