package journal

import (
	"encoding/binary"
	"encoding/hex"
)

const (
	rowSize    = 144
	indexMagic = "CgI2"
)

// Flags are facts about a transaction.
type Flags uint32

// The flags of a row.
const (
	HasRecord Flags = 1 << iota
	HasState
	HasCheckpoint
	IsDamaged  // its bytes are not a transaction
	IsGone     // Prune or Repair took it out
	HasSummary // Row.Summary is known
)

// Row is what the index knows of a transaction.
type Row struct {
	Offset     int64 // of its frame in the journal
	Length     int
	Flags      Flags
	ID         Hash      // of the record
	State      Hash      // of the record's state
	StateSeq   uint64    // the transaction that holds the state
	Parents    [2]uint64 // of the record; 0 is none
	Checkpoint uint64    // the newest transaction up to this one that has one
	Ancestors  uint32    // how many the record has, itself included
	Summary    Summary
}

// withSummary returns the row of a record of which that is known.
func (r Row) withSummary(s Summary) Row {
	r.Summary, r.Flags = s, r.Flags|HasSummary
	return r
}

// withoutSummary returns the row as it is derived from the journal's frames
// without unpacking a text.
func (r Row) withoutSummary() Row {
	r.Summary, r.Flags = Summary{}, r.Flags&^HasSummary
	return r
}

// End is the offset behind the frame.
func (r Row) End() int64 { return r.Offset + int64(r.Length) }

// Has reports whether the row has one of the flags.
func (r Row) Has(flags Flags) bool { return r.Flags&flags != 0 }

func (r Row) append(b []byte) []byte {
	start := len(b)
	le := binary.LittleEndian
	b = le.AppendUint64(b, uint64(r.Offset))
	b = le.AppendUint32(b, uint32(r.Length))
	b = le.AppendUint32(b, uint32(r.Flags))
	b = append(b, r.ID[:]...)
	b = append(b, r.State[:]...)
	b = le.AppendUint64(b, r.StateSeq)
	b = le.AppendUint64(b, r.Parents[0])
	b = le.AppendUint64(b, r.Parents[1])
	b = le.AppendUint64(b, r.Checkpoint)
	b = le.AppendUint32(b, r.Ancestors)
	b = le.AppendUint64(b, uint64(r.Summary.Time))
	b = le.AppendUint64(b, r.Summary.Op)
	b = le.AppendUint64(b, r.Summary.Actor)
	return le.AppendUint32(b, checksum(b[start:]))
}

// decodeRow reads a row; a damaged one is not ok.
func decodeRow(b []byte) (r Row, ok bool) {
	le := binary.LittleEndian
	if len(b) != rowSize || le.Uint32(b[rowSize-4:]) != checksum(b[:rowSize-4]) {
		return Row{}, false
	}
	r = Row{
		Offset: int64(le.Uint64(b)), Length: int(le.Uint32(b[8:])), Flags: Flags(le.Uint32(b[12:])),
		ID: Hash(b[16:48]), State: Hash(b[48:80]), StateSeq: le.Uint64(b[80:]),
		Parents:    [2]uint64{le.Uint64(b[88:]), le.Uint64(b[96:])},
		Checkpoint: le.Uint64(b[104:]), Ancestors: le.Uint32(b[112:]),
		Summary: Summary{int64(le.Uint64(b[116:])), le.Uint64(b[124:]), le.Uint64(b[132:])},
	}
	return r, r.Length > 0 || r.Has(IsDamaged|IsGone)
}

// indexHeader is row 0 of the index of a journal.
func indexHeader(journal header) []byte {
	id, err := hex.DecodeString(journal.ID)
	if err != nil {
		panic(err) // decodeHeader checked it
	}
	b := make([]byte, rowSize-4)
	copy(b, indexMagic)
	copy(b[4:], id)
	return binary.LittleEndian.AppendUint32(b, checksum(b))
}
