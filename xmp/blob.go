package xmp

import (
	"bytes"
	"encoding/hex"

	"github.com/chemigram/chemigram/xmp/internal/rdf"
	"github.com/chemigram/chemigram/xmp/internal/swar"
)

// blob is a parameter blob: hex, or "gz", two digits and base64 of a zlib
// stream. Hex is decoded when its bytes are needed; gz is inflated by Parse, so
// that its cost is bounded there. What is neither is kept as it stands.
type blob struct {
	text string // lower-case hex, gz, or as it stood when err is set
	data []byte // inflated, when text is gz
	err  error
}

// hexBlob makes the blob of bytes.
func hexBlob(data []byte) blob { return blob{text: hex.EncodeToString(data)} }

// bytes returns what the blob holds; not to be written to.
func (b *blob) bytes() ([]byte, error) {
	if b.err != nil || b.data != nil || b.text == "" {
		return b.data, b.err
	}
	data, err := hex.DecodeString(b.text)
	if err != nil {
		return nil, &Error{Kind: BadBlob, Message: "hex", Err: err}
	}
	return data, nil
}

// equals reports whether the blob decodes to data.
func (b *blob) equals(data []byte) bool {
	switch {
	case b.err != nil:
		return false
	case b.data != nil:
		return bytes.Equal(b.data, data)
	}
	return len(b.text) == 2*len(data) && b.text == hex.EncodeToString(data)
}

// appendHex writes the blob in the canonical way.
func (b *blob) appendHex(dst []byte) []byte {
	if b.data != nil {
		return hex.AppendEncode(dst, b.data)
	}
	if b.err != nil {
		return rdf.AppendAttr(dst, b.text)
	}
	return append(dst, b.text...)
}

// appendFile writes the blob as darktable does: hex up to 100 bytes, gz above.
func (b *blob) appendFile(dst []byte) []byte {
	const most = 100
	switch {
	case b.err != nil:
		return rdf.AppendAttr(dst, b.text)
	case b.data != nil && len(b.data) <= most:
		return hex.AppendEncode(dst, b.data)
	case b.data == nil && len(b.text) > 2*most:
		data, err := b.bytes()
		if err == nil {
			return appendDeflated(dst, data)
		}
	}
	return append(dst, b.text...)
}

// isLowerHex reports whether s is an even number of lower-case hex digits.
func isLowerHex(s string) bool {
	if len(s)%2 != 0 {
		return false
	}
	for len(s) >= 32 {
		if hexDigits(swar.Load(s))&hexDigits(swar.Load(s[8:]))&hexDigits(swar.Load(s[16:]))&hexDigits(swar.Load(s[24:])) != swar.Highs {
			return false
		}
		s = s[32:]
	}
	for len(s) >= 8 {
		if hexDigits(swar.Load(s)) != swar.Highs {
			return false
		}
		s = s[8:]
	}
	for i := range len(s) {
		if c := s[i]; !isDigit(c) && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// hexDigits sets the high bit of each of eight bytes that is a lower-case hex
// digit. Adding 0x80-n to a byte below 0x80 sets its high bit when it is n or
// more, without a carry.
func hexDigits(w uint64) uint64 {
	low := w &^ swar.Highs
	digits := (low + swar.Ones*(0x80-'0')) &^ (low + swar.Ones*(0x80-'9'-1))
	letters := (low + swar.Ones*(0x80-'a')) &^ (low + swar.Ones*(0x80-'f'-1))
	return (digits | letters) &^ w & swar.Highs
}
