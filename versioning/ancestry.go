package versioning

import (
	"container/heap"
	"context"
	"iter"
)

// seqHeap gives the greatest sequence number first.
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

// step is one record on a walk.
type step struct {
	seq uint64
	row row
}

// ancestry walks from records to all their ancestors, each once, newest first.
// A record is always published after its parents, so the order of publication
// is also an order of the graph.
func (v *view) ancestry(from ...uint64) iter.Seq2[step, error] {
	return func(yield func(step, error) bool) {
		open := seqHeap{}
		for _, seq := range from {
			heap.Push(&open, seq)
		}
		for last := uint64(0); len(open) > 0; {
			seq := heap.Pop(&open).(uint64)
			if seq == last {
				continue
			}
			last = seq
			r, err := v.row(seq)
			if err == nil && r.has(isGone) {
				continue // Repair took it out; what came before cannot be known
			}
			if err == nil && !r.has(hasRecord) {
				err = fail("", Corrupt, journalName, "transaction %d should hold a record; Verify says what is lost", seq)
			}
			if err != nil {
				yield(step{}, err)
				return
			}
			if !yield(step{seq, r}, nil) {
				return
			}
			for _, p := range r.parents {
				if p >= seq {
					yield(step{}, fail("", Corrupt, journalName, "transaction %d has a parent that is not older", seq))
					return
				}
				if p != 0 {
					heap.Push(&open, p)
				}
			}
		}
	}
}

// countAncestors counts the records that are parents or ancestors of parents.
// For one parent it is known; for more it costs a walk.
func (v *view) countAncestors(parents []uint64) (uint64, error) {
	if len(parents) == 1 {
		r, err := v.row(parents[0])
		return uint64(r.ancestors), err
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

// MergeBase gives the newest record that both a and b (each a ref_or_hash)
// come from. It costs a walk back to it.
func (h *History) MergeBase(ctx context.Context, a, b string) (Record, error) {
	const op = "MergeBase"
	v, err := h.reader(ctx)
	if err != nil {
		return Record{}, named(op, err)
	}
	defer v.close()
	var sides [2]uint64
	for i, name := range []string{a, b} {
		if sides[i], err = v.resolve(name); err != nil {
			return Record{}, named(op, err)
		}
	}
	rec, err := v.mergeBase(sides[0], sides[1])
	return rec, named(op, err)
}

func (v *view) mergeBase(a, b uint64) (Record, error) {
	seen := map[uint64]int{a: 1}
	seen[b] |= 2
	for s, err := range v.ancestry(a, b) {
		if err != nil {
			return Record{}, err
		}
		if seen[s.seq] == 3 {
			return v.record(s.seq)
		}
		for _, p := range s.row.parents {
			seen[p] |= seen[s.seq]
		}
	}
	return Record{}, fail("", Conflict, "", "the two have no record in common")
}
