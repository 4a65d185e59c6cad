package versioning

import (
	"context"
	"time"
)

// LogOptions choose records; zero values choose all.
type LogOptions struct {
	From          string    // ref_or_hash, default HEAD
	Limit, Offset int       // how many records to list, and how many to leave out before them
	Since, Until  time.Time // at or after, at or before
	Op, Actor     string    // exactly this verb, exactly this actor
}

func (o LogOptions) filters() bool {
	return o.Op != "" || o.Actor != "" || !o.Since.IsZero() || !o.Until.IsZero()
}

func (o LogOptions) fits(r Record) bool {
	return (o.Op == "" || r.Op == o.Op) &&
		(o.Actor == "" || r.Actor == o.Actor) &&
		(o.Since.IsZero() || !r.Time.Before(o.Since)) &&
		(o.Until.IsZero() || !r.Time.After(o.Until))
}

// Log lists a record and its ancestors, newest first: in the order of their
// publication, so that a record always comes before its parents. total counts
// the records that would be listed without limit and offset.
//
// It costs what it lists and leaves out before that, not the history's length;
// with a time, an op or an actor to filter by, it reads every ancestor: about
// a quarter of a second for 10,000.
func (h *History) Log(ctx context.Context, o LogOptions) (recs []Record, total int, err error) {
	const op = "Log"
	if o.Limit < 0 || o.Offset < 0 {
		return nil, 0, fail(op, Invalid, "", "limit and offset must not be negative")
	}
	v, err := h.reader(ctx)
	if err != nil {
		return nil, 0, named(op, err)
	}
	defer v.close()
	recs, total, err = v.log(ctx, o)
	return recs, total, named(op, err)
}

func (v *view) log(ctx context.Context, o LogOptions) (recs []Record, total int, err error) {
	from, err := v.resolve(o.From)
	if err != nil {
		return nil, 0, err
	}
	first, err := v.row(from)
	if err != nil {
		return nil, 0, err
	}
	n, filters := 0, o.filters()
	for s, err := range v.ancestry(from) {
		if err != nil {
			return nil, 0, err
		}
		wanted := n >= o.Offset && (o.Limit == 0 || len(recs) < o.Limit)
		if !filters && !wanted && n >= o.Offset {
			break
		}
		if filters || wanted {
			if err := ctx.Err(); err != nil {
				return nil, 0, err
			}
			rec, err := v.record(s.seq)
			if err != nil {
				return nil, 0, err
			}
			if filters && !o.fits(rec) {
				continue
			}
			if wanted {
				recs = append(recs, rec)
			}
		}
		n++
	}
	if !filters {
		n = int(first.ancestors)
	}
	return recs, n, nil
}
