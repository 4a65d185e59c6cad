package versioning

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"time"
)

const (
	rowSize    = 144
	indexMagic = "CgI2"
)

// The flags of a row.
const (
	hasRecord = 1 << iota
	hasState
	hasCheckpoint
	isDamaged // its bytes are not a transaction
	isGone    // it was taken out, by Prune or Repair
	hasAbout  // what the record's filters ask for is in the row
)

// row is what the index knows of a transaction.
type row struct {
	offset     int64
	length     int
	flags      uint32
	id         Hash
	state      Hash
	stateSeq   uint64
	parents    [2]uint64
	checkpoint uint64
	ancestors  uint32
	about      about
}

// about is what Log filters by, of one record.
type about struct {
	time      int64 // Unix time in nanoseconds
	op, actor uint64
}

func aboutOf(r Record) about {
	return about{time: nanos(r.Time), op: digest(r.Op), actor: digest(r.Actor)}
}

// nanos is a time's Unix time in nanoseconds, or the nearest that there is: it
// reaches from 1678 to 2262.
func nanos(t time.Time) int64 {
	switch {
	case t.Before(time.Unix(0, math.MinInt64)):
		return math.MinInt64
	case t.After(time.Unix(0, math.MaxInt64)):
		return math.MaxInt64
	}
	return t.UnixNano()
}

// digest stands for a text in a row: the first 8 bytes of its SHA-256.
func digest(text string) uint64 {
	sum := sha256.Sum256([]byte(text))
	return binary.LittleEndian.Uint64(sum[:])
}

// withAbout gives the row of a record that is known.
func (r row) withAbout(a about) row {
	r.about, r.flags = a, r.flags|hasAbout
	return r
}

// bare gives the row as the journal alone tells it.
func (r row) bare() row {
	r.about, r.flags = about{}, r.flags&^hasAbout
	return r
}

func (r row) end() int64 { return r.offset + int64(r.length) }

// has tells whether the row has one of the flags.
func (r row) has(flags uint32) bool { return r.flags&flags != 0 }

func (r row) append(b []byte) []byte {
	start := len(b)
	le := binary.LittleEndian
	b = le.AppendUint64(b, uint64(r.offset))
	b = le.AppendUint32(b, uint32(r.length))
	b = le.AppendUint32(b, r.flags)
	b = append(b, r.id[:]...)
	b = append(b, r.state[:]...)
	b = le.AppendUint64(b, r.stateSeq)
	b = le.AppendUint64(b, r.parents[0])
	b = le.AppendUint64(b, r.parents[1])
	b = le.AppendUint64(b, r.checkpoint)
	b = le.AppendUint32(b, r.ancestors)
	b = le.AppendUint64(b, uint64(r.about.time))
	b = le.AppendUint64(b, r.about.op)
	b = le.AppendUint64(b, r.about.actor)
	return le.AppendUint32(b, checksum(b[start:]))
}

// decodeRow reads a row; a damaged one is not ok.
func decodeRow(b []byte) (r row, ok bool) {
	le := binary.LittleEndian
	if len(b) != rowSize || le.Uint32(b[rowSize-4:]) != checksum(b[:rowSize-4]) {
		return row{}, false
	}
	r = row{
		offset: int64(le.Uint64(b)), length: int(le.Uint32(b[8:])), flags: le.Uint32(b[12:]),
		id: Hash(b[16:48]), state: Hash(b[48:80]), stateSeq: le.Uint64(b[80:]),
		parents:    [2]uint64{le.Uint64(b[88:]), le.Uint64(b[96:])},
		checkpoint: le.Uint64(b[104:]), ancestors: le.Uint32(b[112:]),
		about: about{int64(le.Uint64(b[116:])), le.Uint64(b[124:]), le.Uint64(b[132:])},
	}
	return r, r.length > 0 || r.has(isDamaged|isGone)
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
