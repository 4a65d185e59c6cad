package chemigram

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// Ingest suggests the lens's profile where darktable then corrects the picture by it, and
// nowhere else.
func TestAProfileIsSuggestedForTheLensesThatDarktableKnows(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		for lens, known := range map[string]bool{
			"AF-S Zoom-Nikkor 24-70mm f/2.8G ED": true,
			"Lensmaker 24-70mm f/0.7":            false,
		} {
			e, _ := openWith(t, dt, scene.Chart{})
			raw := filepath.Join(t.TempDir(), "a.dng")
			if err := scene.Write(raw, scene.Optics{}, scene.Options{Megapixels: 0.2, DNG: dng.Options{
				Make: "NIKON CORPORATION", Model: "NIKON D750", LensModel: lens, FocalLength: 24, FNumber: 2.8, CornerLight: 0.5,
			}}); err != nil {
				t.Fatal(err)
			}
			suggested := ingest(t, e, raw).SuggestedBindings
			if got := slices.Contains(suggested, "prepare_lens_profile"); got != known {
				t.Errorf("%s: suggested %q, want the profile: %v", lens, suggested, known)
			}
			if _, err := e.BindLayers(t.Context(), BindLayersParams{ImageID: "a", L1Template: "prepare_lens_profile"}); err != nil {
				t.Fatal(err)
			}
			seen, err := e.Compare(t.Context(), CompareParams{ImageID: "a", HashA: "baseline", HashB: "HEAD", Size: 512})
			if err != nil || seen.MeanDeltaE > 0.2 != known {
				t.Errorf("%s: the profile changes the picture by ΔE %.2f, %v", lens, seen.MeanDeltaE, err)
			}
		}
	})
}
