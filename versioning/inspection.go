package versioning

import (
	"context"
	"errors"
	"io/fs"

	"github.com/chemigram/chemigram/versioning/internal/journal"
	"github.com/chemigram/chemigram/versioning/internal/storage"
)

// inspection is one run of Verify, or of Prune, which needs to know that
// everything is whole.
type inspection struct {
	history  *History
	ctx      context.Context //nolint:containedctx // an inspection is one call
	repair   bool
	findings []Finding

	v         *view           // made from the journal alone
	index     []byte          // the index's content
	damaged   map[uint64]bool // transactions that cannot be kept
	summaries map[uint64]journal.Summary
	refs      *refTable // as far as whole transactions lead to them
}

func (x *inspection) close() {
	if x.v != nil {
		x.v.Close()
	}
}

// open finds out which files there are, and how long.
func (x *inspection) open() error {
	if err := x.inspectFiles(); err != nil {
		return err
	}
	var err error
	if x.index, err = storage.ReadFile(x.history.folder, journal.IndexName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return journal.FileError(journal.IndexName, err)
	}
	return x.openJournal()
}

// openJournal finds the transactions without help of the index.
func (x *inspection) openJournal() error {
	j, damagedHeader, err := journal.Scan(x.history.folder)
	if err != nil {
		return err
	}
	x.v = newView(x.history, j)
	if damagedHeader {
		x.add(Finding{Fault: DamagedHeader, File: journal.Name, Detail: "nothing is lost by it", Advice: "Repair writes it again"})
	}
	return nil
}

// inspect reads everything that is in the journal.
func (x *inspection) inspect() error {
	if err := x.inspectTransactions(); err != nil {
		return err
	}
	x.inspectRefs()
	x.inspectIndex()
	if len(x.findings) > 0 {
		return nil
	}
	// What reads it must come to the same result.
	x.history.known.Store(nil)
	if err := x.v.readRefs(); err != nil {
		x.addDamage(x.v.Last(), journal.Row{Offset: x.v.End()}, DamagedTransaction, "", err.Error())
	}
	return nil
}

func (x *inspection) add(f Finding) { x.findings = append(x.findings, f) }

const adviceDamage = "copy the folder from a backup if there is one; Repair takes the damage out and keeps it in trash"

// addDamage adds a finding about a transaction, which cannot be kept.
func (x *inspection) addDamage(seq uint64, r journal.Row, fault Fault, name, detail string) {
	x.damaged[seq] = true
	x.add(Finding{
		Fault: fault, File: journal.Name, Offset: r.Offset, Name: name, Detail: detail,
		Advice: adviceDamage, Repaired: x.repair,
	})
}

// isWhole reports whether a record and its state can be read.
func (x *inspection) isWhole(seq uint64) bool {
	r, err := x.v.Row(seq)
	return err == nil && r.Has(journal.HasRecord) && !x.damaged[seq] && !x.damaged[r.StateSeq]
}
