package match

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/probe"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
)

// The moves that bring pictures together, as indices of amounts.
const (
	exposure = iota
	warmth
	tint
	contrast
	moveCount
)

// amounts are how much more of each move a picture gets.
type amounts [moveCount]float64

// moves say how the moves of the vocabulary are used.
var moves = [moveCount]struct {
	name, unit string
	part       string  // what it brings together
	step       float64 // to measure what it does
	least      float64 // steps below which are none
	unitOf     float64 // values are whole multiples of it
	limit      float64
	strength   float64 // how much one unit of it does, squared
}{
	exposure: {"exposure", "EV", "exposure", 0.4, 0.03, 0.01, 1.5, 900},
	warmth:   {"warmth", "mired", "white_balance", 12, 1, 0.5, 60, 0.04},
	tint:     {"tint", "", "white_balance", 0.25, 0.03, 0.01, 0.6, 100},
	contrast: {"contrast", "", "contrast", 0.12, 0.02, 0.01, 0.3, 2500},
}

// A Picture of a series, which is brought to a reference.
type Picture struct {
	// First is the picture as it is.
	First image.Image
	// Start is its edit.
	Start compose.Start
	// Parts are what is brought together: white_balance, exposure, contrast; none is
	// all. The others only help to tell whether the light differs.
	Parts []string
	// Insist leaves it alone for no reason.
	Insist bool
	// Develop develops a look, as First was developed.
	Develop func(ctx context.Context, look *xmp.Sidecar) (image.Image, error)
}

// A Move is one of the vocabulary's that an outcome has changed.
type Move struct {
	// Name of the move, its value now, and how much more that is than before.
	Name      string
	Value, By float64
	// Unit of both; empty for a plain number.
	Unit string
}

// An Outcome is what was found for a picture.
type Outcome struct {
	// Moves that bring it nearest to the reference.
	Moves []Move
	// Look is its edit with them.
	Look *xmp.Sidecar
	// First is the picture as it was, and Now with the moves.
	First, Now image.Image
	// Before and After are its mean distance from the reference, in ΔE2000.
	Before, After float64
	// Overlaps is whether it shows what the reference shows, in part at least.
	Overlaps bool
	// Distance of its palette from the reference's when they are as near as they can be.
	Distance float64
	// ClippedBefore and ClippedAfter are shares of its pixels.
	ClippedBefore, ClippedAfter float64
	// Unlike is whether more than the light as a whole is different.
	Unlike bool
	// LeftAlone says why it is better left as it is; empty when it is not.
	LeftAlone string
}

const (
	// alike is the distance within which pictures are together already.
	alike = 0.5
	// worthwhile is by how much a picture has to come nearer to be changed.
	worthwhile = 0.15
	// maxRounds bounds the developments after those that measure the moves.
	maxRounds = 4
	// maxClipped is how many of the pixels may clip newly, beyond what is clipped in the
	// reference, too.
	maxClipped = 0.01
)

// A Reference is what pictures are brought to.
type Reference struct {
	name    string
	picture image.Image
	view    View
	palette probe.Palette
	clipped float64 // the share of its pixels
}

// NewReference makes a developed picture a reference.
func NewReference(name string, m image.Image) (Reference, error) {
	palette, err := probe.PaletteOf(m, render.Region{})
	if err != nil {
		return Reference{}, err
	}
	clipped, err := probe.ClippedShare(m, render.Region{})
	return Reference{name, m, NewView(m), palette, clipped}, err
}

// Bring finds the amounts of moves by which a picture comes nearest to a reference.
func Bring(ctx context.Context, r Reference, p Picture) (_ Outcome, err error) {
	first := NewView(p.First)
	s := search{from: p, comparison: compare(r.view, first)}
	s.First, s.Now, s.Overlaps, s.Before = p.First, p.First, s.comparison.overlaps, s.comparison.apart(first)
	s.After = s.Before
	if s.ClippedBefore, err = probe.ClippedShare(p.First, render.Region{}); err != nil {
		return s.Outcome, err
	}
	if s.Before >= alike {
		if err := s.measure(ctx, first); err != nil {
			return s.Outcome, err
		}
		if err := s.run(ctx); err != nil {
			return s.Outcome, err
		}
	}
	if err := s.judge(r); err != nil {
		return s.Outcome, err
	}
	if err := s.keep(ctx, p.Parts); err != nil {
		return s.Outcome, err
	}
	return s.finish(ctx, r)
}

// search is a picture on its way to the reference.
type search struct {
	Outcome
	from       Picture
	comparison comparison
	fit        *fit
	entries    [moveCount]*vocab.Entry
	has, best  amounts // the values of the moves, and how much more of them is best
}

// read reads which moves the picture has.
func (s *search) read() error {
	for i := range moves {
		entry, err := s.from.Start.Vocabulary.Entry(moves[i].name)
		if err != nil {
			return err
		}
		has, ok := entry.ValueIn(vocab.Application{
			Baseline: s.from.Start.Baseline, Current: s.from.Start.Current, Target: s.from.Start.Release,
		})
		if !ok || len(entry.Parameters) != 1 {
			return fault.New(fault.State, "the move %s of the loaded packs cannot be read back from an edit; a series needs one with a single parameter that adds to a module's field", entry.Name)
		}
		s.entries[i], s.has[i] = entry, tidy(has)
	}
	return nil
}

// tidy is a value without the noise of adding and of darktable's numbers.
func tidy(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// look is the picture's edit with more of the moves.
func (s *search) look(ctx context.Context, more amounts) (*xmp.Sidecar, error) {
	now := s.from.Start
	for i, by := range more {
		if by == 0 {
			continue
		}
		var err error
		if now.Current, _, err = now.Apply(ctx, s.entries[i], vocab.Application{Value: new(tidy(s.has[i] + by))}, nil); err != nil {
			return nil, err
		}
	}
	return now.Current, nil
}

// develop develops the picture with more of the moves.
func (s *search) develop(ctx context.Context, more amounts) (image.Image, error) {
	look, err := s.look(ctx, more)
	if err != nil {
		return nil, err
	}
	return s.from.Develop(ctx, look)
}

// measure develops the picture with a step of each move, towards the reference where
// that is known, and within the move's range.
func (s *search) measure(ctx context.Context, first View) error {
	if err := s.read(); err != nil {
		return err
	}
	away := s.comparison.meanDifference(first)
	s.fit = newFit(s.comparison, first)
	for i := range moves {
		step := moves[i].step
		if away[i] > 0 {
			step = -step
		}
		if p := s.entries[i].Parameters[0]; s.has[i]+step < p.Min || s.has[i]+step > p.Max {
			step = -step
		}
		var more amounts
		more[i] = step
		developed, err := s.develop(ctx, more)
		if err != nil {
			return err
		}
		s.fit.learn(NewView(developed), step, moves[i].strength)
	}
	return nil
}

// run develops better and better amounts of the moves, and remembers the best.
func (s *search) run(ctx context.Context) error {
	var at amounts
	for range maxRounds {
		step := s.fit.step()
		next, moved := at, false
		for i := range next {
			next[i] = s.within(i, at[i]+step[i])
			step[i] = next[i] - at[i]
			moved = moved || math.Abs(step[i]) >= moves[i].least
		}
		if !moved {
			return nil
		}
		developed, err := s.develop(ctx, next)
		if err != nil {
			return err
		}
		view := NewView(developed)
		s.fit.update(view, step)
		if apart := s.comparison.apart(view); apart < min(s.After, s.Before-worthwhile) {
			s.best, s.Now, s.After = next, developed, apart
		}
		at = next
	}
	return nil
}

// within is an amount within the range of its move, and not far beyond the limit, as
// a value that can be read.
func (s *search) within(move int, amount float64) float64 {
	p, how := s.entries[move].Parameters[0], moves[move]
	reach := 1.5 * how.limit
	amount = min(max(amount, -reach, p.Min-s.has[move]), reach, p.Max-s.has[move])
	value := math.Round((s.has[move]+amount)/how.unitOf) * how.unitOf
	return tidy(min(max(value, p.Min), p.Max) - s.has[move])
}

const (
	// maxLeft is the distance beyond which two pictures of the same differ by more
	// than the light as a whole.
	maxLeft = 2.2
	// maxLeftElsewhere is that of pictures that do not overlap, by their bands, and
	// maxDistance that of their palettes.
	maxLeftElsewhere = 2.5
	maxDistance      = 0.25
)

// judge tells whether more than the light as a whole is different.
func (s *search) judge(r Reference) error {
	palette, err := probe.PaletteOf(s.Now, render.Region{})
	if err != nil {
		return err
	}
	s.Distance = r.palette.Distance(palette)
	switch {
	case s.Overlaps && s.After > maxLeft:
		s.LeftAlone = fmt.Sprintf("it shows the same in other light: with the nearest exposure, white balance and contrast it is still ΔE %.1f away, the limit is %g", s.After, maxLeft)
	case !s.Overlaps && s.Distance > maxDistance:
		s.LeftAlone = fmt.Sprintf("it shows something else, and with the nearest white balance its colours are still %.2f away, the limit is %g", s.Distance, maxDistance)
	case !s.Overlaps && s.After > maxLeftElsewhere:
		s.LeftAlone = fmt.Sprintf("it shows something else, and its tones are still ΔE %.1f away when they are nearest, the limit is %g", s.After, maxLeftElsewhere)
	}
	s.Unlike = s.LeftAlone != ""
	return nil
}

// keep leaves out the moves of parts that are not wanted. All of them were found
// together, so that none makes up for another.
func (s *search) keep(ctx context.Context, parts []string) error {
	wanted := s.best
	for i := range wanted {
		if len(parts) > 0 && !slices.Contains(parts, moves[i].part) {
			wanted[i] = 0
		}
	}
	if wanted == s.best {
		return nil
	}
	developed, err := s.develop(ctx, wanted)
	if err == nil {
		s.best, s.Now, s.After = wanted, developed, s.comparison.apart(NewView(developed))
	}
	return err
}

// finish gives what was found.
func (s *search) finish(ctx context.Context, r Reference) (_ Outcome, err error) {
	for i, by := range s.best {
		if by != 0 {
			s.Moves = append(s.Moves, Move{Name: moves[i].name, Value: tidy(s.has[i] + by), By: by, Unit: moves[i].unit})
		}
	}
	if s.Look, err = s.look(ctx, s.best); err != nil {
		return s.Outcome, err
	}
	if s.ClippedAfter, err = probe.ClippedShare(s.Now, render.Region{}); err != nil {
		return s.Outcome, err
	}
	if s.LeftAlone == "" {
		s.LeftAlone = s.beyondLimits(r)
	}
	if s.from.Insist {
		s.LeftAlone = ""
	}
	return s.Outcome, nil
}

// beyondLimits says which limit the moves are beyond; empty when none.
func (s *search) beyondLimits(r Reference) string {
	for i, by := range s.best {
		if how := moves[i]; math.Abs(by) > how.limit+1e-9 {
			return strings.TrimSpace(fmt.Sprintf("it needs %s %+.4g %s, the limit is %g %s", how.name, by, how.unit, how.limit, how.unit))
		}
	}
	if clipped := s.ClippedAfter - max(s.ClippedBefore, r.clipped); clipped > maxClipped {
		return fmt.Sprintf("it would clip %.1f %% more of its pixels than it or the reference has, the limit is %g %%", 100*clipped, 100*maxClipped)
	}
	return ""
}

// Values are how much more of each move was found, by name.
func (o Outcome) Values() map[string]float64 {
	values := map[string]float64{}
	for _, m := range o.Moves {
		values[m.Name] = m.By
	}
	return values
}
