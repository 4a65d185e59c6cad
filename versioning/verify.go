package versioning

import (
	"context"
	"errors"
	"io/fs"
)

// VerifyOptions say what Verify does beside looking.
type VerifyOptions struct {
	// Repair mends what can be mended without a choice: it removes temporary
	// files and the torn tail, makes the index again, and takes damaged
	// transactions out of the journal, keeping the damaged journal in trash. A
	// ref that led to a damaged one goes back to its newest position that is
	// whole, as far as the journal knows.
	Repair bool
}

// Verify reads everything and gives what is wrong; nothing wrong is an empty
// list. It costs the history's length. It holds the lock while it looks at
// which files there are, and until it is done with Repair; where it may not
// write, it does without, and may then take a writer at work for one that died.
func (h *History) Verify(ctx context.Context, o *VerifyOptions) ([]Finding, error) {
	const op = "Verify"
	repair := o != nil && o.Repair
	ctx, release, err := h.Lock(ctx, op)
	if KindOf(err) == ReadOnly && !repair {
		release, err = func() {}, nil
	}
	if err != nil {
		return nil, named(op, err)
	}
	defer release()
	h.forget()
	x := &inspection{history: h, ctx: ctx, repair: repair}
	defer x.close()
	if err := x.look(); err != nil {
		return x.findings, named(op, err)
	}
	if !repair {
		release()
	}
	if err := x.check(); err != nil {
		return x.findings, named(op, err)
	}
	if repair {
		err = x.mend()
	}
	return x.findings, named(op, err)
}

// inspection is one run of Verify.
type inspection struct {
	history  *History
	ctx      context.Context //nolint:containedctx // an inspection is one call
	repair   bool
	findings []Finding

	v     *view           // made from the journal alone
	rows  []byte          // the index
	bad   map[uint64]bool // transactions that cannot be kept
	about map[uint64]about
	table *table // the refs, as far as whole transactions tell
}

func (x *inspection) close() {
	if x.v != nil {
		x.v.close()
	}
}

// look finds out which files there are, and how long.
func (x *inspection) look() error {
	if err := x.files(); err != nil {
		return err
	}
	var err error
	if x.rows, err = readAll(x.history.folder, indexName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fileError(indexName, err)
	}
	return x.journal()
}

// check reads everything that is in the journal.
func (x *inspection) check() error {
	if err := x.transactions(); err != nil {
		return err
	}
	x.replay()
	x.index()
	if len(x.findings) > 0 {
		return nil
	}
	// What reads it must come to the same result.
	x.history.known.Store(nil)
	if err := x.v.readTable(); err != nil {
		x.damage(x.v.last, row{offset: x.v.end}, DamagedTransaction, "", err.Error())
	}
	return nil
}

func (x *inspection) add(f Finding) { x.findings = append(x.findings, f) }
