package match

import (
	"context"
	"errors"
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"github.com/chemigram/chemigram/internal/colour"
	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
)

// axesNamed are axes of two moves with one number, and of one with an amount and a hue.
func axesNamed() []axis {
	amount := func(name string, low, high, usual float64) *vocab.Entry {
		return &vocab.Entry{Name: name, Layer: vocab.L3, Parameters: []vocab.Parameter{{Name: "amount", Min: low, Max: high, Default: usual}}}
	}
	cast := amount("cast", 0, 0.2, 0.08)
	cast.Parameters = append(cast.Parameters, vocab.Parameter{Name: "hue", Unit: "°", Max: 360, Default: 230})
	var axes []axis
	for _, e := range []*vocab.Entry{amount("light", -3, 3, 0.5), amount("colour", -0.5, 0.5, 0.25), cast} {
		found, ok := axesOf(e)
		if !ok {
			panic(e.Name)
		}
		axes = append(axes, found...)
	}
	return axes
}

// Values are those that a person would say, within the ranges of the moves.
func TestValuesAreRoundAndWithinTheirRanges(t *testing.T) {
	t.Parallel()
	axes := axesNamed()
	for _, tt := range []struct {
		p    point
		want []map[string]float64
	}{
		{point{0.4321, 0, 0, 0}, []map[string]float64{{"amount": 0.45}}},
		{point{0.02, -0.009, 0.001, 0}, nil},
		{point{9, -2, 0, 0}, []map[string]float64{{"amount": 3}, {"amount": -0.5}}},
		{point{0, 0, 0.03, -0.04}, []map[string]float64{{"amount": 0.05, "hue": 305}}},
		{point{0, 0, -0.5, 0}, []map[string]float64{{"amount": 0.2, "hue": 180}}},
	} {
		found := settings(axes, spoken(axes, tt.p))
		if len(found) != len(tt.want) {
			t.Errorf("%v: %v, want %v", tt.p, found, tt.want)
			continue
		}
		for i, m := range found {
			for name, want := range tt.want[i] {
				if math.Abs(m.Values[name]-want) > 1e-9 {
					t.Errorf("%v: %s %v, want %v", tt.p, m.Entry.Name, m.Values, tt.want[i])
				}
			}
		}
	}
	for most, want := range map[float64]float64{0.05: 0.05, 1.5: 1, 0.03: 0.02, 0.099: 0.05, 10: 10} {
		if got := roundest(most); math.Abs(got-want) > 1e-12 {
			t.Errorf("the roundest number up to %g is %g, want %g", most, got, want)
		}
	}
}

// A picture of the same palette is at no distance, whatever its places; one that is
// lighter by 10 in L* is as far away as that looks along the directions, in the mean.
func TestPalettesAreComparedWhereverTheirColoursAre(t *testing.T) {
	t.Parallel()
	v := NewView(texture(1, 0, 0, 300, 200, even))
	turned, lighter := v, v
	turned.lab = slices.Clone(v.lab)
	slices.Reverse(turned.lab)
	lighter.lab = slices.Clone(v.lab)
	for i := range lighter.lab {
		lighter.lab[i].L += 10
	}
	p := newPalette(v, paletteDirections)
	// The cells that are looked at are others when they are turned round.
	if d := p.apart(turned); d > 0.2 {
		t.Errorf("the same colours are %.2f apart", d)
	}
	if d := p.apart(lighter); math.Abs(d-5) > 0.1 {
		t.Errorf("10 in L* are %.2f apart, want 5", d)
	}
}

// synthetic develops texture in the light that a look's moves ask for, without darktable.
type synthetic struct {
	vocabulary *vocab.Vocabulary
	start      compose.Start
	developed  int
}

func newSynthetic(t *testing.T) *synthetic {
	t.Helper()
	sidecar, release, err := baseline.Parse("5.4.1")
	if err != nil {
		t.Fatal(err)
	}
	sources, err := vocab.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	v, failures := vocab.Load(sources...)
	if len(failures) > 0 {
		t.Fatal(failures)
	}
	return &synthetic{vocabulary: v, start: compose.Start{Stack: stack.New(release, sidecar, sidecar), Vocabulary: v}}
}

func (s *synthetic) value(t *testing.T, look *xmp.Sidecar, move string) float64 {
	t.Helper()
	e, err := s.vocabulary.Entry(move)
	if err != nil {
		t.Fatal(err)
	}
	v, _ := e.ValueIn(vocab.Application{Baseline: s.start.Baseline, Current: look, Target: s.start.Release})
	return v
}

func (s *synthetic) picture(t *testing.T, look *xmp.Sidecar) image.Image {
	ev, mired, tint := s.value(t, look, "exposure"), s.value(t, look, "warmth"), s.value(t, look, "tint")
	gain := math.Exp2(ev)
	return texture(7, 0, 0, 300, 200, [3]float64{gain * (1 + 0.004*mired) * (1 + 0.1*tint), gain * (1 - 0.1*tint), gain * (1 - 0.006*mired) * (1 + 0.1*tint)})
}

// Amounts are found within the budget, calls that end early give nothing, and what is
// the same already gets no moves.
func TestALikenessIsFoundWithinItsBudget(t *testing.T) {
	t.Parallel()
	s := newSynthetic(t)
	hidden, err := lookOf(t.Context(), s.start, []Setting{s.set(t, "exposure", 0.6), s.set(t, "warmth", -14)})
	if err != nil {
		t.Fatal(err)
	}
	reference, err := NewReference("hidden", s.picture(t, hidden))
	if err != nil {
		t.Fatal(err)
	}
	subject := Subject{
		Start: s.start, MaxMoves: 3, Budget: 12, AtOnce: 1, Names: []string{"exposure", "warmth", "tint"},
		Develop: func(_ context.Context, look *xmp.Sidecar, _ bool) (Developed, error) {
			s.developed++
			return Developed{Picture: s.picture(t, look)}, nil
		},
		Report: func(int) {},
	}
	found, err := Like(t.Context(), reference, subject)
	if err != nil {
		t.Fatal(err)
	}
	values := found.Values()
	if math.Abs(values["exposure.ev"]-0.6) > 0.051 || math.Abs(values["warmth.shift"]+14) > 2.1 || found.After > 0.5 || found.Renders > 12 || found.LeftAlone != "" {
		t.Errorf("%v: %+v", values, found.Measures)
	}
	if found.Look == nil || math.Abs(s.value(t, found.Look, "exposure")-values["exposure.ev"]) > 1e-6 {
		t.Error("the look is another")
	}
	subject.Start.Current = hidden
	subject.Keep = true
	if same, err := Like(t.Context(), reference, subject); err != nil || len(same.Moves) > 0 || same.Look != nil || same.LeftAlone != "" || same.Renders != 1 {
		t.Errorf("the same picture: %+v, %v", same.Measures, err)
	}
	subject.Start = s.start
	subject.Keep = false
	subject.Names = []string{"contrast", "saturation"} // which do nothing here
	if other, err := Like(t.Context(), reference, subject); err != nil || len(other.Moves) > 0 || other.LeftAlone == "" || other.LightAlone >= other.Before {
		t.Errorf("moves that may not be used: %v, %+v, %v", other.Values(), other.Measures, err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancelling := subject
	cancelling.Names = []string{"exposure", "warmth", "tint"}
	cancelling.Develop = func(context.Context, *xmp.Sidecar, bool) (Developed, error) {
		cancel() // and a draft that is made all the same
		return Developed{Picture: s.picture(t, s.start.Current)}, nil
	}
	if found, err := Like(cancelled, reference, cancelling); !errors.Is(err, context.Canceled) || found.Look != nil {
		t.Errorf("a call that was cancelled gives %+v, %v", found.Measures, err)
	}
	ends := errors.New("it ends")
	develop := subject.Develop
	for after := range 6 {
		n := 0
		subject.Develop = func(ctx context.Context, look *xmp.Sidecar, draft bool) (Developed, error) {
			if n++; n > after {
				return Developed{}, ends
			}
			return develop(ctx, look, draft)
		}
		if found, err := Like(t.Context(), reference, subject); !errors.Is(err, ends) || found.Look != nil {
			t.Errorf("ended after %d: %v", after, err)
		}
	}
}

func (s *synthetic) set(t *testing.T, move string, value float64) Setting {
	t.Helper()
	e, err := s.vocabulary.Entry(move)
	if err != nil {
		t.Fatal(err)
	}
	return Setting{e, map[string]float64{e.Parameters[0].Name: value}}
}

// What shows nothing is told, and nothing is looked for.
func TestReferencesOfNothingAreTold(t *testing.T) {
	t.Parallel()
	s := newSynthetic(t)
	for _, size := range []image.Point{{1, 1}, {300, 200}} {
		m := image.NewGray(image.Rectangle{Max: size})
		for i := range m.Pix {
			m.Pix[i] = color.Gray{128}.Y
		}
		reference, err := NewReference("nothing", m)
		if err != nil {
			t.Fatal(err)
		}
		found, err := Like(t.Context(), reference, Subject{
			Start: s.start, MaxMoves: 6, Budget: 24,
			Develop: func(_ context.Context, look *xmp.Sidecar, _ bool) (Developed, error) {
				return Developed{Picture: s.picture(t, look)}, nil
			},
			Report: func(int) {},
		})
		if err != nil || found.LeftAlone == "" || found.Confidence != 0 || found.Renders != 1 || found.Look != nil {
			t.Errorf("%v: %+v, %v", size, found.Measures, err)
		}
	}
}

// Of moves that may be tried, those are chosen that take away what is left.
func TestPromisingMovesTakeAwayWhatIsLeft(t *testing.T) {
	t.Parallel()
	v := NewView(texture(3, 0, 0, 300, 200, even))
	wanted := v
	wanted.lab = slices.Clone(v.lab)
	for i, c := range v.lab {
		wanted.lab[i] = plus(c, colour.Lab{A: -c.B, B: c.A}, 0.1) // another hue
	}
	s := newSynthetic(t)
	axes, err := usable(s.start, nil, promisingNames())
	if err != nil {
		t.Fatal(err)
	}
	f := newFit(same{comparison{reference: wanted.unlost(), overlaps: true, place: place{scale: 1}}}, v)
	f.mild = func(float64, float64) float64 { return 1 }
	found := promising(f, v, axes, 3)
	if len(found) == 0 || found[0].entry.Name != "hue_shift" {
		t.Errorf("%v", found)
	}
}
