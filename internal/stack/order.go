package stack

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// pipeline is the order in which a version's module instances develop.
type pipeline struct {
	order   []instanceID
	version int // the iop_order_version
	numbers map[instanceID]int
}

// pipeline gives the order of a version. Places of instances without an entry,
// other than the base, are left out.
func (n naming) pipeline(release iop.Release, of *xmp.Sidecar) (pipeline, error) {
	order, version, err := of.PipelineOrder(release)
	p := pipeline{version: version, numbers: map[instanceID]int{}}
	names := map[iop.Instance]instanceID{}
	for _, entry := range of.History() {
		names[iop.Instance{Operation: entry.Operation, Instance: entry.MultiPriority}] = n.of(entry)
	}
	for _, place := range order.All() {
		id, ok := names[place]
		if !ok && place.Instance != 0 {
			id.operation, id.number = place.Operation, -place.Instance // of an undone entry
		} else if !ok {
			id.operation = place.Operation
		}
		p.order = append(p.order, id)
		p.numbers[id] = place.Instance
	}
	return p, err
}

// common is the order of those instances that another pipeline has, too.
func (p pipeline) common(q pipeline) []instanceID {
	return slices.DeleteFunc(slices.Clone(p.order), func(id instanceID) bool { _, ok := q.numbers[id]; return !ok })
}

// sameOrder reports whether what two pipelines have in common is in one order.
func (p pipeline) sameOrder(q pipeline) bool { return slices.Equal(p.common(q), q.common(p)) }

// moved describes where instances lie that come after another instance than in some
// other pipeline.
func (p pipeline) moved(others ...pipeline) string {
	elsewhere := map[instanceID]bool{}
	for _, other := range others {
		before := instanceID{}
		predecessors := map[instanceID]instanceID{}
		for _, id := range other.common(p) {
			predecessors[id], before = before, id
		}
		before = instanceID{}
		for _, id := range p.common(other) {
			if predecessors[id] != before {
				elsewhere[id] = true
			}
			before = id
		}
	}
	var words []string
	for i, id := range p.order {
		switch {
		case !elsewhere[id]:
		case i == 0:
			words = append(words, id.String()+" first")
		default:
			words = append(words, id.String()+" after "+p.order[i-1].String())
		}
	}
	return joinFirst(words)
}

// with gives the pipeline with the instances that only another one has, each behind
// the one that it follows there.
func (p pipeline) with(other pipeline) pipeline {
	p.order = slices.Clone(p.order)
	place := func(id instanceID) bool { return slices.Contains(p.order, id) }
	for i, id := range other.order {
		switch {
		case place(id):
		case i == 0:
			p.order = slices.Insert(p.order, 0, id)
		default:
			p.order = slices.Insert(p.order, slices.Index(p.order, other.order[i-1])+1, id)
		}
	}
	return p
}

// arranged gives a look with its instances in the order of another pipeline.
// Instances that the other does not have stay behind the ones that they follow.
func (n naming) arranged(release iop.Release, look *xmp.Sidecar, like pipeline) (*xmp.Sidecar, error) {
	now, err := n.pipeline(release, look)
	if err != nil {
		return nil, err
	}
	var list []string
	order := pipeline{order: like.common(now)}.with(now).order
	if slices.Equal(order, now.order) {
		return look, nil
	}
	for _, id := range order {
		list = append(list, id.operation, strconv.Itoa(now.numbers[id]))
	}
	arranged, err := iop.ParseOrder(strings.Join(list, ","))
	if err != nil {
		return nil, err
	}
	return look.With(release, xmp.Reorder{Version: like.version, Order: arranged})
}

// carriedOrder is the pipeline of a look that is carried to another picture: the
// target's own, unless the source has changed its own one.
func (n naming) carriedOrder(source, target Stack) (pipeline, error) {
	current, err := n.pipeline(source.Release, source.Current)
	original, originalErr := n.pipeline(source.Release, source.Baseline)
	own, ownErr := n.pipeline(target.Release, target.Baseline)
	if err := cmp.Or(err, originalErr, ownErr); err != nil {
		return pipeline{}, err
	}
	if current.sameOrder(original) {
		return own.with(current), nil
	}
	return current.with(own), nil
}

// mergeOrder merges the order of the pipeline.
func (m *merger) mergeOrder(release iop.Release, names naming) (pipeline, error) {
	base, err := names.pipeline(release, m.Base)
	ours, oursErr := names.pipeline(release, m.Ours)
	theirs, theirsErr := names.pipeline(release, m.Theirs)
	if err := cmp.Or(err, oursErr, theirsErr); err != nil {
		return pipeline{}, err
	}
	side, known := Ours, !m.isUndecided(instanceID{operation: "pipeline"}, "order")
	switch {
	case theirs.sameOrder(ours), known && theirs.sameOrder(base):
	case known && ours.sameOrder(base):
		side = Theirs
	default:
		side, _, err = m.decide(Conflict{
			Module: "pipeline", Field: "order",
			Base: base.moved(ours, theirs), Ours: ours.moved(base, theirs), Theirs: theirs.moved(base, ours),
		}, false)
	}
	if side == Theirs {
		return theirs.with(ours), err
	}
	return ours.with(theirs), err
}
