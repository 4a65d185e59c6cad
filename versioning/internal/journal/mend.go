package journal

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/chemigram/chemigram/versioning/internal/storage"
)

// reverse finds by the highest byte of an entry of the checksum's table which
// entry it is: the highest bytes are all different.
var reverse = func() (of [256]byte) {
	for i, entry := range castagnoli {
		of[entry>>24] = byte(i)
	}
	return of
}()

// A correction is a byte to change: where, and by which bits.
type correction struct {
	at   int
	bits byte
}

// corrections returns every change of one byte after which n bytes have the
// checksum want, when they have the checksum have now.
func corrections(n int, have, want uint32) (all []correction) {
	// The checksums of two texts that differ in one byte differ by what that
	// byte alone makes of a register of zeros, whatever the texts are. Going
	// back over the bytes behind it leads to the byte.
	register := have ^ want
	for at := n - 1; at >= 0; at-- {
		i := reverse[register>>24]
		if register = (register^castagnoli[i])<<8 | uint32(i); register < 256 {
			all = append(all, correction{at, byte(register)})
		}
	}
	return all
}

// mendFrame finds the frame that b began with before one of its bytes was
// changed. It is not ok when no frame fits, or more than one. That it was this
// frame and not another is likely, not sure: more than one byte may be wrong.
func mendFrame(b []byte) (f frame, content []byte, ok bool) {
	if len(b) < frameHeaderSize {
		return frame{}, nil, false
	}
	if _, n, ok := decodeFrameHeader(b); ok {
		if n > len(b) {
			return frame{}, nil, false
		}
		return mendPayload(b[:n])
	}
	have, want := checksum(b[:20]), binary.LittleEndian.Uint32(b[20:])
	// At the end: the checksum itself is wrong.
	head := append(corrections(20, have, want), correction{at: -1})
	for _, c := range head {
		fixed := append([]byte(nil), b[:frameHeaderSize]...)
		if c.at >= 0 {
			fixed[c.at] ^= c.bits
		} else {
			binary.LittleEndian.PutUint32(fixed[20:], have)
		}
		_, n, whole := decodeFrameHeader(fixed)
		if !whole || n > len(b) {
			continue
		}
		content := slices.Concat(fixed, b[frameHeaderSize:n])
		if f, ok := decodeFrame(content); ok {
			return f, content, true
		}
	}
	return frame{}, nil, false
}

// mendPayload is mendFrame for a frame whose first bytes are whole.
func mendPayload(b []byte) (f frame, content []byte, ok bool) {
	payload := b[frameHeaderSize:]
	all := corrections(len(payload), checksum(payload), binary.LittleEndian.Uint32(b[16:]))
	for _, single := range []bool{true, false} { // one bit is likelier than several
		var fits []correction
		for _, c := range all {
			if (bits.OnesCount8(c.bits) == 1) == single {
				fits = append(fits, c)
			}
		}
		if len(fits) != 1 {
			continue
		}
		content = append([]byte(nil), b...)
		content[frameHeaderSize+fits[0].at] ^= fits[0].bits
		if f, ok := decodeFrame(content); ok {
			return f, content, true
		}
	}
	return frame{}, nil, false
}

// differingBits counts the bits in which two texts differ. Those of different lengths
// have all that one has more.
func differingBits(a, b []byte) (n int) {
	if len(a) > len(b) {
		a, b = b, a
	}
	for i, c := range a {
		n += bits.OnesCount8(c ^ b[i])
	}
	return n + 8*(len(b)-len(a))
}

// IsDamaged reports whether a transaction is damaged or missing that [Journal.Mend]
// might find.
func (j *Journal) IsDamaged() bool {
	if j.last == 0 {
		return true
	}
	for seq := uint64(1); seq <= j.last; seq++ {
		if r, err := j.Row(seq); err != nil || r.Has(IsDamaged) || seq == 1 && r.Has(IsGone) {
			return true
		}
	}
	return false
}

// Mend looks again for the transactions of a journal that [Scan] has opened, and
// finds those too that differ in one byte from what was written, and the first
// one, of which first is a copy, or nil. Whether it found what was written, the
// caller has to find out (see [Journal.Mended]). A transaction behind the last
// whole one that more than one bit changes back may be what a writer that died has left,
// and is not mended.
func (j *Journal) Mend(first []byte) error {
	size := j.end + j.torn
	*j = Journal{dir: j.dir, file: j.file, header: j.header, end: headerSize, mended: map[uint64][]byte{}, first: first}
	if size > headerSize {
		if err := j.readTail(size); err != nil {
			return err
		}
	}
	if j.last == 0 && first != nil {
		j.addMended(first, min(len(first), int(size-headerSize)))
	}
	j.torn = max(0, size-j.end)
	return nil
}

// Mended reports whether a transaction was damaged or missing, and is read as
// [Journal.Mend] found it.
func (j *Journal) Mended(seq uint64) bool { return j.mended[seq] != nil }

// mendBefore finds transactions in the bytes between the last one and a frame
// that is whole, if Mend was called.
func (j *Journal) mendBefore(next frame) error {
	if j.mended == nil || next.seq == j.last+1 {
		return nil
	}
	b, err := storage.ReadRange(j.file, j.end, next.offset-j.end)
	if err != nil {
		return FileError(Name, err)
	}
	if j.last == 0 && j.first != nil {
		length := len(j.first)
		if length > len(b) {
			length = 0 // it is not there at all
		}
		j.addMended(j.first, length)
		b = b[length:]
	}
	for len(b) > 0 {
		f, content, ok := mendFrame(b)
		if !ok || f.seq <= j.last || f.seq >= next.seq {
			break
		}
		j.addMissing(frame{seq: f.seq, offset: j.end})
		j.addMended(content, len(content))
		b = b[len(content):]
	}
	return nil
}

// addMended adds the transaction of a frame that stands for length bytes of the
// journal.
func (j *Journal) addMended(content []byte, length int) {
	f, _ := decodeFrame(content)
	f.offset, f.length = j.end, length
	t, err := decodeTransaction(f.payload)
	if err != nil {
		j.addRow(f.seq, Row{Offset: j.end, Length: length, Flags: IsDamaged, Checkpoint: j.lastCheckpoint()})
		return
	}
	j.mended[f.seq] = content
	j.addRow(f.seq, j.deriveRow(f, t))
}

// MaxFirst is the size in bytes of the longest journal of one transaction.
const MaxFirst = headerSize + frameHeaderSize + maxPayload

// FirstTransaction returns the frame of the first transaction from the content
// of a file that begins as a journal does, or nil when it is damaged. It is
// intact when the file is nothing else.
func FirstTransaction(content []byte) (frame []byte, intact bool) {
	if len(content) < headerSize {
		return nil, false
	}
	f, ok := decodeFrame(content[headerSize:])
	if !ok || f.seq != 1 {
		return nil, false
	}
	_, err := decodeHeader(content[:headerSize])
	return content[headerSize : headerSize+f.length], err == nil && len(content) == headerSize+f.length
}

// First returns a journal of the first transaction alone.
func (j *Journal) First() ([]byte, error) {
	r, err := j.Row(1)
	if err != nil {
		return nil, err
	}
	if _, err := j.Transaction(1); err != nil {
		return nil, err
	}
	content, err := j.frameOf(1, r)
	return append(j.header.encode(), content...), err
}

// frameOf returns the frame of a transaction that can be read.
func (j *Journal) frameOf(seq uint64, r Row) ([]byte, error) {
	if content := j.mended[seq]; content != nil {
		return content, nil
	}
	return storage.ReadRange(j.file, r.Offset, int64(r.Length))
}
