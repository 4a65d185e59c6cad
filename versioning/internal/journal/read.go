package journal

import (
	"bytes"
	"fmt"
	"iter"
)

// Transaction reads a transaction.
func (j *Journal) Transaction(seq uint64) (Transaction, error) {
	return j.read(seq, decodeTransaction)
}

func (j *Journal) read(seq uint64, decode func([]byte) (Transaction, error)) (Transaction, error) {
	r, err := j.Row(seq)
	if err != nil {
		return Transaction{}, err
	}
	if r.Has(IsGone) {
		return Transaction{}, &Error{Kind: Missing, File: Name, Message: fmt.Sprintf("transaction %d was taken out, by Prune or Repair", seq)}
	}
	damaged := corrupt("transaction %d at byte %d is damaged; Verify says what is lost", seq, r.Offset)
	if r.Has(IsDamaged) {
		return Transaction{}, damaged
	}
	b, err := j.frameOf(seq, r)
	if err != nil {
		return Transaction{}, damaged
	}
	f, ok := decodeFrame(b)
	if !ok || f.seq != seq || f.length != len(b) {
		return Transaction{}, damaged
	}
	t, err := decode(f.payload)
	if err != nil {
		damaged.Err = err
		return Transaction{}, damaged
	}
	return t, nil
}

// Mark tells a transaction from any other of its number, as in another copy of the
// journal that went another way: it is the head of its frame, with its checksums.
type Mark [frameHeaderSize]byte

// Mark returns the mark of a transaction.
func (j *Journal) Mark(seq uint64) (m Mark, err error) {
	r, err := j.Row(seq)
	if err == nil {
		_, err = j.file.ReadAt(m[:], r.Offset)
	}
	return m, FileError(Name, err)
}

// Transactions reads the transactions from one on to the last. It ends at the first
// that is damaged or was taken out.
func (j *Journal) Transactions(from uint64) iter.Seq2[Transaction, error] {
	return func(yield func(Transaction, error) bool) {
		first, err := j.Row(from)
		if err != nil {
			yield(Transaction{}, err)
			return
		}
		r, at := frameReader{file: j.file, end: j.end}, first.Offset
		for seq := from; seq <= j.last; seq++ {
			f, ok, err := r.frame(at)
			if err != nil {
				yield(Transaction{}, corrupt("the transactions from %d on cannot be read: %v", seq, err))
				return
			}
			if !ok || f.seq != seq {
				yield(Transaction{}, corrupt("transaction %d is damaged, and it may have moved a ref; Verify says what is lost, and Repair restores the refs", seq))
				return
			}
			// What the transaction has is kept, and the frame is not.
			t, err := decodeTransaction(bytes.Clone(f.payload))
			if err != nil {
				yield(Transaction{}, &Error{Kind: Corrupt, File: Name, Err: err})
				return
			}
			if !yield(t, nil) {
				return
			}
			at += int64(f.length)
		}
	}
}
