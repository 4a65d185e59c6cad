package mask_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/chemigram/chemigram/xmp/mask"
)

func TestRangesInPeoplesNumbers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		r    mask.SpecRange
		want mask.Select
	}{
		{
			"a hue",
			mask.SpecRange{Channel: mask.Hue, From: new(90.0), To: new(180.0), Softness: new(36.0)},
			mask.Select{Channel: mask.Hue, Range: mask.Range{Low: 0.15, LowFull: 0.25, HighFull: 0.5, High: 0.6}},
		},
		{
			"a hue around the circle's end",
			mask.SpecRange{Channel: mask.Hue, From: new(342.0), To: new(18.0), Softness: new(0.0)},
			mask.Select{Channel: mask.Hue, Range: mask.Range{Low: 0.95, LowFull: 0.95, HighFull: 1.05, High: 1.05}},
		},
		{
			"lightness is light",
			mask.SpecRange{Channel: mask.Lightness, From: new(0.5)},
			mask.Select{Channel: mask.Gray, Range: mask.Range{Low: 0.1125, LowFull: 0.1842, HighFull: 1, High: 1}},
		},
		{
			"chroma from grey",
			mask.SpecRange{Channel: mask.Chroma, To: new(0.3), Invert: true},
			mask.Select{Channel: mask.Chroma, Range: mask.Range{HighFull: 0.3, High: 0.4}, Invert: true},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m, err := mask.Spec{Ranges: []mask.SpecRange{tt.r}}.Mask(mask.Frame{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]mask.Select{tt.want}, m.Ranges, cmpopts.EquateApprox(0, 1e-4)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestAKeyNamesTheSelectionAndNotItsStrength(t *testing.T) {
	t.Parallel()
	circle := mask.Spec{Shapes: []mask.SpecShape{{Kind: mask.KindCircle, Radius: 0.1}}}
	softer, other, labelled := circle, circle, circle
	softer.Blur, softer.Opacity = 20, new(mask.Share(0.5))
	other.Invert = true
	labelled.Label = "left eye"
	switch {
	case circle.Key() != softer.Key():
		t.Error("opacity and blur change the key")
	case circle.Key() == other.Key():
		t.Error("the inverse has the same key")
	case labelled.Key() != "left eye" || (mask.Spec{Name: "skin"}).Key() != "skin":
		t.Error("labels and names are keys as they are")
	}
}

func TestANamedMaskIsLimitedByWhatStandsBesideIt(t *testing.T) {
	t.Parallel()
	sky := mask.Spec{Ranges: []mask.SpecRange{{Channel: mask.Hue, From: new(230.0), To: new(270.0)}}, Blur: 2}
	here := mask.Spec{Name: "sky", Shapes: []mask.SpecShape{{Kind: mask.KindGradient}}, Feather: 10}
	got, err := here.Within(sky)
	if err != nil {
		t.Fatal(err)
	}
	want := mask.Spec{Shapes: here.Shapes, Ranges: sky.Ranges, Blur: 2, Feather: 10}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	sky.Invert = true
	if _, err := here.Within(sky); !errors.As(err, new(*mask.Error)) {
		t.Errorf("an inverted mask was limited: %v", err)
	}
}

func TestTheProportionsOfTheInputAreRead(t *testing.T) {
	t.Parallel()
	const w, h = 30, 20
	p := mask.NewProbe(mask.Size{Width: 1, Height: 1})
	long := 3 / math.Sqrt(13) // the width of 3:2 in diagonals
	var across, beside []float64
	for i := range w * h {
		x := (float64(i%w) + 0.5) / w
		across = append(across, 0.5+(float64(p.Across.X)-x)*long)
		beside = append(beside, min(max(0.5+(float64(p.Beside().X)-x)*long, 0), 1))
	}
	size, ok := mask.InputOf(across, beside)
	if !ok || math.Abs(size.Width/size.Height-1.5) > 1e-3 {
		t.Errorf("%+v, %v", size, ok)
	}
	across[7], across[100] = math.NaN(), math.NaN()
	if !mask.Fill(across, w) || math.Abs(across[7]-(0.5+(0.5-7.5/w)*long)) > 1e-9 {
		t.Errorf("filled in %g", across[7])
	}
}
