package xmp

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// decodeText gives the document as UTF-8 without byte order mark and without
// XML declaration, and the number of lines that the declaration took.
func decodeText(data []byte) (text string, lines int, err error) {
	if len(data) > MaxSize {
		return "", 0, failf(TooLarge, "%d bytes of input; at most %d are read", len(data), MaxSize)
	}
	if utf16(data) {
		return "", 0, failf(NotXML, "the text is UTF-16 or UTF-32; only UTF-8, ASCII and ISO-8859-1 are read")
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	encoding, rest, err := declaration(data)
	if err != nil {
		return "", 0, err
	}
	lines = bytes.Count(data[:len(data)-len(rest)], []byte{'\n'})
	switch strings.ToLower(encoding) {
	case "", "utf-8", "utf8", "us-ascii", "ascii":
		text = string(rest)
	case "iso-8859-1", "latin1":
		text = latin1(rest)
	default:
		return "", 0, &Error{Kind: NotXML, Line: 1, Message: "encoding " + quoted(encoding) + "; only UTF-8, ASCII and ISO-8859-1 are read"}
	}
	if at := badChar(text); at >= 0 {
		e := failf(NotXML, "byte %#02x is no character of an XML document in UTF-8", text[at])
		e.Line = lines + 1 + strings.Count(text[:at], "\n")
		return "", 0, e
	}
	return text, lines, nil
}

// utf16 tells UTF-16 and UTF-32 by their byte order mark, or by the zero byte
// that they have beside the first '<'.
func utf16(data []byte) bool {
	for _, start := range []string{"\xff\xfe", "\xfe\xff", "\x00\x00\xfe\xff", "<\x00", "\x00<", "\x00\x00\x00<"} {
		if bytes.HasPrefix(data, []byte(start)) {
			return true
		}
	}
	return false
}

// declaration takes the XML declaration off, if there is one.
func declaration(data []byte) (encoding string, rest []byte, err error) {
	if !bytes.HasPrefix(data, []byte("<?xml")) || len(data) < 6 || !isSpace(data[5]) {
		return "", data, nil
	}
	head, _, ok := bytes.Cut(data[:min(len(data), 512)], []byte("?>"))
	if !ok {
		return "", nil, &Error{Kind: NotXML, Line: 1, Message: "the XML declaration has no end"}
	}
	rest = data[len(head)+2:]
	s := scanner{src: string(head[5:]) + ">"}
	attrs, err := s.attributes()
	if err != nil || s.src[s.pos:] != ">" {
		return "", nil, &Error{Kind: NotXML, Line: 1, Message: "the XML declaration is malformed"}
	}
	for i, a := range attrs {
		switch {
		case i == 0 && a.name.local == "version" && a.value == "1.0":
		case i == 1 && a.name.local == "encoding":
			encoding = a.value
		case i > 0 && a.name.local == "standalone":
		default:
			return "", nil, &Error{Kind: NotXML, Line: 1, Message: "the XML declaration is malformed at " + quoted(a.name.local) + "; version 1.0 and an encoding are expected"}
		}
	}
	return encoding, rest, nil
}

func latin1(data []byte) string {
	var b strings.Builder
	b.Grow(len(data) + len(data)/8)
	for _, c := range data {
		b.WriteRune(rune(c))
	}
	return b.String()
}

// badChar gives the place of something that is not a Char of XML 1.0 in UTF-8,
// or -1.
func badChar(s string) int {
	i, ascii := 0, true
	for ; len(s)-i >= 8; i += 8 {
		w := word(s[i:])
		if w&highs != 0 {
			ascii = false
		}
		if below(w, 0x20) {
			if at := controlAt(s[i : i+8]); at >= 0 {
				return i + at
			}
		}
	}
	if at := controlAt(s[i:]); at >= 0 {
		return i + at
	}
	for ; i < len(s); i++ {
		ascii = ascii && s[i] < utf8.RuneSelf
	}
	if ascii {
		return -1
	}
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\ufffd") || r == 0xfffe || r == 0xffff {
			return i
		}
	}
	return -1
}

func controlAt(s string) int {
	for i := range len(s) {
		if s[i] < 0x20 && !isSpace(s[i]) {
			return i
		}
	}
	return -1
}

// Eight bytes at a time: almost all of a sidecar is long runs of plain ASCII.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// below tells whether any byte of w is less than n, which is at most 0x80.
func below(w uint64, n byte) bool { return (w-ones*uint64(n))&^w&highs != 0 }
