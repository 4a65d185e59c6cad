// Package swar looks at eight bytes at a time (SIMD within a register): almost
// all of a sidecar is long runs of plain ASCII.
package swar

// A word with the lowest, and one with the highest, bit of each byte set.
const (
	Ones  = 0x0101010101010101
	Highs = 0x8080808080808080
)

// Load returns the first eight bytes of s as a word.
func Load(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// AnyBelow reports whether any byte of w is less than n, which is at most 0x80.
func AnyBelow(w uint64, n byte) bool { return (w-Ones*uint64(n))&^w&Highs != 0 }
