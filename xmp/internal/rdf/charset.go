package rdf

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/chemigram/chemigram/xmp/internal/swar"
)

// decodeText returns the document as UTF-8 without byte order mark and XML
// declaration, and the number of lines that the declaration took.
func decodeText(data []byte) (text string, lines int, err error) {
	if len(data) > MaxSize {
		return "", 0, errorf(TooLarge, "%d bytes of input; at most %d are read", len(data), MaxSize)
	}
	if isUTF16(data) {
		return "", 0, errorf(NotXML, "the text is UTF-16 or UTF-32; only UTF-8, ASCII and ISO-8859-1 are read")
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	encoding, rest, err := cutDeclaration(data)
	if err != nil {
		return "", 0, err
	}
	lines = bytes.Count(data[:len(data)-len(rest)], []byte{'\n'})
	switch strings.ToLower(encoding) {
	case "", "utf-8", "utf8", "us-ascii", "ascii":
		text = string(rest)
	case "iso-8859-1", "latin1":
		text = decodeLatin1(rest)
	default:
		return "", 0, &Error{Kind: NotXML, Line: 1, Message: "encoding " + Quote(encoding) + "; only UTF-8, ASCII and ISO-8859-1 are read"}
	}
	if at := badChar(text); at >= 0 {
		e := errorf(NotXML, "byte %#02x is no character of an XML document in UTF-8", text[at])
		e.Line = lines + 1 + strings.Count(text[:at], "\n")
		return "", 0, e
	}
	return text, lines, nil
}

// isUTF16 recognises UTF-16 and UTF-32 by their byte order mark, or by the zero
// byte that they have beside the first '<'.
func isUTF16(data []byte) bool {
	for _, start := range []string{"\xff\xfe", "\xfe\xff", "\x00\x00\xfe\xff", "<\x00", "\x00<", "\x00\x00\x00<"} {
		if bytes.HasPrefix(data, []byte(start)) {
			return true
		}
	}
	return false
}

// cutDeclaration takes the XML declaration off, if there is one.
func cutDeclaration(data []byte) (encoding string, rest []byte, err error) {
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
			return "", nil, &Error{Kind: NotXML, Line: 1, Message: "the XML declaration is malformed at " + Quote(a.name.local) + "; version 1.0 and an encoding are expected"}
		}
	}
	return encoding, rest, nil
}

func decodeLatin1(data []byte) string {
	var b strings.Builder
	b.Grow(len(data) + len(data)/8)
	for _, c := range data {
		b.WriteRune(rune(c))
	}
	return b.String()
}

// IsText reports whether XML can hold the text.
func IsText(s string) bool { return badChar(s) < 0 }

// badChar returns the index of the first byte that begins no Char of XML 1.0 in
// UTF-8, or -1.
func badChar(s string) int {
	i, ascii := 0, true
	for ; len(s)-i >= 8; i += 8 {
		w := swar.Load(s[i:])
		if w&swar.Highs != 0 {
			ascii = false
		}
		if swar.AnyBelow(w, 0x20) {
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

// controlAt returns the index of the first control character that is not white
// space, or -1.
func controlAt(s string) int {
	for i := range len(s) {
		if s[i] < 0x20 && !isSpace(s[i]) {
			return i
		}
	}
	return -1
}
