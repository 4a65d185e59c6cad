package versioning

import (
	"bytes"
	"fmt"
	"slices"
)

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
			} else if !ok || !x.agrees(r, uint64(n)) {
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

// agrees tells whether the index says of a transaction what the journal does.
func (x *inspection) agrees(r row, seq uint64) bool {
	have := x.v.extra[seq-1]
	if have.has(isDamaged) {
		return true
	}
	facts, known := x.about[seq]
	return r.bare() == have.bare() && (!r.has(hasAbout) || !known || r.about == facts)
}

const adviceDamage = "copy the folder from a backup if there is one; Repair takes the damage out and keeps it in trash"
