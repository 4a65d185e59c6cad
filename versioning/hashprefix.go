package versioning

import "bytes"

// hashPrefix is the beginning of a hash.
type hashPrefix struct {
	whole []byte
	half  int // the upper half of the byte after them, or -1
}

// parsePrefix reads hex digits.
func parsePrefix(digits string) hashPrefix {
	p := hashPrefix{half: -1}
	for ; len(digits) >= 2; digits = digits[2:] {
		p.whole = append(p.whole, hexDigit(digits[0])<<4|hexDigit(digits[1]))
	}
	if digits != "" {
		p.half = int(hexDigit(digits[0]))
	}
	return p
}

func hexDigit(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c - 'a' + 10
}

// matches reports whether h begins with p. It takes a pointer as it is asked of
// every row of an index.
func (p hashPrefix) matches(h *[32]byte) bool {
	return bytes.HasPrefix(h[:], p.whole) && (p.half < 0 || int(h[len(p.whole)]>>4) == p.half)
}
