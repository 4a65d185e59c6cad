package versioning

import "context"

// MergeBase returns the newest record that both a and b (each a ref_or_hash)
// come from, also where Repair took out some between. It costs a walk back to it.
func (h *History) MergeBase(ctx context.Context, a, b string) (Record, error) {
	bases, err := h.mergeBases(ctx, "MergeBase", []string{a}, []string{b})
	if err != nil {
		return Record{}, err
	}
	return bases[0], nil
}

// MergeBases returns the records that both sides come from, newest first, without
// those from which another of them comes. There are several when branches were merged
// into each other. A side is a ref_or_hash, or several: a merge of them that is not
// published. It costs a walk back to the oldest of them.
func (h *History) MergeBases(ctx context.Context, a, b []string) ([]Record, error) {
	return h.mergeBases(ctx, "MergeBases", a, b)
}

func (h *History) mergeBases(ctx context.Context, op string, a, b []string) (bases []Record, err error) {
	v, err := h.reader(ctx)
	if err != nil {
		return nil, withOp(op, err)
	}
	defer v.Close()
	var sides [2][]uint64
	for i, names := range [2][]string{a, b} {
		for _, name := range names {
			seq, err := v.resolve(name)
			if err != nil {
				return nil, withOp(op, err)
			}
			sides[i] = append(sides[i], seq)
		}
	}
	bases, err = v.mergeBases(sides[0], sides[1])
	return bases, withOp(op, err)
}

// lineage says of a record what comes from it.
type lineage int

const (
	ofA lineage = 1 << iota
	ofB
	ofBase // a merge base
)

func (v *view) mergeBases(a, b []uint64) (bases []Record, err error) {
	reached := map[uint64]lineage{}
	open := 0 // how many are reached, not visited, and of no merge base
	reach := func(seq uint64, by lineage) {
		before, known := reached[seq]
		reached[seq] = before | by
		switch {
		case by&ofBase == 0 && !known:
			open++
		case by&ofBase != 0 && known && before&ofBase == 0:
			open--
		}
	}
	for _, seq := range a {
		reach(seq, ofA)
	}
	for _, seq := range b {
		reach(seq, ofB)
	}
	for r, err := range v.ancestry(append(a[:len(a):len(a)], b...)...) {
		if err != nil {
			return nil, err
		}
		of := reached[r.seq]
		if of == 0 {
			continue
		}
		if of&ofBase == 0 {
			open--
		}
		if of == ofA|ofB {
			base, err := v.record(r.seq)
			if err != nil {
				return nil, err
			}
			bases = append(bases, base)
			of |= ofBase
		}
		for _, p := range r.row.Parents {
			if p == 0 {
				continue
			}
			for _, before := range v.across(p) {
				reach(before, of)
			}
		}
		if open == 0 && len(bases) > 0 {
			return bases, nil
		}
	}
	if len(bases) > 0 {
		return bases, nil
	}
	return nil, fail("", Conflict, "", "the two have no record in common")
}
