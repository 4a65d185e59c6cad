package rdf

import "strings"

// AppendAttr escapes an attribute's value so that reading it gives it back.
func AppendAttr(dst []byte, s string) []byte {
	if isLiteral(s) && strings.IndexByte(s, '"') < 0 {
		return append(dst, s...)
	}
	for i := range len(s) {
		switch c := s[i]; c {
		case '"':
			dst = append(dst, "&quot;"...)
		case '\t':
			dst = append(dst, "&#x9;"...)
		case '\n':
			dst = append(dst, "&#xA;"...)
		default:
			dst = appendTextByte(dst, c)
		}
	}
	return dst
}

func appendText(dst []byte, s string) []byte {
	for i := range len(s) {
		dst = appendTextByte(dst, s[i])
	}
	return dst
}

func appendTextByte(dst []byte, c byte) []byte {
	switch c {
	case '&':
		return append(dst, "&amp;"...)
	case '<':
		return append(dst, "&lt;"...)
	case '>':
		return append(dst, "&gt;"...)
	case '\r':
		return append(dst, "&#xD;"...)
	}
	return append(dst, c)
}
