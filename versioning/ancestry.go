package versioning

import (
	"container/heap"
	"iter"

	"github.com/chemigram/chemigram/versioning/internal/journal"
)

// seqHeap pops the greatest sequence number first.
type seqHeap []uint64

func (s seqHeap) Len() int           { return len(s) }
func (s seqHeap) Less(i, j int) bool { return s[i] > s[j] }
func (s seqHeap) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *seqHeap) Push(x any)        { *s = append(*s, x.(uint64)) }
func (s *seqHeap) Pop() any {
	old := *s
	x := old[len(old)-1]
	*s = old[:len(old)-1]
	return x
}

// ancestor is one record of an ancestry.
type ancestor struct {
	seq  uint64
	row  journal.Row
	lost bool // it is damaged, or its state is; see view.isLost
}

// ancestry returns records and all their ancestors, each once, newest first.
// A record is always published after its parents, so the order of publication
// is also an order of the graph. Where Repair took a record out, it goes on with
// the nearest ones before it.
func (v *view) ancestry(from ...uint64) iter.Seq2[ancestor, error] {
	return func(yield func(ancestor, error) bool) {
		pending := seqHeap{}
		for _, seq := range from {
			heap.Push(&pending, seq)
		}
		for last := uint64(0); len(pending) > 0; {
			seq := heap.Pop(&pending).(uint64)
			if seq == last {
				continue
			}
			last = seq
			if v.isLost(seq) {
				a := v.damage.lost(seq)
				if !yield(a, nil) {
					return
				}
				for _, p := range olderThan(seq, a.row.Parents) {
					heap.Push(&pending, p)
				}
				continue
			}
			r, err := v.Row(seq)
			if err == nil && r.Has(journal.IsGone) {
				for _, before := range v.across(seq) {
					heap.Push(&pending, before)
				}
				continue
			}
			if r, err = v.recordRow(seq); err != nil {
				yield(ancestor{}, err)
				return
			}
			if !yield(ancestor{seq: seq, row: r}, nil) {
				return
			}
			for _, p := range r.Parents {
				if p >= seq {
					yield(ancestor{}, fail("", Corrupt, journal.Name, "transaction %d has a parent that is not older", seq))
					return
				}
				if p != 0 {
					heap.Push(&pending, p)
				}
			}
		}
	}
}

// countAncestors counts the records that are parents or ancestors of parents.
// For one parent the index knows; for more it costs a walk.
func (v *view) countAncestors(parents []uint64) (uint64, error) {
	if len(parents) == 1 {
		r, err := v.recordRow(parents[0])
		return uint64(r.Ancestors), err
	}
	var n uint64
	for _, err := range v.ancestry(parents...) {
		if err != nil {
			return 0, err
		}
		n++
	}
	return n, nil
}
