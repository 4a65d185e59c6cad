package versioning

import (
	"encoding/binary"
	"hash/crc32"
	"testing"

	"github.com/chemigram/chemigram/versioning/internal/storage"
)

// Sizes in bytes, of FORMAT.md.
const (
	headerSize      = 256
	frameHeaderSize = 24
	rowSize         = 144
)

func crc32c(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// frame makes a frame by FORMAT.md, whatever its payload is.
func frame(seq uint64, payload []byte) []byte {
	b := []byte("CgT1")
	b = binary.LittleEndian.AppendUint32(b, uint32(len(payload)))
	b = binary.LittleEndian.AppendUint64(b, seq)
	b = binary.LittleEndian.AppendUint32(b, crc32c(payload))
	b = binary.LittleEndian.AppendUint32(b, crc32c(b))
	return append(b, payload...)
}

// content reads a file of a folder.
func content(t testing.TB, dir storage.Folder, name string) []byte {
	t.Helper()
	b, err := storage.ReadFile(dir, name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// change changes a file.
func change(t testing.TB, m *storage.Memory, name string, to func([]byte) []byte) {
	t.Helper()
	m.Put(name, to(content(t, m, name)))
}

// flip changes bits of a byte of a file.
func flip(t testing.TB, m *storage.Memory, name string, at int64, bits byte) {
	t.Helper()
	change(t, m, name, func(b []byte) []byte { b[at] ^= bits; return b })
}
