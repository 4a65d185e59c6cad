package match

import (
	"context"
	"slices"
	"sync"
)

// search looks for moves: by prediction where a table says what they all do, else by
// measuring each on drafts.
func (s *lookalike) search(ctx context.Context) error {
	if t := tableFor(s.subject.Start.Release.Version(), s.subject.Start.Current); t != nil {
		if foreseen, err := s.foresee(ctx, t); foreseen || err != nil {
			return err
		}
	}
	return s.measure(ctx)
}

// measure measures moves and refines their amounts, in three steps: exposure and white
// balance, the usual moves about what these reach, and those that then promise most.
func (s *lookalike) measure(ctx context.Context) (err error) {
	if s.axes, err = usable(s.subject.Start, s.subject.Names, slices.Concat(usual, promisingNames())); err != nil {
		return err
	}
	all := s.axes
	named := func(names []string) func(axis) bool {
		return func(a axis) bool { return slices.Contains(names, a.entry.Name) }
	}
	light, err := usable(s.subject.Start, lightAlone, nil)
	if err != nil {
		light = nil
	}
	known := func(a axis) bool { return effectOf(a) != nil }
	rest, hopeful := split(without(all, named(lightAlone)), func(a axis) bool { return !known(a) })
	s.axes = nil
	from := *s
	if err := s.learn(ctx, light, 1); err != nil {
		return err
	}
	if err := s.refine(ctx, 2); err != nil {
		return err
	}
	s.LightAlone = s.After
	for i, a := range s.axes {
		s.free[i] = slices.ContainsFunc(all, func(b axis) bool { return a.entry == b.entry })
	}
	if slices.Contains(s.free, false) {
		s.goBack(from)
	}
	if err := s.learn(ctx, rest, refinements); err != nil {
		return err
	}
	if err := s.refine(ctx, 1); err != nil {
		return err
	}
	for leave := refinements; s.budget() > lastRefinements; leave = lastRefinements {
		next := promising(s.fit, s.view, hopeful, min(s.budget()-leave, maxPromising))
		if err := s.learn(ctx, next, leave); err != nil {
			return err
		}
		if err := s.refine(ctx, s.subject.Budget); err != nil {
			return err
		}
		if len(next) == 0 || s.done() {
			return nil
		}
		hopeful = without(hopeful, func(a axis) bool { return slices.Contains(next, a) })
	}
	return nil
}

// goBack goes back to where the search began, with what was learned since: moves that may
// not be used were only measured.
func (s *lookalike) goBack(from lookalike) {
	s.at, s.best = make(point, len(s.axes)), make(point, len(s.axes))
	s.view, s.now, s.After, s.Clipped = from.view, from.now, from.After, from.Clipped
	s.fit.now, _ = s.fit.left(s.view)
}

// budget is how many developments may still be made.
func (s *lookalike) budget() int { return max(0, s.subject.Budget-s.Renders) }

const (
	// refinements are developments that are kept for refining when moves are tried for the
	// first time, and lastRefinements later.
	refinements, lastRefinements = 5, 2
	// maxPromising is how many axes are tried at once of those that promise something.
	maxPromising = 5
)

// without are the axes that are not so.
func without(axes []axis, is func(axis) bool) []axis {
	return slices.DeleteFunc(slices.Clone(axes), is)
}

// split gives the axes that are so, and the others.
func split(axes []axis, is func(axis) bool) (yes, no []axis) {
	return without(axes, func(a axis) bool { return !is(a) }), without(axes, is)
}

// learn develops a step of each axis from where the fit is, as far as the budget goes.
func (s *lookalike) learn(ctx context.Context, axes []axis, leave int) error {
	if n := max(0, s.budget()-leave); len(axes) > n {
		axes = axes[:n]
		if n > 0 && axes[n-1].toned && axes[n-1].hue == 0 {
			axes = axes[:n-1]
		}
	}
	if len(axes) == 0 || s.done() {
		return nil
	}
	from := len(s.axes)
	s.axes = append(s.axes, axes...)
	for range axes {
		s.at, s.best, s.free = append(s.at, 0), append(s.best, 0), append(s.free, true)
	}
	points, steps := make([]point, len(axes)), make([]float64, len(axes))
	for i, a := range axes {
		points[i] = slices.Clone(s.at)
		steps[i] = a.step
		if s.at[from+i]+a.step > a.high || s.at[from+i]+a.step < a.low {
			steps[i] = -a.step
		}
		points[i][from+i] += steps[i]
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

// done reports whether the picture is near enough.
func (s *lookalike) done() bool { return s.Understood == Aligned && s.After < enoughAligned }

// develop develops the pictures of points, some at once.
func (s *lookalike) develop(ctx context.Context, points []point) ([]Developed, error) {
	pictures := make([]Developed, len(points))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	var running sync.WaitGroup
	limit := make(chan struct{}, max(1, s.subject.AtOnce))
	for i, p := range points {
		limit <- struct{}{}
		running.Go(func() {
			defer func() { <-limit }()
			look, err := lookOf(ctx, s.subject.Start, settings(s.axes, p))
			if err == nil {
				pictures[i], err = s.subject.Develop(ctx, look, true)
			}
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				cancel(err) // the first; the others end because of it
				return
			}
			s.count()
		})
	}
	running.Wait()
	return pictures, context.Cause(ctx)
}

// refine develops what the fit takes to be best, and learns from it, so many times at
// most, until nothing improves.
func (s *lookalike) refine(ctx context.Context, most int) error {
	if len(s.axes) == 0 {
		return nil
	}
	s.trust = reach
	for idle := 0; most > 0 && idle < maxIdle && s.budget() > 0 && !s.done(); most-- {
		next := spoken(s.axes, newChoice(s.fit, s.axes, s.free, s.at, s.trust).few(s.subject.MaxMoves, max(worth*s.Before, 0.03)))
		if slices.Equal(next, s.at) {
			return nil
		}
		better, err := s.try(ctx, next)
		if err != nil {
			return err
		}
		if idle++; better {
			idle = 0
		}
	}
	return nil
}

// try develops a point, and keeps it when it is better.
func (s *lookalike) try(ctx context.Context, next point) (better bool, err error) {
	pictures, err := s.develop(ctx, []point{next})
	if err != nil {
		return false, err
	}
	view := s.viewOf(pictures[0])
	step := make([]float64, len(next))
	for i := range step {
		step[i] = next[i] - s.at[i]
	}
	s.fit.update(view, step)
	s.at = next
	taken, better, err := s.take(next, pictures[0], view)
	if err == nil && !taken {
		s.at, s.trust = slices.Clone(s.best), s.trust/2
		s.fit.now, _ = s.fit.left(s.view)
	}
	return better, err
}

// take keeps a point that was developed when it is nearer to the reference than all before.
func (s *lookalike) take(next point, d Developed, view View) (taken, better bool, err error) {
	clipped, err := s.newlyClipped(d)
	if err != nil {
		return false, false, err
	}
	apart := s.target.apart(view)
	if s.glared = s.Understood == OfPalette && clipped > maxNewlyClipped; s.glared || apart >= s.After {
		return false, false, nil
	}
	better = apart < s.After-max(0.02*s.After, 0.01)
	s.best, s.view, s.now, s.After, s.Clipped = slices.Clone(next), view, d.Picture, apart, clipped
	return true, better, nil
}
