package journal

import (
	"bytes"

	"github.com/chemigram/chemigram/versioning/internal/storage"
)

// dropIndex goes on without the index.
func (j *Journal) dropIndex() error {
	err := j.index.Close()
	j.index, j.indexed, j.block = nil, 0, nil
	return FileError(IndexName, err)
}

// checkRows leaves out the rows from the first damaged one on that may have
// been lost in a power cut: the index is synced before a checkpoint is written,
// so these are the rows since the newest one. It returns the last row that is
// left. What was left out is found in the journal.
func (j *Journal) checkRows() (tail Row) {
	for seq := j.indexed; seq > 0; seq-- {
		r, ok := j.indexRow(seq)
		if !ok {
			j.indexed, tail = seq-1, Row{}
			continue
		}
		if seq == j.indexed {
			tail = r
		}
		if seq <= tail.Checkpoint {
			break
		}
	}
	return tail
}

// indexRow reads a row of the index.
func (j *Journal) indexRow(seq uint64) (Row, bool) {
	const many = 64
	if seq < j.blockFirst || seq >= j.blockFirst+uint64(len(j.block)/rowSize) {
		// Rows are mostly asked for from the newest to the oldest.
		first := max(seq, many) - many + 1
		b, err := storage.ReadRange(j.index, int64(first)*rowSize, int64(seq-first+1)*rowSize)
		if err != nil {
			return Row{}, false
		}
		j.block, j.blockFirst = b, first
	}
	at := (seq - j.blockFirst) * rowSize
	return decodeRow(j.block[at : at+rowSize])
}

// Row returns the row of a transaction.
func (j *Journal) Row(seq uint64) (Row, error) {
	if seq == 0 || seq > j.last {
		return Row{}, corrupt("it refers to transaction %d, which is not there", seq)
	}
	if seq > j.indexed {
		return *j.unindexed.at(seq), nil
	}
	if r, ok := j.indexRow(seq); ok {
		return r, nil
	}
	// The index is damaged. The journal has everything that it had.
	if err := j.dropIndex(); err != nil {
		return Row{}, err
	}
	size := j.end
	j.unindexed, j.last, j.end = rowList{}, 0, headerSize
	if err := j.readTail(size); err != nil {
		return Row{}, err
	}
	if seq > j.last {
		return Row{}, corrupt("transaction %d is damaged", seq)
	}
	return *j.unindexed.at(seq), nil
}

// SetSummary completes the row of a transaction that the index does not list yet,
// for when the index is written.
func (j *Journal) SetSummary(seq uint64, s Summary) {
	if seq > j.indexed && seq <= j.last {
		r := j.unindexed.at(seq)
		*r = r.withSummary(s)
	}
}

// CheckIndex compares the content of an index with the journal, which [Scan]
// has opened; summaries are those of the records that can be read. It reports
// whether they agree, and where the frames end that the index lists beyond those
// that are there, or 0.
func (j *Journal) CheckIndex(index []byte, summaries map[uint64]Summary) (agree bool, published int64) {
	if len(index) == 0 {
		return true, 0
	}
	if len(index) < rowSize || j.header.ID == "" || !bytes.Equal(index[:rowSize], indexHeader(j.header)) {
		return false, 0
	}
	agree = true
	for seq := uint64(1); (seq+1)*rowSize <= uint64(len(index)); seq++ {
		r, ok := decodeRow(index[seq*rowSize : (seq+1)*rowSize])
		if ok && seq > j.last {
			published = max(published, r.End())
		} else if !ok || !j.agrees(r, seq, summaries) {
			agree = false
		}
	}
	return agree, published
}

// Listed returns the row that the content of an index has of a transaction. With
// a damaged header nobody knows whether it is the index of this journal.
func (j *Journal) Listed(index []byte, seq uint64) (r Row, ok bool) {
	at := seq * rowSize
	if uint64(len(index)) < at+rowSize || j.header.ID != "" && !bytes.Equal(index[:rowSize], indexHeader(j.header)) {
		return Row{}, false
	}
	return decodeRow(index[at : at+rowSize])
}

// agrees reports whether a row of the index is the one of the journal.
func (j *Journal) agrees(r Row, seq uint64, summaries map[uint64]Summary) bool {
	have := *j.unindexed.at(seq)
	if have.Has(IsDamaged) {
		return true
	}
	summary, known := summaries[seq]
	return r.withoutSummary() == have.withoutSummary() && (!r.Has(HasSummary) || !known || r.Summary == summary)
}
