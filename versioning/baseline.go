package versioning

import (
	"bytes"
	"errors"
	"io/fs"
	"path"

	"github.com/chemigram/chemigram/versioning/internal/journal"
	"github.com/chemigram/chemigram/versioning/internal/storage"
)

// keepBaseline writes the second copy of the first transaction, of a history
// that has none. The next writer does it if this one cannot.
func (h *History) keepBaseline(v *view) {
	if h.copied.Load() {
		return
	}
	f, err := h.folder.Open(baselineName, false)
	if err == nil {
		_ = f.Close() // it was only looked for
	} else if errors.Is(err, fs.ErrNotExist) {
		err = v.copyBaseline()
	}
	h.copied.Store(err == nil)
}

// dropBaseline removes a copy that is there without the journal that it is of.
func (h *History) dropBaseline() {
	if f, err := h.folder.Open(journal.Name, false); err == nil {
		_ = f.Close() // it was only looked for
		return
	}
	_ = h.folder.Remove(baselineName) // most likely there is none
	h.copied.Store(false)
}

// copyBaseline writes the second copy of the first transaction, if that is there.
func (v *view) copyBaseline() error {
	if v.isGone(1) {
		return nil
	}
	if _, err := v.record(1); err != nil {
		return err
	}
	if _, err := v.state(1); err != nil {
		return err
	}
	content, err := v.First()
	if err != nil {
		return err
	}
	return v.history.replaceFile(baselineName, bytes.NewReader(content))
}

// beginAgain makes an empty journal where it is missing and the second copy of the first
// transaction is there, which Repair takes then.
func (h *History) beginAgain() error {
	f, err := h.folder.Open(journal.Name, false)
	if err == nil {
		return f.Close()
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil // the inspection says so
	}
	if content, err := h.readBaseline(); err != nil || content == nil {
		return err
	}
	return h.replaceFile(journal.Name, bytes.NewReader(nil))
}

// readBaseline reads the second copy of the first transaction; nil when there
// is none.
func (h *History) readBaseline() ([]byte, error) {
	f, err := h.folder.Open(baselineName, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, journal.FileError(baselineName, err)
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil {
		return nil, journal.FileError(baselineName, err)
	}
	content, err := storage.ReadRange(f, 0, min(size, journal.MaxFirst+1)) // what is longer is not intact
	return content, journal.FileError(baselineName, err)
}

// inspectBaseline compares the second copy of the first transaction with it.
func (x *inspection) inspectBaseline() {
	if x.baseline == nil {
		return
	}
	frame, intact := journal.FirstTransaction(x.baseline)
	if intact && !x.foreign {
		first, err := x.v.First()
		if err != nil || x.damaged[1] {
			return // Verify says so already
		}
		if again, _ := journal.FirstTransaction(first); bytes.Equal(again, frame) {
			return
		}
	}
	x.badCopy = true
	x.add(Finding{
		Fault: DamagedBaseline, File: baselineName, Detail: "it is not the copy of the first transaction; nothing is lost by it",
		Advice: "Repair writes it again", Repaired: x.repair,
	})
}

// repairBaseline writes the second copy again when it is not good, and keeps what
// was there in trash. The journal has been repaired.
func (x *inspection) repairBaseline() error {
	h := x.history
	if x.badCopy {
		name := path.Join(trashName, h.opts.Now().UTC().Format(trashTime)+"-baseline-repair")
		if err := h.replaceFile(name, bytes.NewReader(x.baseline)); err != nil {
			return err
		}
		if err := h.folder.Remove(baselineName); err != nil {
			return journal.FileError(baselineName, err)
		}
	}
	v, err := h.view(true)
	if err != nil {
		return err
	}
	defer v.Close()
	h.copied.Store(false)
	h.keepBaseline(v)
	return nil
}

// replaceBaseline makes the oldest whole record the baseline when there is none:
// without one nothing can be edited. Verify finds that when the baseline is
// damaged, or was when an earlier program repaired the history.
func (x *inspection) replaceBaseline() {
	if _, ok := x.refs.Refs[baselineRef]; ok || !x.repair && !x.unbased && len(x.damaged) == 0 {
		return
	}
	f := Finding{
		Fault: DanglingRef, File: journal.Name, Name: baselineRef, Detail: "the snapshot that every edit starts from is lost",
		Advice: "copy the folder from a backup if there is one; Repair makes the oldest whole snapshot the baseline", Repaired: x.repair,
	}
	for seq := uint64(1); seq <= x.v.Last(); seq++ {
		if x.isWhole(seq) {
			x.makeRef(baselineRef, seq)
			x.add(f)
			return
		}
	}
}

// makeRef makes a ref at a record, by the transaction of Repair.
func (x *inspection) makeRef(name string, to uint64) {
	x.refs.Refs[name] = journal.Position{To: to, At: x.v.Last() + 1}
	x.made = append(x.made, journal.Move{Ref: name, To: to})
	x.rewrite = true
}

// reserved refuses the name of the baseline for another tag.
func reserved(full, name string) error {
	if full != baselineRef {
		return nil
	}
	return fail("", BadRefName, name, "the name is taken for the snapshot that every edit starts from; choose another name")
}
