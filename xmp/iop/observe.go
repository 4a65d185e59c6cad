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
// of which only newer layouts are known, is left out: it cannot be written.
func (r Release) Observe(shown iter.Seq2[string, int]) Release {
	if r.table == nil {
		return r
	}
	facts := *r.facts()
	facts.modules = maps.Clone(facts.modules)
	for op, modversion := range shown {
		known := 0
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
