package versioning

import "context"

// MergeBase returns the newest record that both a and b (each a ref_or_hash)
// come from, also where Repair took out some between. It costs a walk back to it.
func (h *History) MergeBase(ctx context.Context, a, b string) (Record, error) {
	const op = "MergeBase"
	v, err := h.reader(ctx)
	if err != nil {
		return Record{}, withOp(op, err)
	}
	defer v.Close()
	var sides [2]uint64
	for i, name := range []string{a, b} {
		if sides[i], err = v.resolve(name); err != nil {
			return Record{}, withOp(op, err)
		}
	}
	rec, err := v.mergeBase(sides[0], sides[1])
	return rec, withOp(op, err)
}

func (v *view) mergeBase(a, b uint64) (Record, error) {
	const fromA, fromB = 1, 2
	reached := map[uint64]int{a: fromA}
	reached[b] |= fromB
	for r, err := range v.ancestry(a, b) {
		if err != nil {
			return Record{}, err
		}
		if reached[r.seq] == fromA|fromB {
			return v.record(r.seq)
		}
		for _, p := range r.row.Parents {
			for _, before := range v.across(p) {
				reached[before] |= reached[r.seq]
			}
		}
	}
	return Record{}, fail("", Conflict, "", "the two have no record in common")
}
