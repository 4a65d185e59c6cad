package vocab

import (
	"errors"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// rivals has a look and a move that share a field of sigmoid's base instance, and a
// captured look.
func rivals(t *testing.T) *fixture {
	t.Helper()
	entries := `[
	{"name": "punch", "layer": "L2", "subject": "look", "description": "A look.",
	 "ops": [{"module": "sigmoid", "set": {"middle_grey_contrast": 2, "contrast_skewness": 0.3}}], "claims": [{"measure": "contrast", "moves": "up"}]},
	{"name": "harder", "layer": "L3", "subject": "tone", "description": "More contrast.",
	 "parameters": [{"name": "amount", "min": -1, "max": 1, "default": 0.5, "neutral": 0}],
	 "ops": [{"module": "sigmoid", "add": {"middle_grey_contrast": "amount"}}], "claims": [{"measure": "contrast", "moves": "up"}]},
	{"name": "vivid", "layer": "L3", "subject": "colour", "description": "More colour.",
	 "parameters": [{"name": "amount", "min": -1, "max": 1, "default": 0.5, "neutral": 0}],
	 "ops": [{"module": "colorbalancergb", "add": {"vibrance": "amount"}}], "claims": [{"measure": "chroma", "moves": "up"}]}]`
	v, failures := Load(Source{"mine", fstest.MapFS{
		"pack.json": {Data: []byte(goodManifest)}, "moves.json": {Data: []byte(entries)}, "looks.json": {Data: []byte(styled)},
		"styles/my look.dtstyle": {Data: captured(t, nil)},
	}})
	if len(failures) > 0 {
		t.Fatal(errors.Join(failures...))
	}
	b := newFixture(t, "5.4.1")
	b.words = v
	return b
}

func madeBy(s *xmp.Sidecar, module string) []string {
	e, _ := s.Find(module, "")
	names := []string{}
	for _, o := range e.Origins {
		names = append(names, o.Entry)
	}
	return names
}

func TestAStrengthOfZeroTakesAwayTheMoveItself(t *testing.T) {
	t.Parallel()
	b := rivals(t)
	none := Application{Strength: new(0.0)}
	contrast := func(s *xmp.Sidecar) float64 { return b.field(s, "sigmoid", "", "middle_grey_contrast") }
	skewness := func(s *xmp.Sidecar) float64 { return b.field(s, "sigmoid", "", "contrast_skewness") }
	own, skew := contrast(b.baseline), skewness(b.baseline)

	harder := b.apply(b.baseline, "harder", value(0.5))
	if off := b.apply(harder, "punch", none); off.Hash() != harder.Hash() {
		t.Errorf("a look that was never applied takes the contrast from %g to %g", contrast(harder), contrast(off))
	}
	both := b.apply(b.apply(b.baseline, "punch", Application{}), "harder", value(0.5))
	off := b.apply(both, "punch", none)
	near(t, "contrast without the look", contrast(off), own+0.5)
	near(t, "skewness without the look", skewness(off), skew)
	if off.Hash() != harder.Hash() || !slices.Equal(madeBy(off, "sigmoid"), []string{"harder"}) {
		t.Errorf("what is left of the look: made by %v", madeBy(off, "sigmoid"))
	}
	if all := b.apply(off, "harder", none); all.Hash() != b.baseline.Hash() {
		t.Error("without either it is not the baseline")
	}
}

func TestARivalMoveAtItsNeutralLeavesTheOther(t *testing.T) {
	t.Parallel()
	b := rivals(t)
	punch := b.apply(b.baseline, "punch", Application{})
	if still := b.apply(punch, "harder", value(0)); still.Hash() != punch.Hash() {
		t.Error("a move at its neutral took a look's contrast away")
	}
	back := b.apply(b.apply(b.baseline, "harder", value(0.5)), "punch", Application{})
	if off := b.apply(back, "punch", Application{Strength: new(0.0)}); off.Hash() != b.baseline.Hash() || len(madeBy(off, "sigmoid")) > 0 {
		t.Errorf("made by %v; the look had replaced the move", madeBy(off, "sigmoid"))
	}
	if still := b.apply(back, "harder", value(0)); still.Hash() != back.Hash() {
		t.Error("a move that a look replaced took the look's contrast away")
	}
	// What no move made goes back to the baseline's, as the value says.
	exposed := b.set(b.baseline, "sigmoid", "middle_grey_contrast", 3)
	if plain := b.apply(exposed, "harder", value(0)); plain.Hash() != b.baseline.Hash() {
		t.Error("a neutral value is not the baseline's")
	}
	if kept := b.apply(exposed, "harder", Application{Strength: new(0.0)}); kept.Hash() != exposed.Hash() {
		t.Error("a strength of 0 took away what no move made")
	}
}

func TestAStyleThatIsTakenAwayLeavesLaterMoves(t *testing.T) {
	t.Parallel()
	b := rivals(t)
	none := Application{Strength: new(0.0)}
	vivid := b.apply(b.baseline, "vivid", value(0.25))
	both := b.apply(b.apply(b.baseline, "captured", Application{}), "vivid", value(0.25))
	off := b.apply(both, "captured", none)
	near(t, "vibrance", b.field(off, "colorbalancergb", "", "vibrance"), 0.25)
	if off.Hash() != vivid.Hash() {
		t.Error("without the style it is not the move alone")
	}
	if off = b.apply(vivid, "captured", none); off.Hash() != vivid.Hash() {
		t.Error("a style that was never applied took a move away")
	}
	if all := b.apply(b.apply(both, "captured", none), "vivid", value(0)); all.Hash() != b.baseline.Hash() {
		t.Error("without either it is not the baseline")
	}
}

// Every entry of every pack that was not applied leaves every other one alone at
// strength 0, and takes away itself.
func TestNoEntryTakesAwayAnotherAtStrengthZero(t *testing.T) {
	t.Parallel()
	testutil.SkipShort(t)
	b := newFixture(t, "5.4.1")
	b.words = shipped(t, "starter", "expressive")
	none := Application{Strength: new(0.0)}
	entries := b.words.List(Filter{})
	for i, e := range entries {
		if ok, _ := e.Available(b.release); !ok || e.MissingModule(b.baseline) != "" {
			continue
		}
		on, err := b.try(b.baseline, e.Name, Application{Values: sampleValues(e)})
		if err != nil {
			continue // for masks, a frame is needed
		}
		for j, other := range entries {
			if (i+j)%29 != 0 || other == e { // some of the pairs
				continue
			}
			if ok, _ := other.Available(b.release); !ok {
				continue
			}
			if off, err := b.try(on, other.Name, none); err == nil && off.Hash() != on.Hash() {
				t.Errorf("%s at strength 0 changes %s", other.Name, e.Name)
			}
		}
		if off := b.apply(on, e.Name, none); off.Hash() != b.baseline.Hash() {
			t.Errorf("%s at strength 0 leaves something behind", e.Name)
		}
	}
}

// set changes a field of a base instance without a move.
func (b *fixture) set(s *xmp.Sidecar, module, field string, to float64) *xmp.Sidecar {
	b.t.Helper()
	e, _ := s.Find(module, "")
	p, err := iop.Decode(module, e.Modversion, e.Params)
	if err == nil {
		p, err = p.With(field, iop.Number(to))
	}
	if err != nil {
		b.t.Fatal(err)
	}
	e.MultiName, e.Params = "", p.Encode()
	next, err := s.With(b.release, xmp.Put{Entry: e})
	if err != nil {
		b.t.Fatal(err)
	}
	return next
}
