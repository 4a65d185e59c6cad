package rdf

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/chemigram/chemigram/xmp/internal/swar"
)

// charData reads text up to the next tag.
func (s *scanner) charData() (string, error) {
	raw := s.src[s.pos:]
	if i := strings.IndexByte(raw, '<'); i >= 0 {
		raw = raw[:i]
	}
	if strings.Contains(raw, "]]>") {
		return "", errorf(NotXML, "]]> outside of a CDATA section")
	}
	s.pos += len(raw)
	return unescape(normalizeNewlines(raw))
}

// attrValue reads a quoted attribute value and normalises it as XML asks: literal
// white space becomes spaces, white space from character references stays.
func (s *scanner) attrValue() (string, error) {
	if !s.nextIs('"') && !s.nextIs('\'') {
		return "", s.unexpected("a quote")
	}
	quote := s.src[s.pos]
	raw := s.src[s.pos+1:]
	i := strings.IndexByte(raw, quote)
	if i < 0 {
		return "", errorf(NotXML, "an attribute's value has no end")
	}
	raw = raw[:i]
	if isLiteral(raw) {
		s.pos += i + 2
		return raw, nil
	}
	if strings.IndexByte(raw, '<') >= 0 {
		return "", errorf(NotXML, "< in an attribute's value")
	}
	s.pos += i + 2
	return unescape(spaces.Replace(raw))
}

var spaces = strings.NewReplacer("\r\n", " ", "\r", " ", "\n", " ", "\t", " ")

// isLiteral reports whether an attribute's value needs neither unescaping nor
// normalising: it has no tag, no reference, no white space but the space.
func isLiteral(s string) bool {
	for len(s) >= 32 {
		if special(swar.Load(s))|special(swar.Load(s[8:]))|special(swar.Load(s[16:]))|special(swar.Load(s[24:])) != 0 {
			return false
		}
		s = s[32:]
	}
	for len(s) >= 8 {
		if special(swar.Load(s)) != 0 {
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

// special is not 0 when any of eight bytes is less than a space, or is < or &.
func special(w uint64) uint64 {
	tag, reference := w^swar.Ones*'<', w^swar.Ones*'&'
	return ((w-swar.Ones*' ')&^w | (tag-swar.Ones)&^tag | (reference-swar.Ones)&^reference) & swar.Highs
}

// normalizeNewlines makes every line end a line feed.
func normalizeNewlines(s string) string {
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
		r, ok := resolveReference(name)
		if !found || !ok {
			return "", errorf(NotXML, "&%s is no reference that XML has by itself", strings.Trim(Quote(name), `"`))
		}
		b.WriteRune(r)
		s = after
	}
}

// resolveReference returns the character that an entity or a character reference
// stands for.
func resolveReference(name string) (rune, bool) {
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

// isChar reports whether a code point is a Char of XML 1.0.
func isChar(n uint64) bool {
	switch {
	case n < 0x20:
		return n == '\t' || n == '\n' || n == '\r'
	case n == 0xfffe, n == 0xffff:
		return false
	}
	return n <= utf8.MaxRune && utf8.ValidRune(rune(n))
}
