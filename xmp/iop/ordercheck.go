package iop

import (
	"fmt"
	"strconv"
)

// Validate checks that a release would accept the order; its error is an *Error of
// kind BadOrder. darktable's rules: what has to come before what (rawprepare …
// demosaic … colorin … colorout … gamma), no module across a fence (demosaic,
// gamma), no instance twice, none beside a module that allows only one.
//
// Modules that the release does not know are allowed: it ignores them.
func (o Order) Validate(r Release) error {
	first, last := map[string]int{}, map[string]int{}
	found := map[Instance]bool{}
	for i, m := range o.All() {
		if found[m] {
			return badOrder(m.Operation, "instance "+strconv.Itoa(m.Instance)+" is there twice")
		}
		found[m] = true
		if known, ok := r.Module(m.Operation); ok && known.OneInstance() && m.Instance > 0 {
			return badOrder(m.Operation, "the module allows one instance only")
		}
		if _, ok := first[m.Operation]; !ok {
			first[m.Operation] = i
		}
		last[m.Operation] = i
	}
	for _, rule := range r.facts().rules {
		before, ok1 := last[rule[0]]
		after, ok2 := first[rule[1]]
		if ok1 && ok2 && before > after {
			return badOrder(rule[1], "it has to come after "+rule[0])
		}
	}
	return o.checkFences(r)
}

// checkFences compares each module's side of each fence with the built-in
// orders.
func (o Order) checkFences(r Release) error {
	for fence, m := range r.facts().modules {
		place := o.Index(fence, 0)
		if !m.Fence() || place < 0 {
			continue
		}
		allowed := r.sidesOf(fence)
		for i, m := range o.All() {
			sides, known := allowed[m.Operation]
			if i == place || !known {
				continue
			}
			if i < place && !sides.before || i > place && !sides.after {
				return badOrder(m.Operation, fmt.Sprintf("it cannot be moved across %s", fence))
			}
		}
	}
	return nil
}

type sides struct{ before, after bool }

// sidesOf returns on which sides of a module the built-in orders have the others.
func (r Release) sidesOf(fence string) map[string]sides {
	allowed := map[string]sides{}
	for _, o := range r.facts().orders {
		place := o.Index(fence, 0)
		for i, m := range o.All() {
			s := allowed[m.Operation]
			s.before = s.before || i < place
			s.after = s.after || i > place
			allowed[m.Operation] = s
		}
	}
	return allowed
}
