package render

import (
	"image"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestDraftsArePlannedForTheSizeOfTheExport(t *testing.T) {
	t.Parallel()
	whole := frame{6000, 4000, true}
	cropped := frame{3001, 2000, false}
	for _, c := range []struct {
		name     string
		frame    frame
		size     int
		rounding float64
		want     draftPlan
	}{
		{"a thumbnail that is larger", whole, 1024, 0, draftPlan{3, image.Pt(1024, 682), 1024.0 / 1350}},
		{"one of the same size", whole, 1350, 0.8, draftPlan{3, image.Pt(1350, 900), 1}},
		{"one that is a little smaller", whole, 1440, 0, draftPlan{3, image.Pt(1440, 960), 1440.0 / 1350}},
		{"one that would be too small", whole, 1600, 0, draftPlan{4, image.Pt(1600, 1066), 1600.0 / 1800}},
		{"a size rounded up beyond the raw", whole, 1024, 0.8, draftPlan{3, image.Pt(1024, 683), 1024.0 / 1350 * 4001 / 4000}},
		{"a crop, which ends within the raw", cropped, 640, 0.8, draftPlan{2, image.Pt(640, 427), 640.0 / 3001 / (450.0 / 2000)}},
	} {
		got, ok := planDraft(c.frame, c.size, c.rounding)
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(draftPlan{}), cmpopts.EquateApprox(1e-12, 0)); !ok || diff != "" {
			t.Errorf("%s: %t %s", c.name, ok, diff)
		}
	}
	if p, ok := planDraft(whole, 3000, 0); ok {
		t.Errorf("a preview of 3,000 pixels has the draft %+v; half-size demosaic does not serve it", p)
	}
}

func TestScalingMovesAThumbnailBackToWhereTheExportIs(t *testing.T) {
	t.Parallel()
	for _, ratio := range []image.YCbCrSubsampleRatio{image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio420} {
		ramp := image.NewYCbCr(image.Rect(0, 0, 31, 21), ratio)
		for y := range 21 {
			for x := range 31 {
				// The chroma planes stay flat.
				ramp.Y[ramp.YOffset(x, y)] = byte(100 + 4*x)
			}
		}
		p := draftPlan{size: image.Pt(62, 42), scale: 2}
		got, err := p.scaleThumbnail(ramp)
		if err != nil {
			t.Fatal(err)
		}
		for x := 10; x < 50; x++ {
			want := 100 + 4*(float64(x)/2-thumbnailShift)
			if v := got.YCbCrAt(x, 10); float64(v.Y) < want-1 || float64(v.Y) > want+1 {
				t.Errorf("%v: %d at %d, want %.1f", ratio, v.Y, x, want)
			}
		}
	}
	if _, err := (draftPlan{size: image.Pt(5, 5), scale: 1}).scaleThumbnail(image.NewYCbCr(image.Rect(0, 0, 9, 5), image.YCbCrSubsampleRatio420)); err == nil {
		t.Error("a thumbnail of another shape is taken")
	}
}
