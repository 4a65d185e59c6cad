package rdf

import (
	"fmt"
	"strings"
)

// scanner reads one XML document of checked characters, token by token. It is
// strict: what it accepts, encoding/xml accepts and sees alike (FuzzScanner
// holds it to that), and it is what makes parsing cheap.
type scanner struct {
	src string
	pos int
	// attrs is reused from one start tag to the next.
	attrs []rawAttr
}

type rawName struct{ prefix, local string }

type rawAttr struct {
	name  rawName
	value string
}

type tokenKind int

const (
	tokenEnd     tokenKind = iota // of the input
	tokenOpen                     // a start tag
	tokenEmpty                    // an element without content
	tokenClose                    // an end tag
	tokenText                     // character data, entities resolved
	tokenComment                  // its content is in text
	tokenPI                       // target and content are in text
)

type token struct {
	kind  tokenKind
	name  rawName
	attrs []rawAttr // valid until the next token
	text  string
	pos   int
}

func (s *scanner) next() (token, error) {
	start := s.pos
	if start == len(s.src) {
		return token{kind: tokenEnd, pos: start}, nil
	}
	if s.src[start] != '<' {
		text, err := s.charData()
		return token{kind: tokenText, text: text, pos: start}, err
	}
	rest := s.src[start:]
	switch {
	case strings.HasPrefix(rest, "</"):
		s.pos += 2
		name, err := s.name()
		if err == nil {
			s.skipSpace()
			err = s.expect('>')
		}
		return token{kind: tokenClose, name: name, pos: start}, err
	case strings.HasPrefix(rest, "<?"):
		text, err := s.instruction()
		return token{kind: tokenPI, text: text, pos: start}, err
	case strings.HasPrefix(rest, "<!--"):
		text, err := s.readUntil(4, "--", "a comment")
		if err == nil {
			err = s.expect('>')
		}
		return token{kind: tokenComment, text: text, pos: start}, err
	case strings.HasPrefix(rest, "<![CDATA["):
		text, err := s.readUntil(9, "]]>", "a CDATA section")
		return token{kind: tokenText, text: normalizeNewlines(text), pos: start}, err
	case strings.HasPrefix(rest, "<!"):
		return token{}, errorf(Forbidden, "a document type or entity declaration; no sidecar needs one")
	}
	s.pos++
	t := token{kind: tokenOpen, pos: start}
	var err error
	if t.name, err = s.name(); err != nil {
		return t, err
	}
	if t.attrs, err = s.attributes(); err != nil {
		return t, err
	}
	if s.nextIs('/') {
		s.pos++
		t.kind = tokenEmpty
	}
	return t, s.expect('>')
}

// attributes reads what is between an element's name and the end of its tag.
func (s *scanner) attributes() ([]rawAttr, error) {
	s.attrs = s.attrs[:0]
	for {
		spaced := s.skipSpace()
		if s.pos < len(s.src) && nameBytes[s.src[s.pos]]&nameStart == 0 {
			return s.attrs, nil
		}
		if !spaced {
			return nil, s.unexpected("white space before an attribute")
		}
		if len(s.attrs) == MaxAttributes {
			return nil, errorf(TooLarge, "an element with more than %d attributes", MaxAttributes)
		}
		name, err := s.name()
		if err != nil {
			return nil, err
		}
		s.skipSpace()
		if err := s.expect('='); err != nil {
			return nil, err
		}
		s.skipSpace()
		value, err := s.attrValue()
		if err != nil {
			return nil, err
		}
		s.attrs = append(s.attrs, rawAttr{name, value})
	}
}

const (
	nameStart = 1 << iota
	nameRest
)

var nameBytes = func() (t [256]byte) {
	for c := range t {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_', c >= 0x80:
			t[c] = nameStart | nameRest
		case '0' <= c && c <= '9', c == '-', c == '.':
			t[c] = nameRest
		}
	}
	return t
}()

// name reads a name with at most one prefix. XML allows letters beyond ASCII in
// names; no vocabulary of metadata uses them.
func (s *scanner) name() (rawName, error) {
	var n rawName
	var err error
	if n.local, err = s.ncName(); err == nil && s.nextIs(':') {
		s.pos++
		n.prefix = n.local
		n.local, err = s.ncName()
	}
	return n, err
}

// ncName reads a part of a name, without a colon.
func (s *scanner) ncName() (string, error) {
	src, i := s.src, s.pos
	if i == len(src) || nameBytes[src[i]]&nameStart == 0 {
		return "", s.unexpected("a name")
	}
	for ; i < len(src) && nameBytes[src[i]] != 0; i++ {
		if src[i] >= 0x80 {
			return "", errorf(Unsupported, "a name with letters beyond ASCII")
		}
	}
	name := src[s.pos:i]
	s.pos = i
	return name, nil
}

// instruction reads a processing instruction, which must not be another XML
// declaration.
func (s *scanner) instruction() (string, error) {
	start := s.pos + 2
	s.pos = start
	target, err := s.ncName()
	if err != nil {
		return "", err
	}
	if strings.EqualFold(target, "xml") {
		return "", errorf(NotXML, "an XML declaration that is not at the start")
	}
	if !s.skipSpace() && !strings.HasPrefix(s.src[s.pos:], "?>") {
		return "", s.unexpected("white space after " + target)
	}
	if _, err := s.readUntil(0, "?>", "a processing instruction"); err != nil {
		return "", err
	}
	return s.src[start : s.pos-2], nil
}

// readUntil skips n bytes and gives what lies before end, which is skipped too.
func (s *scanner) readUntil(n int, end, what string) (string, error) {
	text, _, ok := strings.Cut(s.src[s.pos+n:], end)
	if !ok {
		return "", errorf(NotXML, "%s has no end", what)
	}
	s.pos += n + len(text) + len(end)
	return text, nil
}

// nextIs reports whether the next byte is c.
func (s *scanner) nextIs(c byte) bool { return s.pos < len(s.src) && s.src[s.pos] == c }

func (s *scanner) expect(c byte) error {
	if !s.nextIs(c) {
		return s.unexpected(fmt.Sprintf("%q", c))
	}
	s.pos++
	return nil
}

func (s *scanner) unexpected(want string) error {
	if s.pos >= len(s.src) {
		return errorf(NotXML, "the input ends where %s should be", want)
	}
	return errorf(NotXML, "%s where %s should be", Quote(s.src[s.pos:]), want)
}

// skipSpace reports whether there was any white space.
func (s *scanner) skipSpace() bool {
	start := s.pos
	for s.pos < len(s.src) && isSpace(s.src[s.pos]) {
		s.pos++
	}
	return s.pos > start
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
