package journal

import (
	"encoding/binary"
	"hash/crc32"
)

const (
	frameMagic      = "CgT1"
	frameHeaderSize = 24
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
