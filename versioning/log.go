package versioning

import (
	"context"
	"math"
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

// sieve is what a row must say to be chosen.
type sieve struct {
	LogOptions
	op, actor    uint64
	since, until int64
}

func (o LogOptions) sieve() sieve {
	s := sieve{LogOptions: o, op: digest(o.Op), actor: digest(o.Actor), since: math.MinInt64, until: math.MaxInt64}
	if !o.Since.IsZero() {
		s.since = nanos(o.Since)
	}
	if !o.Until.IsZero() {
		s.until = nanos(o.Until)
	}
	return s
}

func (s sieve) fits(a about) bool {
	return (s.Op == "" || a.op == s.op) && (s.Actor == "" || a.actor == s.actor) &&
		a.time >= s.since && a.time <= s.until
}

// Log lists a record and its ancestors, newest first: in the order of their
// publication, so that a record always comes before its parents. total counts
// the records that would be listed without limit and offset.
//
// It costs what it lists and leaves out before that, not the history's length;
// with a time, an op or an actor to filter by, it looks through the index: a few
// milliseconds for 10,000 records. (It does not end early at Since: clocks go
// back, and total counts all.) Where the index is lost and may not be written,
// it reads every ancestor.
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
	n, filters, sieve := 0, o.filters(), o.sieve()
	for s, err := range v.ancestry(from) {
		if err != nil {
			return nil, 0, err
		}
		wanted := n >= o.Offset && (o.Limit == 0 || len(recs) < o.Limit)
		if !filters && !wanted && n >= o.Offset {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		if filters {
			facts, err := v.aboutOf(s)
			if err != nil {
				return nil, 0, err
			}
			if !sieve.fits(facts) {
				continue
			}
		}
		if wanted {
			rec, err := v.record(s.seq)
			if err != nil {
				return nil, 0, err
			}
			recs = append(recs, rec)
		}
		n++
	}
	if !filters {
		n = int(first.ancestors)
	}
	return recs, n, nil
}

// aboutOf gives what a record is filtered by, from its row where that knows it.
func (v *view) aboutOf(s step) (about, error) {
	if s.row.has(hasAbout) {
		return s.row.about, nil
	}
	rec, err := v.record(s.seq)
	return aboutOf(rec), err
}
