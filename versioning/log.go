package versioning

import (
	"context"
	"math"
	"time"

	"github.com/chemigram/chemigram/versioning/internal/journal"
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

// Log lists a record and its ancestors, newest first: in the order of their
// publication, so that a record always comes before its parents. total counts
// the records that would be listed without limit and offset.
//
// It costs what it lists and leaves out before that, not the history's length;
// with a time, an op or an actor to filter by, it looks through the index: a few
// milliseconds for 10,000 records. (It does not end early at Since: clocks go
// back, and total counts all.) So does a log without a filter after Repair took
// records out. Where the index is lost and may not be written,
// it reads every ancestor. Where something is damaged, it reads the whole journal and
// goes on around the damage: a record that cannot be read is listed as Damaged, and a
// ref of which nobody knows where it is now is where it last was.
func (h *History) Log(ctx context.Context, o LogOptions) (recs []Record, total int, err error) {
	const op = "Log"
	if o.Limit < 0 || o.Offset < 0 {
		return nil, 0, fail(op, Invalid, "", "limit and offset must not be negative")
	}
	err = h.read(ctx, op, func(v *view) error {
		recs, total, err = v.log(ctx, o)
		return err
	})
	return recs, total, err
}

func (v *view) log(ctx context.Context, o LogOptions) (recs []Record, total int, err error) {
	from, err := v.resolveRoughly(o.From)
	if err != nil {
		return nil, 0, err
	}
	n, filters, filter := 0, o.filters(), newLogFilter(o)
	counted := !filters && len(v.refs.Gaps) == 0 && v.damage == nil // the index counts also what Repair took out
	for r, err := range v.ancestry(from) {
		if err != nil {
			return nil, 0, err
		}
		wanted := n >= o.Offset && (o.Limit == 0 || len(recs) < o.Limit)
		if counted && !wanted && n >= o.Offset {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		if filters {
			summary, err := v.summary(r)
			if err != nil {
				return nil, 0, err
			}
			if !filter.matches(summary) {
				continue
			}
		}
		if wanted {
			rec, err := v.logged(r)
			if err != nil {
				return nil, 0, err
			}
			recs = append(recs, rec)
		}
		n++
	}
	if counted {
		first, err := v.recordRow(from)
		return recs, int(first.Ancestors), err
	}
	return recs, n, nil
}

// summary returns what a record is filtered by, from its row where that has it.
func (v *view) summary(r ancestor) (journal.Summary, error) {
	if r.row.Has(journal.HasSummary) || r.lost {
		return r.row.Summary, nil
	}
	rec, err := v.record(r.seq)
	return rec.summary(), err
}

// logFilter is what a record's summary must be for Log to list it.
type logFilter struct {
	anyOp, anyActor bool
	op, actor       uint64
	since, until    int64
}

func newLogFilter(o LogOptions) logFilter {
	first, last := journal.NewSummary(o.Since, o.Op, o.Actor), journal.NewSummary(o.Until, "", "")
	f := logFilter{
		anyOp: o.Op == "", anyActor: o.Actor == "", op: first.Op, actor: first.Actor,
		since: math.MinInt64, until: math.MaxInt64,
	}
	if !o.Since.IsZero() {
		f.since = first.Time
	}
	if !o.Until.IsZero() {
		f.until = last.Time
	}
	return f
}

func (f logFilter) matches(s journal.Summary) bool {
	return (f.anyOp || s.Op == f.op) && (f.anyActor || s.Actor == f.actor) && s.Time >= f.since && s.Time <= f.until
}
