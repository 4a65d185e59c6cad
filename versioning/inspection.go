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

	v         *view             // made from the journal alone
	index     []byte            // the index's content
	baseline  []byte            // the content of the first transaction's second copy, or nil
	copied    bool              // and is read in its place
	badCopy   bool              // it is no copy of the first transaction
	damaged   map[uint64]bool   // transactions that cannot be kept
	missing   []span            // transactions that nothing explains the lack of
	rewrite   bool              // the journal has to be written anew, also when nothing is damaged
	vouched   map[uint64]bool   // transactions whose hashes another one names
	unbased   bool              // Repair lost the baseline, which earlier programs let it
	foreign   bool              // the baseline's copy is that of another history
	parents   map[uint64]bool   // transactions that records name as parents
	heads     map[uint64]uint64 // where HEAD was before a transaction that cannot be read
	summaries map[uint64]journal.Summary
	named     map[uint64]Hash // the records that others name as their parents
	refs      *refTable       // as far as whole transactions lead to them
	made      []journal.Move  // of refs that Repair makes

	reading bool              // around damage; see openAround
	moved   map[string]uint64 // the transactions that moved HEAD and the refs last
	unsure  uint64            // the newest transaction that may have moved any of them
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
	if err := x.mend(); err != nil {
		return err
	}
	if damagedHeader {
		x.add(Finding{Fault: DamagedHeader, File: journal.Name, Detail: "nothing is lost by it", Advice: "Repair writes it again"})
	}
	return nil
}

// mend finds what can be found of damaged transactions: those in which one byte
// is wrong, and the first one, of which there is a copy.
func (x *inspection) mend() (err error) {
	if x.baseline, err = x.history.readBaseline(); err != nil || !x.v.IsDamaged() {
		return err
	}
	frame, _ := journal.FirstTransaction(x.baseline)
	if err := x.v.Mend(frame); err != nil || frame == nil {
		return err
	}
	x.copied = x.v.Mended(1)
	r, err := x.v.Row(1)
	if listed, ok := x.v.Listed(x.index, 1); ok && err == nil && listed.Has(journal.HasRecord) && listed.ID != r.ID {
		return x.mendWithoutCopy()
	}
	return nil
}

// mendWithoutCopy is mend when the copy is of another history.
func (x *inspection) mendWithoutCopy() error {
	x.foreign, x.copied = true, false
	return x.v.Mend(nil)
}

// inspect reads everything that is in the journal.
func (x *inspection) inspect() error {
	if err := x.inspectTransactions(); err != nil {
		return err
	}
	x.inspectRefs()
	x.inspectBaseline()
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
