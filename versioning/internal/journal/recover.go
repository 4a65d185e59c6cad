package journal

import "github.com/chemigram/chemigram/versioning/internal/storage"

// NeedsRecovery reports whether a writer that died has left something behind.
func (j *Journal) NeedsRecovery() bool { return j.torn > 0 || j.stray || !j.unindexed.empty() }

// Recover finishes what a writer that died has left behind: it cuts off a torn
// tail, and adds the rows that the index lacks. The journal is writable. A
// failure to write the index is no error, since the journal has all of it.
func (j *Journal) Recover() error {
	if j.torn > 0 {
		if err := j.file.Truncate(j.end); err != nil {
			return FileError(Name, err)
		}
		j.torn = 0
	}
	if j.stray && j.index != nil {
		if err := j.index.Truncate(int64(j.indexed+1) * rowSize); err != nil {
			return nil // what is in the way is not read
		}
		j.stray = false
	}
	if j.unindexed.empty() {
		return nil
	}
	// Nobody may build on these before they are safe.
	if err := j.sync(); err != nil {
		return err
	}
	if j.index == nil {
		j.WriteIndex()
		return nil
	}
	if !worthIndexing(j.last, j.end) {
		return nil
	}
	if _, err := j.index.WriteAt(j.unindexed.appendTo(nil), int64(j.indexed+1)*rowSize); err != nil {
		return nil // the rows stay in memory
	}
	j.syncIndex()
	j.indexed, j.unindexed, j.block = j.last, rowList{}, nil
	return nil
}

// HasIndex reports whether there is an index of this journal that is whole, as
// far as was read.
func (j *Journal) HasIndex() bool { return j.index != nil }

// WriteIndex makes a new index, of a journal that has none, of the rows in
// memory. A failure is no error, since the journal has all of it. A journal that has
// few of many transactions gets none: to read it without costs less.
func (j *Journal) WriteIndex() {
	if !worthIndexing(j.last, j.end) {
		_ = j.dir.Remove(IndexName) // of another journal
		return
	}
	if err := storage.Replace(j.dir, IndexName, j.indexContent(), j.durable); err != nil {
		return
	}
	var err error
	if j.index, err = j.dir.Open(IndexName, true); err != nil {
		j.index = nil
		return
	}
	j.indexed, j.unindexed = j.last, rowList{}
}

func (j *Journal) indexContent() []byte { return j.unindexed.appendTo(indexHeader(j.header)) }

// NewIndex returns the index of a journal that [Scan] has opened, or nil where it
// needs none.
func (j *Journal) NewIndex() []byte {
	if j.header.ID == "" || !worthIndexing(j.last, j.end) {
		return nil
	}
	return j.indexContent()
}
