package xmp

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// text reads character data up to the next tag.
func (s *scanner) text() (string, error) {
	raw := s.src[s.pos:]
	if i := strings.IndexByte(raw, '<'); i >= 0 {
		raw = raw[:i]
	}
	if strings.Contains(raw, "]]>") {
		return "", failf(NotXML, "]]> outside of a CDATA section")
	}
	s.pos += len(raw)
	return unescape(newlines(raw))
}

// value reads a quoted attribute value and normalises it as XML asks: white
// space that stands there literally becomes a space, what a character reference
// names stays.
func (s *scanner) value() (string, error) {
	if !s.at('"') && !s.at('\'') {
		return "", s.unexpected("a quote")
	}
	quote := s.src[s.pos]
	raw := s.src[s.pos+1:]
	i := strings.IndexByte(raw, quote)
	if i < 0 {
		return "", failf(NotXML, "an attribute's value has no end")
	}
	raw = raw[:i]
	if plain(raw) {
		s.pos += i + 2
		return raw, nil
	}
	if strings.IndexByte(raw, '<') >= 0 {
		return "", failf(NotXML, "< in an attribute's value")
	}
	s.pos += i + 2
	return unescape(spaces.Replace(raw))
}

var spaces = strings.NewReplacer("\r\n", " ", "\r", " ", "\n", " ", "\t", " ")

// plain tells whether a value is what it says: no tag, no reference, no white
// space but the space.
func plain(s string) bool {
	for len(s) >= 32 {
		if special(word(s))|special(word(s[8:]))|special(word(s[16:]))|special(word(s[24:])) != 0 {
			return false
		}
		s = s[32:]
	}
	for len(s) >= 8 {
		if special(word(s)) != 0 {
			return false
		}
		s = s[8:]
	}
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c == '<' || c == '&' {
			return false
		}
	}
	return true
}

// special is not 0 when any of eight bytes is less than a space, or < or &.
func special(w uint64) uint64 {
	tag, reference := w^ones*'<', w^ones*'&'
	return ((w-ones*' ')&^w | (tag-ones)&^tag | (reference-ones)&^reference) & highs
}

// newlines makes every line end the one that XML knows.
func newlines(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// unescape resolves the five entities and character references.
func unescape(s string) (string, error) {
	if strings.IndexByte(s, '&') < 0 {
		return s, nil
	}
	var b strings.Builder
	b.Grow(len(s))
	for {
		before, rest, found := strings.Cut(s, "&")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		name, after, found := strings.Cut(rest, ";")
		r, ok := reference(name)
		if !found || !ok {
			return "", failf(NotXML, "&%s is no reference that XML has by itself", strings.Trim(quoted(name), `"`))
		}
		b.WriteRune(r)
		s = after
	}
}

func reference(name string) (rune, bool) {
	switch name {
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "amp":
		return '&', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	digits, ok := strings.CutPrefix(name, "#")
	if !ok {
		return 0, false
	}
	base := 10
	if hex, ok := strings.CutPrefix(digits, "x"); ok {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil || strings.ContainsAny(digits, "_+") {
		return 0, false
	}
	return rune(n), isChar(n)
}

// isChar tells whether a code point is a Char of XML 1.0.
func isChar(n uint64) bool {
	switch {
	case n < 0x20:
		return n == '\t' || n == '\n' || n == '\r'
	case n == 0xfffe, n == 0xffff:
		return false
	}
	return n <= utf8.MaxRune && utf8.ValidRune(rune(n))
}
