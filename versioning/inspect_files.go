package versioning

import (
	"fmt"
	"path"
	"slices"

	"github.com/chemigram/chemigram/versioning/internal/journal"
	"github.com/chemigram/chemigram/versioning/internal/storage"
)

// inspectFiles looks at the names in the folder.
func (x *inspection) inspectFiles() error {
	dir := x.history.folder
	known := []string{journal.Name, journal.IndexName, baselineName, lockName, holderName, trashName}
	for _, below := range []string{".", trashName} {
		names, err := dir.List(below)
		if err != nil {
			return journal.FileError(below, err)
		}
		for _, name := range names {
			full := path.Join(below, name)
			switch {
			case storage.IsClutter(name): // of a file manager
			case storage.IsTemp(name):
				f := Finding{Fault: TempFile, File: full, Detail: "left by a writer that died", Advice: "Repair removes it"}
				if x.repair {
					f.Repaired = dir.Remove(full) == nil
				}
				x.add(f)
			case below == trashName:
				x.inspectTrash(full)
			case !slices.Contains(known, name):
				x.add(Finding{Fault: UnknownFile, File: full, Detail: "not part of a history", Advice: "move it elsewhere"})
			}
		}
	}
	return nil
}

// inspectTrash looks at a journal that was taken out of use.
func (x *inspection) inspectTrash(name string) {
	end, _, err := wholeFrames(x.history.folder, name)
	// What Repair took out is damaged: that is why it is there.
	if err != nil && !isRepairTrash(name) {
		x.add(Finding{Fault: DamagedTrash, File: name, Offset: end, Detail: "a transaction is damaged", Advice: "nothing in use depends on it; Prune removes it in time"})
	}
}

// wholeFrames reads a journal through, and returns how many bytes of it are whole and
// how many frames they have. It is an error when not all are.
func wholeFrames(dir storage.Folder, name string) (end int64, frames int, err error) {
	f, err := dir.Open(name, false)
	if err != nil {
		return 0, 0, journal.FileError(name, err)
	}
	defer f.Close()
	size, err := f.Size()
	if err == nil {
		end, frames, err = journal.Intact(f)
	}
	if err == nil && end != size {
		return end, frames, fail("", Corrupt, name, "it is damaged, or cut short, at byte %d of %d", end, size)
	}
	return end, frames, journal.FileError(name, err)
}

// inspectIndex compares the index with the journal.
func (x *inspection) inspectIndex() {
	v := x.v
	agree, published := v.CheckIndex(x.index, x.summaries)
	if !agree {
		x.add(Finding{Fault: DamagedIndex, File: journal.IndexName, Detail: "nothing is lost by it", Advice: "Repair makes it again", Repaired: x.repair})
	}
	switch {
	case published > v.End():
		x.add(Finding{
			Fault: DamagedTransaction, File: journal.Name, Offset: v.End(), Advice: adviceDamage,
			Detail: fmt.Sprintf("transactions from %d on were published here", v.Last()+1),
		})
		x.damaged[v.Last()+1] = true
	case v.Torn() > 0:
		x.add(Finding{
			Fault: TornTail, File: journal.Name, Offset: v.End(), Detail: fmt.Sprintf("%d bytes that were never published", v.Torn()),
			Advice: "the next writer removes it", Repaired: x.repair,
		})
	}
}
