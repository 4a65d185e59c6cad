package versioning

import (
	"crypto/sha256"
	"encoding/hex"
)

// Hash is a SHA-256: of a state's bytes, or of a record's.
type Hash [sha256.Size]byte

// HashOf returns the hash that names a state.
func HashOf(state []byte) Hash { return sha256.Sum256(state) }

// ParseHash reads 64 lower-case hex digits.
func ParseHash(s string) (Hash, error) {
	var h Hash
	err := h.UnmarshalText([]byte(s))
	return h, err
}

// String returns 64 lower-case hex digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// IsZero reports whether h is the zero Hash, which means none.
func (h Hash) IsZero() bool { return h == Hash{} }

// MarshalText is String, for JSON.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText is ParseHash, for JSON.
func (h *Hash) UnmarshalText(text []byte) error {
	if len(text) != hex.EncodedLen(len(h)) || !isHex(string(text)) {
		return fail("ParseHash", Invalid, string(text), "a hash has 64 lower-case hex digits")
	}
	_, err := hex.Decode(h[:], text)
	return err
}

// isHex reports whether s has nothing but lower-case hex digits.
func isHex(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
