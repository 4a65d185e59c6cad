package versioning

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

const (
	formatVersion = 1
	headerSize    = 256
)

// header is the first line of a journal.
type header struct {
	Format  int       `json:"chemigram_history"`
	ID      string    `json:"id"` // 32 hex digits
	Created time.Time `json:"created"`
}

func newHeader(now time.Time) header {
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails
	return header{Format: formatVersion, ID: hex.EncodeToString(id[:]), Created: now.UTC().Truncate(time.Second)}
}

func (h header) encode() []byte {
	line, err := json.Marshal(h)
	if err != nil {
		panic(err) // a number and two strings
	}
	b := slices.Concat(line, bytes.Repeat([]byte{' '}, headerSize-9-len(line)))
	return fmt.Appendf(b, "%08x\n", checksum(b))
}

func decodeHeader(b []byte) (header, error) {
	var h header
	corrupt := fail("", Corrupt, journalName, "its first line is damaged; Verify can repair it")
	if len(b) != headerSize {
		return h, corrupt
	}
	// Intact means: byte for byte what encode writes.
	if string(b[headerSize-9:]) != fmt.Sprintf("%08x\n", checksum(b[:headerSize-9])) {
		return h, corrupt
	}
	if json.Unmarshal(b[:headerSize-9], &h) != nil || len(h.ID) != 32 || !isHex(h.ID) {
		return h, corrupt
	}
	if h.Format > formatVersion {
		return h, fail("", TooNew, journalName,
			"it has format %d and this program knows formats up to %d; use a newer program", h.Format, formatVersion)
	}
	return h, nil
}
