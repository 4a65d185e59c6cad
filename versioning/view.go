package versioning

import (
	"bytes"
	"errors"
	"io/fs"
)

// view is a history as it was at one instant. It needs no lock: what it has
// seen is never written again, and after a prune the old files stay readable
// until the view is closed.
type view struct {
	history *History
	journal file
	index   file // nil when there is none that belongs to the journal
	header  header

	rows  uint64 // transactions that the index lists
	extra []row  // those behind them that the journal has
	last  uint64 // the newest transaction
	end   int64  // where the next frame goes
	torn  int64  // bytes behind end
	stray bool   // the index has bytes that are no rows of this journal
	table *table

	indexSize  int64
	records    *memo  // those that were read
	block      []byte // rows of the index that were read last
	blockFirst uint64
}

// view opens the history as it is now.
func (h *History) view(writable bool) (*view, error) {
	v := &view{history: h}
	if err := v.open(writable); err != nil {
		v.close()
		return nil, err
	}
	return v, nil
}

// close closes the files. It may be called more than once.
func (v *view) close() {
	for _, f := range []file{v.journal, v.index} {
		if f != nil {
			_ = f.Close() // nothing was written that Close could lose
		}
	}
	v.journal, v.index = nil, nil
}

func (v *view) open(writable bool) error {
	if err := v.openFiles(writable); err != nil {
		return err
	}
	tail := v.checkRows()
	// Only now: the journal is never shorter than what the index lists.
	size, err := v.journal.size()
	if err != nil {
		return fileError(journalName, err)
	}
	v.last, v.end = v.rows, headerSize
	if v.rows > 0 {
		v.end = tail.end()
	}
	if v.end > size {
		return fail("", Corrupt, journalName,
			"it has %d bytes where %d were published; Verify says what is lost, and Repair goes back to what is there", size, v.end)
	}
	if v.end < size {
		if err := v.readTail(size); err != nil {
			return err
		}
	}
	v.torn = size - v.end
	v.stray = v.stray || v.index != nil && v.indexSize > int64(v.last+1)*rowSize
	return v.readTable()
}

func (v *view) openFiles(writable bool) error {
	dir := v.history.folder
	var err error
	if v.journal, err = dir.open(journalName, writable); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return fail("", NotInitialised, "", "there is no history here yet; Init begins one")
		}
		return fileError(journalName, err)
	}
	first, err := readRange(v.journal, 0, headerSize)
	if err != nil {
		return fail("", Corrupt, journalName, "it is shorter than its first line")
	}
	if v.header, err = decodeHeader(first); err != nil {
		return err
	}
	if v.index, err = dir.open(indexName, writable); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return fileError(indexName, err)
	}
	size, err := v.index.size()
	if err != nil {
		return fileError(indexName, err)
	}
	head, err := readRange(v.index, 0, rowSize)
	if err != nil || !bytes.Equal(head, indexHeader(v.header)) {
		v.stray = true
		return v.dropIndex()
	}
	v.indexSize = size
	v.rows = uint64(size/rowSize) - 1
	return nil
}
