package journal

import (
	"bytes"
	"errors"
	"io"
	"io/fs"

	"github.com/chemigram/chemigram/versioning/internal/storage"
)

// The names of the files.
const (
	Name      = "journal"
	IndexName = "index"
)

// Journal is an open journal with its index, as they were at one instant. It
// needs no lock to be read: what it has seen is never written again, and after
// the files are replaced the old ones stay readable until Close. One that was
// opened to be written may be used under the history's lock alone. The zero
// Journal is an empty one.
type Journal struct {
	dir     storage.Folder
	durable bool
	file    storage.File
	index   storage.File // nil when there is none that belongs to the journal
	header  header

	indexed   uint64  // transactions that the index lists
	unindexed rowList // those behind them that the journal has
	last      uint64  // the newest transaction
	end       int64   // where the next frame goes
	torn      int64   // bytes behind end

	indexSize  int64
	stray      bool   // the index has bytes that are no rows of this journal
	block      []byte // rows of the index that were read last
	blockFirst uint64 // the transaction of the first of them

	mended map[uint64][]byte // frames that Mend found
	first  []byte            // the copy of the first transaction's frame for Mend, or nil
}

// Options say how a journal is opened.
type Options struct {
	Writable bool
	Durable  bool // sync what is written
}

// Open opens the journal in a folder as it is now. Without one it fails with
// NotInitialised.
func Open(dir storage.Folder, o Options) (*Journal, error) {
	j := &Journal{dir: dir, durable: o.Durable}
	if err := j.open(o.Writable); err != nil {
		j.Close()
		return nil, err
	}
	return j, nil
}

// CheckFormat fails with TooNew when a later program wrote the journal in a
// folder. Whatever else is wrong with it, Open reports.
func CheckFormat(dir storage.Folder) error {
	f, err := dir.Open(Name, false)
	if err != nil {
		return nil
	}
	defer f.Close()
	if first, err := storage.ReadRange(f, 0, headerSize); err == nil {
		if _, err := decodeHeader(first); errors.Is(err, TooNew) {
			return err
		}
	}
	return nil
}

// Scan opens the journal in a folder to be read, and finds its transactions
// without the index. A damaged header is no error, but reported.
func Scan(dir storage.Folder) (j *Journal, damagedHeader bool, err error) {
	j = &Journal{dir: dir}
	if damagedHeader, err = j.scan(); err != nil {
		j.Close()
		return nil, false, err
	}
	return j, damagedHeader, nil
}

func (j *Journal) scan() (damagedHeader bool, err error) {
	err = j.openFile(false)
	damagedHeader = errors.Is(err, Corrupt)
	if err != nil && !damagedHeader {
		return false, err
	}
	size, err := j.file.Size()
	if err != nil {
		return damagedHeader, FileError(Name, err)
	}
	j.end = headerSize
	if size > headerSize {
		if err := j.readTail(size); err != nil {
			return damagedHeader, err
		}
	}
	j.torn = max(0, size-j.end)
	return damagedHeader, nil
}

// Close closes the files. It may be called more than once.
func (j *Journal) Close() {
	for _, f := range []storage.File{j.file, j.index} {
		if f != nil {
			_ = f.Close() // nothing was written that Close could lose
		}
	}
	j.file, j.index = nil, nil
}

func (j *Journal) open(writable bool) error {
	if err := j.openFile(writable); err != nil {
		return err
	}
	if err := j.openIndex(writable); err != nil {
		return err
	}
	tail := j.checkRows()
	// Only now: the journal is never shorter than what the index lists.
	size, err := j.file.Size()
	if err != nil {
		return FileError(Name, err)
	}
	j.last, j.end = j.indexed, headerSize
	if j.indexed > 0 {
		j.end = tail.End()
	}
	if j.end > size {
		return corrupt("it has %d bytes where %d were published; Verify says what is lost, and Repair goes back to what is there", size, j.end)
	}
	if j.end < size {
		if err := j.readTail(size); err != nil {
			return err
		}
	}
	j.torn = size - j.end
	j.stray = j.stray || j.index != nil && j.indexSize > int64(j.last+1)*rowSize
	return nil
}

// openFile opens the journal's file and reads its header.
func (j *Journal) openFile(writable bool) error {
	var err error
	if j.file, err = j.dir.Open(Name, writable); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return &Error{Kind: NotInitialised, Message: "there is no history here yet; Init begins one"}
		}
		return FileError(Name, err)
	}
	first, err := storage.ReadRange(j.file, 0, headerSize)
	if err != nil {
		return corrupt("it is shorter than its first line")
	}
	j.header, err = decodeHeader(first)
	return err
}

// openIndex opens the index, if there is one of this journal.
func (j *Journal) openIndex(writable bool) error {
	var err error
	if j.index, err = j.dir.Open(IndexName, writable); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return FileError(IndexName, err)
	}
	size, err := j.index.Size()
	if err != nil {
		return FileError(IndexName, err)
	}
	head, err := storage.ReadRange(j.index, 0, rowSize)
	if err != nil || !bytes.Equal(head, indexHeader(j.header)) {
		j.stray = true
		return j.dropIndex()
	}
	j.indexSize = size
	j.indexed = uint64(size/rowSize) - 1
	return nil
}

// ID is the journal's id, which is new whenever the journal is rewritten.
func (j *Journal) ID() string { return j.header.ID }

// Last is the newest transaction, or 0.
func (j *Journal) Last() uint64 { return j.last }

// Indexed is the newest transaction that the index lists, or 0. What it does not
// list may still be taken back by its writer.
func (j *Journal) Indexed() uint64 { return j.indexed }

// End is where the next frame goes.
func (j *Journal) End() int64 { return j.end }

// Torn is how many bytes lie behind the last whole frame.
func (j *Journal) Torn() int64 { return j.torn }

// Content reads the header and all frames.
func (j *Journal) Content() *io.SectionReader { return io.NewSectionReader(j.file, 0, j.end) }
