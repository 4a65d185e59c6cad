package match

import (
	"context"
	"math"
	"slices"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
)

// An axis is a number that is looked for: by how much a move differs from doing nothing,
// or of a move with an amount and a hue the part of the amount that lies towards a hue.
type axis struct {
	entry *vocab.Entry
	// toned moves have two axes, at a right angle; hue is that of this one, in degrees.
	toned bool
	hue   float64
	// step is what is tried to see what the move does; low and high bound the number, and
	// unit is what a person would count it in.
	step, low, high, unit float64
}

// axesOf are the axes of a move. ok is false when it has none: it takes no number, more
// than this knows, or is for a part of the picture.
func axesOf(entry *vocab.Entry) (axes []axis, ok bool) {
	if _, _, limited := entry.Where(); limited || entry.Layer != vocab.L3 || len(entry.Parameters) == 0 {
		return nil, false
	}
	p := entry.Parameters[0]
	a := axis{entry: entry, step: p.Default - p.Neutral, low: p.Min - p.Neutral, high: p.Max - p.Neutral}
	if a.step == 0 {
		return nil, false
	}
	a.unit = roundest(math.Abs(a.step) / 10)
	switch {
	case len(entry.Parameters) == 1:
		return []axis{a}, true
	case len(entry.Parameters) == 2 && entry.Parameters[1].Unit == "°" && entry.Parameters[1].Min == 0 && entry.Parameters[1].Max == 360 && a.low == 0:
		a.toned, a.low = true, -a.high
		b := a
		b.hue = 90
		return []axis{a, b}, true
	}
	return nil, false
}

// roundest is the largest of 1, 2 and 5, and their tenfolds and tenths, up to a number.
func roundest(most float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(most)))
	for _, n := range [...]float64{5, 2} {
		if n*power <= most*1.0001 {
			return n * power
		}
	}
	return power
}

// A point is a number for each axis.
type point []float64

// spoken is a point in numbers that a person would say, within the moves' ranges.
func spoken(axes []axis, p point) point {
	out := slices.Clone(p)
	for i, a := range axes {
		switch {
		case !a.toned:
			out[i] = tidy(min(max(math.Round(p[i]/a.unit)*a.unit, a.low), a.high))
		case a.hue == 0:
			amount, hue := toned(p, i)
			amount = min(math.Round(amount/a.unit)*a.unit, a.high)
			hue = math.Round(hue/hueUnit) * hueUnit
			sin, cos := math.Sincos(hue * math.Pi / 180)
			out[i], out[i+1] = amount*cos, amount*sin
		}
	}
	return out
}

// hueUnit is what hues are counted in, in degrees.
const hueUnit = 5

// toned is the amount and the hue of the move whose axes begin at i.
func toned(p point, i int) (amount, hue float64) {
	return math.Hypot(p[i], p[i+1]), math.Mod(math.Atan2(p[i+1], p[i])*180/math.Pi+360, 360)
}

// A Setting is a move with its values.
type Setting struct {
	Entry  *vocab.Entry
	Values map[string]float64
}

// settings are the moves of a point that do something.
func settings(axes []axis, p point) []Setting {
	var out []Setting
	for i, a := range axes {
		first := a.entry.Parameters[0]
		switch {
		case !a.toned && p[i] != 0:
			out = append(out, Setting{a.entry, map[string]float64{first.Name: tidy(first.Neutral + p[i])}})
		case a.toned && a.hue == 0 && (p[i] != 0 || p[i+1] != 0):
			amount, hue := toned(p, i)
			hue = math.Mod(math.Round(hue), 360)
			out = append(out, Setting{a.entry, map[string]float64{first.Name: tidy(min(amount, first.Max)), a.entry.Parameters[1].Name: hue}})
		}
	}
	return out
}

// lookOf is an edit with moves applied.
func lookOf(ctx context.Context, start compose.Start, moves []Setting) (_ *xmp.Sidecar, err error) {
	for _, m := range moves {
		if start.Current, _, err = start.Apply(ctx, m.Entry, vocab.Application{Values: m.Values}, nil); err != nil {
			return nil, err
		}
	}
	return start.Current, nil
}

// lightAlone are the moves of the result that others are compared with.
var lightAlone = []string{"exposure", "warmth", "tint"}

// usual are the moves that are looked for when none are named, and are tried on every
// picture; [promising] chooses among the others.
var usual = []string{
	"exposure", "warmth", "tint", "contrast", "shadows", "highlights", "midtones", "black_point", "saturation", "vibrance",
}

// usable are the axes of the moves that may be used, in their order: those that are
// named, or else sensible ones. Those that the darktable has not, or that an edit has
// already, are left out when they are not named.
func usable(start compose.Start, names, sensible []string) ([]axis, error) {
	named := len(names) > 0
	if !named {
		names = sensible
	}
	var out []axis
	for i, name := range names {
		entry, err := start.Vocabulary.Entry(name)
		if err != nil {
			if named {
				return nil, err
			}
			continue
		}
		axes, ok := axesOf(entry)
		if available, reason := entry.Available(start.Release); !available {
			ok = false
			if named {
				return nil, fault.New(fault.NotImplemented, "%s is not available: %s", name, reason).With("capability", name).With("requires", reason)
			}
		}
		if !ok {
			if named {
				return nil, fault.Invalid("/moves", "%s cannot be matched: a move with one number is needed, or with an amount and a hue, for the whole picture", name)
			}
			continue
		}
		if !slices.Contains(names[:i], name) && !inUse(start, entry) {
			out = append(out, axes...)
		}
	}
	return out, nil
}

// inUse reports whether an edit has a move already.
func inUse(start compose.Start, entry *vocab.Entry) bool {
	value, ok := entry.ValueIn(vocab.Application{Baseline: start.Baseline, Current: start.Current, Target: start.Release})
	if !ok {
		return entry.IsApplied(start.Current, nil)
	}
	return math.Abs(value-entry.Parameters[0].Neutral) > 1e-4
}
