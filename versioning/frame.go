package versioning

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"iter"
)

const (
	frameMagic  = "CgT1"
	frameHeader = 24
	// maxFrame is above what any transaction takes; a greater length is damage.
	maxFrame = maxText + 16<<20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// encodeFrame wraps a transaction's payload.
func encodeFrame(seq uint64, payload []byte) []byte {
	b := make([]byte, 0, frameHeader+len(payload))
	b = append(b, frameMagic...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(payload)))
	b = binary.LittleEndian.AppendUint64(b, seq)
	b = binary.LittleEndian.AppendUint32(b, checksum(payload))
	b = binary.LittleEndian.AppendUint32(b, checksum(b))
	return append(b, payload...)
}

// decodeFrame checks a frame that b begins with, and gives its payload and its
// whole length.
func decodeFrame(b []byte) (seq uint64, payload []byte, length int, ok bool) {
	seq, n, ok := decodeFrameHeader(b)
	if !ok || n > len(b) {
		return 0, nil, 0, false
	}
	payload = b[frameHeader:n:n]
	if checksum(payload) != binary.LittleEndian.Uint32(b[16:]) {
		return 0, nil, 0, false
	}
	return seq, payload, n, true
}

func decodeFrameHeader(b []byte) (seq uint64, length int, ok bool) {
	if len(b) < frameHeader || string(b[:4]) != frameMagic || checksum(b[:20]) != binary.LittleEndian.Uint32(b[20:]) {
		return 0, 0, false
	}
	n := binary.LittleEndian.Uint32(b[4:])
	return binary.LittleEndian.Uint64(b[8:]), frameHeader + int(n), n <= maxFrame
}

// found is a frame that scan came upon.
type found struct {
	offset  int64
	length  int
	seq     uint64
	payload []byte
}

// scan gives the whole frames of a journal's bytes; offset is where the bytes
// begin in the journal. It leaps over damage, to the next place where a whole
// frame begins.
func scan(b []byte, offset int64) iter.Seq[found] {
	return func(yield func(found) bool) {
		for at := 0; at < len(b); {
			seq, payload, n, ok := decodeFrame(b[at:])
			if ok {
				if !yield(found{offset + int64(at), n, seq, payload}) {
					return
				}
				at += n
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

// readRange reads n bytes of a file at an offset; fewer is an error.
func readRange(f file, offset, n int64) ([]byte, error) {
	b := make([]byte, n)
	if got, err := f.ReadAt(b, offset); int64(got) < n {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return b, nil
}
