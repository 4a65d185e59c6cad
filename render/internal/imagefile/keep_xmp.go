package imagefile

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
)

// attribute matches one in a start tag that is known to be well-formed.
var attribute = regexp.MustCompile(`\s[^\s=]+\s*=\s*(?:"[^"]*"|'[^']*')`)

// instruction matches the processing instructions that stay.
var instruction = regexp.MustCompile(`^<\?(?:xpacket begin=["']\x{feff}?["'] id=["']W5M0MpCehiHzreSzNTczkc9d["']` +
	`|xpacket end=["'][rw]["']|xml version="1.0"(?: encoding="UTF-8")?)\s*\?>$`)

// An xmpFilter reads a packet and blanks what is not known.
type xmpFilter struct {
	packet  []byte
	decoder *xml.Decoder
	open    []xmpElement
}

// An xmpElement is one that has begun and not ended.
type xmpElement struct {
	name xml.Name
	role role
	from int64 // its offset in the packet
	text []byte
	// properties are how many known ones it lies in, itself included.
	properties int
}

// keepKnownXMP replaces everything in an XMP packet but properties that are known
// to hold no location with blanks, attributes and elements, and texts that hold a
// position. The packet keeps its length.
func keepKnownXMP(packet []byte) error {
	f := &xmpFilter{packet: packet, decoder: xml.NewDecoder(bytes.NewReader(bytes.TrimRight(packet, "\x00")))}
	for {
		from := f.decoder.InputOffset()
		token, err := f.decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = f.visit(token, from)
		}
		if err != nil {
			return err
		}
	}
}

func (f *xmpFilter) visit(token xml.Token, from int64) error {
	switch t := token.(type) {
	case xml.StartElement:
		return f.start(t, from)
	case xml.EndElement:
		f.end()
	case xml.CharData:
		f.characters(t, from)
	case xml.ProcInst:
		if raw := f.packet[from:f.decoder.InputOffset()]; !instruction.Match(raw) {
			fillBlank(raw)
		}
	default: // comments and directives
		fillBlank(f.packet[from:f.decoder.InputOffset()])
	}
	return nil
}

// innermost is the element that was opened last, or an empty one.
func (f *xmpFilter) innermost() *xmpElement {
	if len(f.open) == 0 {
		return &xmpElement{}
	}
	return &f.open[len(f.open)-1]
}

func (f *xmpFilter) start(t xml.StartElement, from int64) error {
	parent, role := f.innermost(), roleOf(t.Name)
	if role == unknown || (role == list || role == item) && parent.properties == 0 || role == property && len(f.open) == 0 {
		if err := f.decoder.Skip(); err != nil {
			return err
		}
		fillBlank(f.packet[from:f.decoder.InputOffset()])
		return nil
	}
	raw := f.packet[from:f.decoder.InputOffset()]
	found := attribute.FindAllIndex(raw, -1)
	if len(found) != len(t.Attr) {
		return errors.New("an XMP packet has attributes that cannot be distinguished")
	}
	for i, a := range t.Attr {
		if !isKnownAttribute(a) {
			fillBlank(raw[found[i][0]:found[i][1]])
		}
	}
	e := xmpElement{name: t.Name, role: role, from: from, properties: parent.properties}
	if role == property {
		e.properties++
	}
	f.open = append(f.open, e)
	return nil
}

// characters notes the text of a property or an item. Nothing else has any.
func (f *xmpFilter) characters(text []byte, from int64) {
	e := f.innermost()
	if e.role == property || e.role == item {
		e.text = append(e.text, text...)
	} else if len(bytes.TrimSpace(text)) > 0 {
		fillBlank(f.packet[from:f.decoder.InputOffset()])
	}
}

// end blanks an element whose text holds a position.
func (f *xmpFilter) end() {
	e := f.innermost()
	if !mayStay(e.name, string(e.text)) {
		fillBlank(f.packet[e.from:f.decoder.InputOffset()])
	}
	f.open = f.open[:len(f.open)-1]
}

func fillBlank(b []byte) {
	for i := range b {
		b[i] = ' '
	}
}
