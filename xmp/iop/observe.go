package iop

import (
	"iter"
	"maps"
	"sync"
)

// Observe returns the release as the baseline of one darktable shows it: for each
// module that the baseline has, Modversion becomes the newest known layout that
// is not newer than the one shown. So a darktable between two known releases,
// or after the last, gets parameters in layouts that it reads.
//
// It yields modules and modversions. A module that no known release has, or
// of which only newer layouts are known, is left out: it cannot be written. What
// the darktable reads, see [Release.Reads], becomes no older by what is shown.
func (r Release) Observe(shown iter.Seq2[string, int]) Release {
	if r.table == nil {
		return r
	}
	facts := *r.facts()
	facts.modules, facts.shown = maps.Clone(facts.modules), map[string]int{}
	for op, modversion := range shown {
		own, _ := r.Reads(op)
		facts.shown[op] = max(own, modversion)
		known := 0
		if l := facts.own[op]; l != nil && l.modversion <= modversion {
			known = l.modversion
		}
		if m := modules()[op]; m != nil {
			for _, l := range m.layouts() {
				if l.modversion <= modversion {
					known = max(known, l.modversion)
				}
			}
		}
		if known == 0 {
			delete(facts.modules, op)
			continue
		}
		m, ok := facts.modules[op]
		if !ok {
			m = newestModule(op)
		}
		m.Modversion = known
		facts.modules[op] = m
	}
	load := sync.OnceValue(func() *releaseFacts { return &facts })
	return Release{&releaseTable{r.table.version, load}}
}

// ObserveBlend returns the release as a baseline shows it that has blend parameters
// of a version: it reads them, too.
func (r Release) ObserveBlend(version int) Release {
	if r.table == nil {
		return r
	}
	facts := *r.facts()
	facts.shownBlend = max(facts.shownBlend, version)
	return Release{&releaseTable{r.table.version, func() *releaseFacts { return &facts }}}
}

// newestModule is what the newest release that has a module says about it.
func newestModule(op string) Module {
	found := Module{Operation: op}
	for _, r := range Releases() {
		if m, ok := r.Module(op); ok {
			found = m
		}
	}
	return found
}
