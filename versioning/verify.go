package versioning

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
)

// Fault says what kind of thing Verify found.
type Fault string

// The faults. The set is closed.
const (
	// DamagedHeader: the first line of the journal.
	DamagedHeader Fault = "damaged_header"
	// DamagedTransaction: bytes of the journal that should be a transaction.
	DamagedTransaction Fault = "damaged_transaction"
	// DamagedState: a state that cannot be read, or not as it was written.
	DamagedState Fault = "damaged_state"
	// DamagedRecord: likewise a record; or one that contradicts the journal.
	DamagedRecord Fault = "damaged_record"
	// DanglingRef: a ref whose record or state is not there.
	DanglingRef Fault = "dangling_ref"
	// DamagedIndex: the index says other than the journal.
	DamagedIndex Fault = "damaged_index"
	// TornTail: what a writer that died did not finish. Nothing was published.
	TornTail Fault = "torn_tail"
	// TempFile: a file that a writer that died did not finish.
	TempFile Fault = "temp_file"
	// UnknownFile: a file that is not part of the format.
	UnknownFile Fault = "unknown_file"
	// DamagedTrash: a journal in trash.
	DamagedTrash Fault = "damaged_trash"
)

// Finding is one thing that is wrong.
type Finding struct {
	Fault    Fault
	File     string // in the history's folder
	Offset   int64  // the byte where it begins
	Name     string // the record, state or ref, where it is known
	Detail   string // what is wrong, and what is lost by it
	Advice   string // what to do
	Repaired bool   // by this Verify
}

func (f Finding) String() string {
	return fmt.Sprintf("%s: %s at byte %d: %s %s; %s", f.Fault, f.File, f.Offset, f.Name, f.Detail, f.Advice)
}

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
	h.states.forget()
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
	table *table          // the refs, as far as whole transactions tell
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

// files looks at the names in the folder.
func (x *inspection) files() error {
	dir := x.history.folder
	known := []string{journalName, indexName, lockName, holderName, trashName}
	for _, below := range []string{".", trashName} {
		names, err := dir.list(below)
		if err != nil {
			return fileError(below, err)
		}
		for _, name := range names {
			full := joinName(below, name)
			switch {
			case isTemp(name):
				f := Finding{Fault: TempFile, File: full, Detail: "left by a writer that died", Advice: "Repair removes it"}
				if x.repair {
					f.Repaired = dir.remove(full) == nil
				}
				x.add(f)
			case below == trashName:
				x.trash(full)
			case !slices.Contains(known, name):
				x.add(Finding{Fault: UnknownFile, File: full, Detail: "not part of a history", Advice: "move it elsewhere"})
			}
		}
	}
	return nil
}

// trash looks at a journal that was taken out of use.
func (x *inspection) trash(name string) {
	data, err := readAll(x.history.folder, name)
	end := int64(headerSize)
	if err == nil && len(data) >= headerSize {
		for f := range scan(data[headerSize:], headerSize) {
			if f.offset != end {
				break
			}
			end += int64(f.length)
		}
	}
	// What Repair took out is damaged: that is why it is there.
	if end != int64(len(data)) && !isRepairTrash(name) {
		x.add(Finding{Fault: DamagedTrash, File: name, Offset: end, Detail: "a transaction is damaged", Advice: "nothing in use depends on it; Prune removes it in time"})
	}
}

// journal finds the transactions without help of the index.
func (x *inspection) journal() error {
	x.v = &view{history: x.history}
	v := x.v
	err := v.openFiles(false)
	if KindOf(err) == Corrupt && v.journal != nil {
		x.add(Finding{Fault: DamagedHeader, File: journalName, Detail: "nothing is lost by it", Advice: "Repair writes it again"})
		err = nil
	}
	if err != nil {
		return err
	}
	if v.index != nil {
		if err := v.dropIndex(); err != nil {
			return fileError(indexName, err)
		}
	}
	size, err := v.journal.size()
	if err != nil {
		return fileError(journalName, err)
	}
	v.end = headerSize
	if size > headerSize {
		if err := v.readTail(size); err != nil {
			return err
		}
	}
	v.torn = max(0, size-v.end)
	return nil
}

// index compares the index with the journal.
func (x *inspection) index() {
	v, data := x.v, x.rows
	stale := len(data) > 0 && (len(data) < rowSize || v.header.ID == "" || !bytes.Equal(data[:rowSize], indexHeader(v.header)))
	var published int64 // the end of what the index lists
	if len(data) > 0 && !stale {
		for n := 1; (n+1)*rowSize <= len(data); n++ {
			r, ok := decodeRow(data[n*rowSize : (n+1)*rowSize])
			if ok && n > len(v.extra) {
				published = max(published, r.end())
			} else if !ok || r != v.extra[n-1] && !v.extra[n-1].has(isDamaged) {
				stale = true
			}
		}
	}
	if stale {
		x.add(Finding{Fault: DamagedIndex, File: indexName, Detail: "nothing is lost by it", Advice: "Repair makes it again", Repaired: x.repair})
	}
	switch {
	case published > v.end:
		x.add(Finding{
			Fault: DamagedTransaction, File: journalName, Offset: v.end, Advice: adviceDamage,
			Detail: fmt.Sprintf("transactions from %d on were published here", v.last+1),
		})
		x.bad[v.last+1] = true
	case v.torn > 0:
		x.add(Finding{
			Fault: TornTail, File: journalName, Offset: v.end, Detail: fmt.Sprintf("%d bytes that were never published", v.torn),
			Advice: "the next writer removes it", Repaired: x.repair,
		})
	}
}

const adviceDamage = "copy the folder from a backup if there is one; Repair takes the damage out and keeps it in trash"

// replay finds where the refs stand, and complains of those that stand
// nowhere.
func (x *inspection) replay() {
	v := x.v
	x.table = new(table).clone()
	good := map[string]position{}
	complete := true // nothing is missing since the last checkpoint
	for seq := uint64(1); seq <= v.last; seq++ {
		t, err := v.transaction(seq)
		if err != nil || x.bad[seq] {
			complete = false
			continue
		}
		x.table.apply(seq, t.moves)
		if t.table != nil && (!complete || isRewrite(t.moves)) {
			x.table, complete = t.table.clone(), true
		}
		if t.table != nil && (t.table.Head != x.table.Head || !maps.Equal(t.table.Refs, x.table.Refs)) {
			r, _ := v.row(seq)
			x.damage(seq, r, DamagedTransaction, "", "its checkpoint is not what the moves before it lead to")
			return
		}
		for name, p := range x.table.Refs {
			if x.whole(p.To) {
				good[name] = p
			}
		}
	}
	for _, name := range x.table.names() {
		if p := x.table.Refs[name]; !x.whole(p.To) {
			f := Finding{Fault: DanglingRef, File: journalName, Name: name, Detail: "its record or state is damaged", Repaired: x.repair}
			if back, ok := good[name]; ok {
				f.Advice = fmt.Sprintf("Repair moves it to its newest whole position, transaction %d", back.To)
				x.table.Refs[name] = back
			} else {
				f.Advice = "Repair removes it"
				delete(x.table.Refs, name)
			}
			x.add(f)
		}
	}
	x.replayHead()
}

func (x *inspection) replayHead() {
	at, branch := x.table.head()
	if x.whole(at) {
		return
	}
	f := Finding{Fault: DanglingRef, File: journalName, Name: headRef, Detail: "what it names is not there", Advice: "Repair attaches it to a branch", Repaired: x.repair}
	x.add(f)
	if _, ok := x.table.Refs[mainRef]; ok && branch != mainRef {
		x.table.Head = position{Symbolic: mainRef}
		return
	}
	for _, name := range slices.Sorted(maps.Keys(x.table.Refs)) {
		x.table.Head = position{Symbolic: name}
		return
	}
}

// whole tells whether a record and its state can be read.
func (x *inspection) whole(seq uint64) bool {
	r, err := x.v.row(seq)
	return err == nil && r.has(hasRecord) && !x.bad[seq] && !x.bad[r.stateSeq]
}
