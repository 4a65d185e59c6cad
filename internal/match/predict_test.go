package match

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/chemigram/chemigram/internal/colour"
	"github.com/chemigram/chemigram/vocab"
)

// chartOf are colours all over CIELAB.
func chartOf() (chart []colour.Lab) {
	for l := 0.0; l <= 100; l += 10 {
		for a := -40.0; a <= 40; a += 16 {
			for b := -40.0; b <= 40; b += 16 {
				chart = append(chart, colour.Lab{L: l, A: a, B: b})
			}
		}
	}
	return chart
}

// invented is a table of two moves with one number, and of one with a hue: the first makes
// lighter, the second, after it, more colourful, and the third casts a colour.
func invented(axes []axis) *Table {
	t := &Table{Darktable: "5.4.1", From: chartOf()}
	add := func(a axis, amount, hue float64, does func(colour.Lab) colour.Lab) {
		e := Effect{Move: a.entry.Name, Digest: a.entry.DevelopmentDigest(), Amount: amount, Hue: hue}
		for _, c := range t.From {
			e.To = append(e.To, does(c))
		}
		t.Effects = append(t.Effects, e)
	}
	for _, amount := range []float64{-1, -0.5, 0.5, 1} {
		add(axes[0], amount, 0, func(c colour.Lab) colour.Lab { return light(c, amount) })
		add(axes[1], amount/2, 0, func(c colour.Lab) colour.Lab { return stronger2(c, amount/2) })
	}
	for _, hue := range []float64{0, 90, 180, 270} {
		sin, cos := math.Sincos(hue * math.Pi / 180)
		add(axes[2], 0.1, hue, func(c colour.Lab) colour.Lab { return plus(c, colour.Lab{A: cos, B: sin}, 5) })
	}
	return t
}

func light(c colour.Lab, amount float64) colour.Lab { c.L *= 1 - amount/10; return c }

func stronger2(c colour.Lab, amount float64) colour.Lab {
	return colour.Lab{L: c.L, A: c.A * (1 + amount), B: c.B * (1 + amount)}
}

// What moves do together is predicted as one after the other does it.
func TestMovesTogetherArePredicted(t *testing.T) {
	t.Parallel()
	axes := axesNamed()
	p, known := newPredictor(invented(axes), axes)
	if slices.Contains(known, false) {
		t.Fatalf("known %v", known)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		c := colour.Lab{L: 20 + 60*r.Float64(), A: 40*r.Float64() - 20, B: 40*r.Float64() - 20}
		at := point{2*r.Float64() - 1, r.Float64() - 0.5, 0.2*r.Float64() - 0.1, 0.2*r.Float64() - 0.1}
		want := plus(stronger2(light(c, at[0]), at[1]), colour.Lab{A: at[2], B: at[3]}, 50)
		got := []colour.Lab{c}
		p.apply(at, got)
		if d := math.Hypot(got[0].L-want.L, math.Hypot(got[0].A-want.A, got[0].B-want.B)); d > 0.7 {
			t.Errorf("%v at %.2f became %.2f, want %.2f", c, at, got[0], want)
		}
	}
	other := invented(axes)
	other.Effects[0].Digest = "of another entry"
	p, _ = newPredictor(other, axes)
	if i := slices.IndexFunc(p.responses, func(r response) bool { return r.axis == 0 }); len(p.responses[i].amounts) != 4 {
		t.Errorf("an effect of another entry counts: %v", p.responses[i].amounts)
	}
}

// The moves that were made are proposed, with their amounts, and no others.
func TestProposalsAreWhatWasMade(t *testing.T) {
	t.Parallel()
	axes := axesNamed()
	p, _ := newPredictor(invented(axes), axes)
	from := slices.DeleteFunc(chartOf(), func(c colour.Lab) bool { return c.L < 15 || c.L > 85 || c.Chroma() > 40 })
	for _, truth := range []point{{0.6, 0, 0, 0}, {0, -0.3, 0.05, -0.06}, {-0.4, 0.3, 0, 0.04}, {0, 0, 0, 0}} {
		reference := slices.Clone(from)
		p.apply(truth, reference)
		proposals := &proposer{predictor: p, axes: axes, from: from, apart: func(lab []colour.Lab) float64 {
			sum := 0.0
			for i, c := range lab {
				sum += colour.DeltaE2000(c, reference[i])
			}
			return sum / float64(len(lab))
		}}
		got := proposals.propose(make(point, 4), slices.Repeat([]bool{true}, 4), 3, 0.02)
		for i, a := range axes {
			if math.Abs(got[i]-truth[i]) > math.Abs(a.step)/10 {
				t.Errorf("%v was made, %.3f is proposed", truth, got)
				break
			}
		}
		proposals.stop = func() bool { return true }
		if ended := proposals.propose(make(point, 4), slices.Repeat([]bool{true}, 4), 3, 0.02); len(proposals.movesOf(ended)) != 0 {
			t.Errorf("a search that is over goes on to %.3f", ended)
		}
		proposals.stop = nil
		few := proposals.propose(make(point, 4), []bool{true, false, true, true}, 1, 0.02)
		if n := len(proposals.movesOf(few)); n > 1 || few[1] != 0 {
			t.Errorf("%v was made, and of one move, not the second: %.3f", truth, few)
		}
	}
}

// A table is read as it was written, to a tenth.
func TestTablesAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	want := invented(axesNamed())
	want.Mapper = "sigmoid"
	var file bytes.Buffer
	if err := want.Write(&file); err != nil {
		t.Fatal(err)
	}
	whole := file.Bytes()
	got, err := ReadTable(bytes.NewReader(whole))
	if err != nil || got.Darktable != want.Darktable || got.Mapper != want.Mapper || len(got.Effects) != len(want.Effects) {
		t.Fatalf("%v, %v", got, err)
	}
	for i, e := range want.Effects {
		if g := got.Effects[i]; g.Move != e.Move || g.Digest != e.Digest || g.Amount != e.Amount || g.Hue != e.Hue || math.Abs(g.To[7].L-e.To[7].L) > 0.101 {
			t.Errorf("%v, want %v", g.To[7], e.To[7])
		}
	}
	for cut := range whole {
		if _, err := ReadTable(bytes.NewReader(whole[:cut])); err == nil {
			t.Fatalf("a table that ends after %d bytes is read", cut)
		}
	}
}

// The built-in tables were measured with the moves as they are: after a change of one
// scripts/effects measures them anew.
func TestTheTablesAreOfTheseMoves(t *testing.T) {
	t.Parallel()
	s := newSynthetic(t)
	all, err := tables()
	if err != nil || len(all) != 2 {
		t.Fatalf("%d tables, %v", len(all), err)
	}
	for name, table := range all {
		found := map[string]bool{}
		for _, e := range table.Effects {
			entry, err := s.vocabulary.Entry(e.Move)
			if err != nil || entry.DevelopmentDigest() != e.Digest {
				t.Errorf("%s: %s is another move now: measure them by scripts/effects", name, e.Move)
				break
			}
			found[e.Move] = true
			if !slices.ContainsFunc(Measurable(entry), func(m Trial) bool { return m.Amount == e.Amount && m.Hue == e.Hue }) {
				t.Errorf("%s: %g of %s is not measured any more", name, e.Amount, e.Move)
			}
		}
		for _, move := range slices.Concat(usual, promisingNames()) {
			if !found[move] {
				t.Errorf("%s: %s was not measured", name, move)
			}
		}
	}
	if tableFor(s.start.Release.Version(), s.start.Current) != all["5.4.1"] {
		t.Error("the table of 5.4.1 is not that of its baseline")
	}
	var none []vocab.Parameter
	if len(Measurable(&vocab.Entry{Layer: vocab.L3, Parameters: none})) != 0 {
		t.Error("a move without a number can be measured")
	}
}

// BenchmarkPredict is the prediction of three moves together on a sample of a picture.
func BenchmarkPredict(b *testing.B) {
	p, _ := newPredictor(invented(axesNamed()), axesNamed())
	r := rand.New(rand.NewPCG(1, 2))
	sample := make([]colour.Lab, 300)
	for i := range sample {
		sample[i] = colour.Lab{L: 100 * r.Float64(), A: 30 * r.NormFloat64(), B: 30 * r.NormFloat64()}
	}
	buffer := make([]colour.Lab, len(sample))
	for b.Loop() {
		copy(buffer, sample)
		p.apply(point{0.6, -0.3, 0.05, 0}, buffer)
	}
}
