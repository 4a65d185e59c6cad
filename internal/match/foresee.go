package match

import (
	"context"
	"slices"
)

const (
	// maxProposals is how many points are developed that prediction takes to be best, one
	// after the other, each with what those before it have taught.
	maxProposals = 5
	// localStep is how much of a move's step is measured about the best point.
	localStep = 0.4
	// leastWorth is the distance that a move has to take away at least.
	leastWorth = 0.03
)

// foresee looks for moves by prediction, develops what it takes to be best, and refines
// that by what drafts about it tell. It is false when the table does not know a move that
// may be used.
func (s *lookalike) foresee(ctx context.Context, t *Table) (foreseen bool, err error) {
	allowed, err := usable(s.subject.Start, s.subject.Names, t.moves())
	if err != nil {
		return false, err
	}
	light, err := usable(s.subject.Start, lightAlone, nil)
	if err != nil {
		return false, err
	}
	axes := allowed
	for _, a := range light {
		if !slices.ContainsFunc(axes, a.same) {
			axes = append(axes[:len(axes):len(axes)], a)
		}
	}
	maps, known := newPredictor(t, axes)
	if slices.Contains(known[:len(allowed)], false) && len(s.subject.Names) > 0 {
		return false, nil
	}
	ofLight, free := make([]bool, len(axes)), make([]bool, len(axes))
	for i, a := range axes {
		ofLight[i] = known[i] && slices.ContainsFunc(light, a.same)
		free[i] = known[i] && i < len(allowed)
	}
	s.axes, s.at, s.best = axes, make(point, len(axes)), make(point, len(axes))
	groups, apart := s.target.sampled(s.view)
	p := &proposer{predictor: maps, axes: axes, from: groups.of(s.view.lab), apart: apart, dear: 0.0005 * s.Before, slow: s.Understood == OfPalette}
	p.stop = func() bool { return ctx.Err() != nil }
	f := foresight{s, p, groups}
	if err := f.light(ctx, ofLight, free); err != nil {
		return true, err
	}
	if err := f.search(ctx, free); err != nil {
		return true, err
	}
	return true, context.Cause(ctx) // a search that is stopped finds less
}

// foresight is a search by prediction.
type foresight struct {
	*lookalike
	proposer *proposer
	groups   sample
}

// light measures what exposure and white balance alone reach.
func (f foresight) light(ctx context.Context, ofLight, free []bool) error {
	before := *f.lookalike
	for range 2 {
		next := spoken(f.axes, f.proposer.propose(f.best, ofLight, len(lightAlone), 0.01))
		if slices.Equal(next, f.best) || f.budget() == 0 || f.done() {
			break
		}
		if _, err := f.tryForeseen(ctx, next); err != nil {
			return err
		}
	}
	f.LightAlone = f.After
	for i, is := range ofLight {
		if is && !free[i] { // it was only measured
			f.best, f.view, f.now, f.After, f.Clipped = before.best, before.view, before.now, before.After, before.Clipped
			f.proposer.off = nil
			break
		}
	}
	return nil
}

// search develops proposals, and refines the best of them.
func (f foresight) search(ctx context.Context, free []bool) error {
	worth := max(worth*f.Before, leastWorth)
	from := f.best
	for idle := 0; ; idle = 0 {
		before := f.After
		for n := 0; n < maxProposals && idle < maxIdle && f.budget() > 0 && !f.done(); n++ {
			next := f.proposer.propose(from, free, f.subject.MaxMoves, worth/2)
			if n < 2 {
				next = f.proposer.exchange(next, free, worth/2)
			}
			next = spoken(f.axes, next)
			if slices.Equal(next, from) || slices.Equal(next, f.best) {
				break
			}
			better, err := f.tryForeseen(ctx, next)
			if err != nil {
				return err
			}
			switch from = next; {
			case better:
				idle = 0
			case f.glared:
				f.proposer.glare = max(1, 3*f.proposer.glare)
			default:
				from = f.best
				idle++
			}
		}
		if err := f.refineBest(ctx); err != nil {
			return err
		}
		if f.budget() < 2 || f.done() || before-f.After < 0.02*before {
			return nil
		}
		f.proposer.learn(f.best, f.groups.of(f.view.lab))
		from = f.best
	}
}

// tryForeseen develops a point, learns from it, and keeps it when it is better.
func (f foresight) tryForeseen(ctx context.Context, next point) (better bool, err error) {
	pictures, err := f.develop(ctx, []point{next})
	if err != nil {
		return false, err
	}
	view := f.viewOf(pictures[0])
	f.proposer.learn(next, f.groups.of(view.lab))
	_, better, err = f.take(next, pictures[0], view)
	return better, err
}

// refineBest measures the moves of the best point about it, and refines their amounts.
func (f foresight) refineBest(ctx context.Context) error {
	all := f.axes
	var used []int
	for i, a := range all {
		if first := i; a.toned && a.hue != 0 {
			if all[first-1].set(f.best, first-1) {
				used = append(used, i)
			}
		} else if a.set(f.best, i) {
			used = append(used, i)
		}
	}
	const leave = 2
	if len(used) == 0 || f.budget() < len(used)+leave || f.done() {
		return nil
	}
	at := make(point, len(used))
	f.axes, f.free = nil, slices.Repeat([]bool{true}, len(used))
	for k, i := range used {
		f.axes, at[k] = append(f.axes, all[i]), f.best[i]
	}
	f.at, f.best = at, slices.Clone(at)
	f.beginFit()
	if err := f.learnAbout(ctx); err != nil {
		return err
	}
	if err := f.refine(ctx, f.subject.Budget); err != nil {
		return err
	}
	best := make(point, len(all))
	for k, i := range used {
		best[i] = f.best[k]
	}
	f.axes, f.best, f.at = all, best, slices.Clone(best)
	return nil
}

// learnAbout develops a small step of each axis about where the fit is.
func (s *lookalike) learnAbout(ctx context.Context) error {
	points, steps := make([]point, len(s.axes)), make([]float64, len(s.axes))
	for i, a := range s.axes {
		points[i] = slices.Clone(s.at)
		steps[i] = localStep * a.step
		if v := s.at[i] + steps[i]; v > a.high || v < a.low {
			steps[i] = -steps[i]
		}
		points[i][i] += steps[i]
	}
	pictures, err := s.develop(ctx, points)
	if err != nil {
		return err
	}
	for i, m := range pictures {
		s.fit.learn(s.viewOf(m), steps[i], 1/(steps[i]*steps[i]))
	}
	return nil
}

// same reports whether two axes are those of one move, and the same of its two.
func (a axis) same(b axis) bool { return a.entry == b.entry && a.hue == b.hue }

// moves are those that a table has measured.
func (t *Table) moves() (names []string) {
	for i := range t.Effects {
		if name := t.Effects[i].Move; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
