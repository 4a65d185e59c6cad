package journal

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"iter"
)

const (
	frameMagic      = "CgT1"
	frameHeaderSize = 24
	// maxPayload is above what any transaction takes; a greater length is damage.
	maxPayload = MaxText + 16<<20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// encodeFrame wraps a transaction's payload.
func encodeFrame(seq uint64, payload []byte) []byte {
	b := make([]byte, 0, frameHeaderSize+len(payload))
	b = append(b, frameMagic...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(payload)))
	b = binary.LittleEndian.AppendUint64(b, seq)
	b = binary.LittleEndian.AppendUint32(b, checksum(payload))
	b = binary.LittleEndian.AppendUint32(b, checksum(b))
	return append(b, payload...)
}

// frame is a whole frame at its place in the journal.
type frame struct {
	offset  int64
	length  int
	seq     uint64
	payload []byte
}

// decodeFrame checks the frame that b begins with.
func decodeFrame(b []byte) (f frame, ok bool) {
	seq, n, ok := decodeFrameHeader(b)
	if !ok || n > len(b) {
		return frame{}, false
	}
	payload := b[frameHeaderSize:n:n]
	if checksum(payload) != binary.LittleEndian.Uint32(b[16:]) {
		return frame{}, false
	}
	return frame{length: n, seq: seq, payload: payload}, true
}

func decodeFrameHeader(b []byte) (seq uint64, length int, ok bool) {
	if len(b) < frameHeaderSize || string(b[:4]) != frameMagic || checksum(b[:20]) != binary.LittleEndian.Uint32(b[20:]) {
		return 0, 0, false
	}
	n := binary.LittleEndian.Uint32(b[4:])
	return binary.LittleEndian.Uint64(b[8:]), frameHeaderSize + int(n), n <= maxPayload
}

// scan returns the whole frames of a journal's bytes; offset is where the bytes
// begin in the journal. It skips damage, to the next place where a whole frame
// begins.
func scan(b []byte, offset int64) iter.Seq[frame] {
	return func(yield func(frame) bool) {
		for at := 0; at < len(b); {
			if f, ok := decodeFrame(b[at:]); ok {
				f.offset = offset + int64(at)
				if !yield(f) {
					return
				}
				at += f.length
				continue
			}
			next := bytes.Index(b[at+1:], []byte(frameMagic))
			if next < 0 {
				return
			}
			at += 1 + next
		}
	}
}

// IntactLength returns how many bytes of a journal's content are its header,
// which is not checked, and whole frames one after another.
func IntactLength(content []byte) int64 {
	end := int64(headerSize)
	if len(content) < headerSize {
		return end
	}
	for f := range scan(content[headerSize:], headerSize) {
		if f.offset != end {
			break
		}
		end += int64(f.length)
	}
	return end
}
