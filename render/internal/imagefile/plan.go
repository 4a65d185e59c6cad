package imagefile

import (
	"cmp"
	"errors"
	"slices"
)

// A plan is what a file, or a part of one, will be: the ranges that stay. All else
// in it becomes zeros.
type plan struct{ ranges []keptRange }

// A keptRange stays, with other bytes when there are any.
type keptRange struct {
	from, length int64
	bytes        []byte
}

// keep plans that so many bytes stay as they are.
func (p *plan) keep(from, length int64) {
	p.ranges = append(p.ranges, keptRange{from: from, length: length})
}

// write plans the bytes at a place.
func (p *plan) write(from int64, b []byte) {
	p.ranges = append(p.ranges, keptRange{from, int64(len(b)), b})
}

// apply writes what stays, and zeros everywhere else.
func (p *plan) apply(b block, size int64) error {
	slices.SortStableFunc(p.ranges, func(a, b keptRange) int { return cmp.Compare(a.from, b.from) })
	end := int64(0)
	for _, r := range p.ranges {
		if r.length > 0 && r.from < end || r.from > size-r.length {
			return errors.New("parts of the file overlap, or lie beyond its end")
		}
		end = max(end, r.from+r.length)
	}
	at := int64(0)
	for _, r := range p.ranges {
		if err := zero(b, at, r.from); err != nil {
			return err
		}
		if len(r.bytes) > 0 {
			if _, err := b.WriteAt(r.bytes, r.from); err != nil {
				return err
			}
		}
		at = max(at, r.from+r.length)
	}
	return zero(b, at, size)
}

// zero clears a block between two places. What is clear already is not written.
func zero(b block, from, to int64) error {
	buf := make([]byte, min(max(to-from, 0), 1<<16))
	for ; from < to; from += int64(len(buf)) {
		buf = buf[:min(int64(len(buf)), to-from)]
		if _, err := b.ReadAt(buf, from); err != nil {
			return err
		}
		if !slices.ContainsFunc(buf, func(c byte) bool { return c != 0 }) {
			continue
		}
		clear(buf)
		if _, err := b.WriteAt(buf, from); err != nil {
			return err
		}
	}
	return nil
}
