package journal

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"time"
)

// Summary is what the index keeps of a record, so that a filtered log need not
// read the records that it does not list.
type Summary struct {
	Time      int64  // Unix time in nanoseconds
	Op, Actor uint64 // the first 8 bytes of their SHA-256
}

// NewSummary makes the summary of a record with that time, op and actor.
func NewSummary(t time.Time, op, actor string) Summary {
	return Summary{Time: unixNano(t), Op: digest(op), Actor: digest(actor)}
}

// unixNano is a time's Unix time in nanoseconds, or the nearest that there is: it
// reaches from 1678 to 2262.
func unixNano(t time.Time) int64 {
	switch {
	case t.Before(time.Unix(0, math.MinInt64)):
		return math.MinInt64
	case t.After(time.Unix(0, math.MaxInt64)):
		return math.MaxInt64
	}
	return t.UnixNano()
}

func digest(text string) uint64 {
	sum := sha256.Sum256([]byte(text))
	return binary.LittleEndian.Uint64(sum[:])
}
