package chemigram

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// Two pictures of one landscape, of which one was taken with another exposure and white
// balance, become one set, a meadow stays as it is, and all is told before.
func TestASeriesBecomesOneSet(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		t.Setenv("XDG_CONFIG_HOME", t.TempDir())
		e, err := Open(t.Context(), &Options{Workspace: filepath.Join(t.TempDir(), "workspace"), Darktable: dt.CLI})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = e.Close() })
		for id, taken := range map[ImageID]struct {
			scene  scene.Scene
			camera dng.Options
		}{
			"right":  {scene.Landscape{}, dng.Options{}},
			"cool":   {scene.Landscape{}, dng.Options{EV: -0.6, AsShotKelvin: 5500, Noise: 0.5}},
			"meadow": {flower{}, dng.Options{}},
		} {
			raw := filepath.Join(t.TempDir(), string(id)+".dng")
			if err := scene.Write(raw, taken.scene, scene.Options{Megapixels: 0.1, DNG: taken.camera}); err != nil {
				t.Fatal(err)
			}
			if _, err := e.Ingest(t.Context(), IngestParams{RawPath: raw, ImageID: id}); err != nil {
				t.Fatal(err)
			}
		}
		// What a person has edited stays, and what is missing is added to it.
		if _, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "cool", PrimitiveName: "warmth", Value: new(4.0)}); err != nil {
			t.Fatal(err)
		}
		match := func(p MatchSeriesParams) MatchSeriesResult {
			t.Helper()
			p.ImageIDs = []ImageID{"right", "cool", "meadow"}
			res, err := e.MatchSeries(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range res.Outcomes {
				t.Logf("%s: %+v", o.ImageID, o.Series)
			}
			if res.Failed != 0 || len(res.Outcomes) != 2 {
				t.Fatalf("%+v", res)
			}
			return res
		}
		dry := match(MatchSeriesParams{Reference: "right", DryRun: true, Sheet: true})
		if dry.Changed != 0 || dry.LeftAlone != 1 || len(dry.Outcomes[0].Series.Moves) == 0 {
			t.Errorf("a dry run: %+v", dry)
		}
		if info, err := os.Stat(dry.JPEGPath); err != nil || info.Size() < 1000 {
			t.Errorf("no sheet: %v", err)
		}
		want := pictureOf(t, e, "right")
		res := match(MatchSeriesParams{Reference: "right", Label: "one set"})
		if res.Changed != 1 || res.LeftAlone != 1 || !res.Outcomes[1].Series.Unlike || res.Outcomes[1].Changed {
			t.Errorf("%+v", res)
		}
		after := distance(t, pictureOf(t, e, "cool").Blur(8), want.Blur(8))
		t.Logf("ΔE2000 %.2f", after.Mean)
		if after.Mean > 1.5 {
			t.Errorf("the pictures are still %.2f apart", after.Mean)
		}
		log, err := e.Log(t.Context(), LogParams{ImageID: "cool"})
		if err != nil || log.Entries[0].Label != "one set" || log.Total != 3 {
			t.Errorf("the history has %+v, %v; want one labelled snapshot more", log.Entries, err)
		}
		for _, move := range res.Outcomes[0].Series.Moves {
			if move.Name == "warmth" && (move.Value != move.By+4 || move.Unit != "mired") {
				t.Errorf("the warmth of cool: %+v", move)
			}
		}
		if again := match(MatchSeriesParams{Reference: "right", Match: []MatchPart{"exposure"}}); again.Changed != 0 {
			t.Errorf("once more: %+v", again)
		}
	})
}
