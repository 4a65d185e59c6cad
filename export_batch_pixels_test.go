package chemigram

import (
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// Two versions of one picture in one batch are what single exports give, and a
// second call finds them done.
func TestABatchExportsWhatIsAskedOnce(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, _ := ready(t, dt, scene.Landscape{})
		apply(t, e, "exposure", 1)
		p := ExportBatchParams{
			Items: []ExportItem{{ImageID: "a"}, {ImageID: "a", RefOrHash: "baseline"}}, Format: "png", Size: 160,
		}
		res, err := e.ExportBatch(t.Context(), p)
		if err != nil || res.Exported != 2 {
			t.Fatalf("%+v, %v", res, err)
		}
		for i, item := range p.Items {
			single, err := e.ExportFinal(t.Context(), ExportFinalParams{ImageID: "a", RefOrHash: item.RefOrHash, Format: "png", Size: 160})
			if err != nil {
				t.Fatal(err)
			}
			want, err := pixel.Load(single.OutputPath)
			if err != nil {
				t.Fatal(err)
			}
			got, err := pixel.Load(res.Outcomes[i].OutputPath)
			if err != nil {
				t.Fatal(err)
			}
			if d := distance(t, got, want); d.Max != 0 {
				t.Errorf("%+v is %.3f from a single export", item, d.Max)
			}
		}
		again, err := e.ExportBatch(t.Context(), p)
		if err != nil || again.Skipped != 2 || again.Exported != 0 {
			t.Errorf("once more: %+v, %v", again, err)
		}
	})
}
