package journal

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
	// headerSum is the length of the checksum and the newline that end a header.
	headerSum = 9
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
	b := slices.Concat(line, bytes.Repeat([]byte{' '}, headerSize-headerSum-len(line)))
	return fmt.Appendf(b, "%08x\n", checksum(b))
}

func decodeHeader(b []byte) (header, error) {
	damaged := corrupt("its first line is damaged; Verify can repair it")
	if len(b) != headerSize {
		return header{}, damaged
	}
	text, sum := b[:headerSize-headerSum], b[headerSize-headerSum:]
	// Intact means: byte for byte what encode writes.
	if string(sum) != fmt.Sprintf("%08x\n", checksum(text)) {
		return header{}, damaged
	}
	var h header
	if json.Unmarshal(text, &h) != nil || !isID(h.ID) {
		return header{}, damaged
	}
	if h.Format > formatVersion {
		return header{}, &Error{Kind: TooNew, File: Name, Message: fmt.Sprintf(
			"it has format %d and this program knows formats up to %d; use a newer program", h.Format, formatVersion)}
	}
	return h, nil
}

// isID reports whether s is 32 lower-case hex digits.
func isID(s string) bool {
	id, err := hex.DecodeString(s)
	return err == nil && len(id) == 16 && hex.EncodeToString(id) == s
}
