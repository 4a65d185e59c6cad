package render

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
)

// places are XMP's properties that tell where a picture was taken, by the
// namespace; a name with a star stands for all that begin so.
var places = map[string][]string{
	"http://ns.adobe.com/exif/1.0/":               {"GPS*"},
	"http://ns.adobe.com/photoshop/1.0/":          {"City", "State", "Country"},
	"http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/": {"Location", "CountryCode"},
	"http://iptc.org/std/Iptc4xmpExt/2008-02-29/": {"LocationCreated", "LocationShown"},
	"http://cipa.jp/exif/1.0/":                    {"GPS*"},
}

func isPlace(name xml.Name) bool {
	return slices.ContainsFunc(places[name.Space], func(pattern string) bool {
		begin, open := strings.CutSuffix(pattern, "*")
		return name.Local == pattern || open && strings.HasPrefix(name.Local, begin)
	})
}

// attribute is one in a start tag that is known to be well-formed.
var attribute = regexp.MustCompile(`\s[^\s=]+\s*=\s*(?:"[^"]*"|'[^']*')`)

// blankPlaces puts blanks in the place of an XMP packet's properties that tell
// places, be they attributes or elements.
func blankPlaces(packet []byte) error {
	decoder := xml.NewDecoder(bytes.NewReader(bytes.TrimRight(packet, "\x00")))
	for {
		from := decoder.InputOffset()
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if isPlace(start.Name) {
			if err := decoder.Skip(); err != nil {
				return err
			}
			blank(packet[from:decoder.InputOffset()])
			continue
		}
		raw := packet[from:decoder.InputOffset()]
		found := attribute.FindAllIndex(raw, -1)
		if len(found) != len(start.Attr) {
			return errors.New("an XMP packet has attributes that cannot be told apart")
		}
		for i, a := range start.Attr {
			if isPlace(a.Name) {
				blank(raw[found[i][0]:found[i][1]])
			}
		}
	}
}

func blank(b []byte) { copy(b, bytes.Repeat([]byte{' '}, len(b))) }

// placeDataSets are those of IPTC's second record that tell places: content
// location code and name, city, sublocation, province, country code and name.
var placeDataSets = []byte{26, 27, 90, 92, 95, 100, 101}

// blankDataSets puts blanks in the place of IPTC data sets that tell places.
// Zeros may follow the last one.
func blankDataSets(data []byte) error {
	for len(bytes.Trim(data, "\x00")) > 0 {
		if len(data) < 5 || data[0] != 0x1c || data[3]&0x80 != 0 {
			return errors.New("an IPTC record is torn")
		}
		length := int(binary.BigEndian.Uint16(data[3:]))
		if len(data) < 5+length {
			return errors.New("an IPTC record is torn")
		}
		if data[1] == 2 && slices.Contains(placeDataSets, data[2]) {
			blank(data[5 : 5+length])
		}
		data = data[5+length:]
	}
	return nil
}

// blankResources blanks the places in Photoshop's image resources: IPTC is the
// one with the number 0x0404.
func blankResources(data []byte) error {
	torn := errors.New("a Photoshop resource is torn")
	for len(bytes.Trim(data, "\x00")) > 0 {
		if len(data) < 7 || string(data[:4]) != "8BIM" {
			return torn
		}
		number := binary.BigEndian.Uint16(data[4:])
		at := 6 + (int(data[6])+2)&^1 // the name, with its length, is even
		if len(data) < at+4 {
			return torn
		}
		length := int64(binary.BigEndian.Uint32(data[at:]))
		data = data[at+4:]
		if int64(len(data)) < length {
			return torn
		}
		if number == 0x0404 {
			if err := blankDataSets(data[:length]); err != nil {
				return err
			}
		}
		data = data[min(length+length&1, int64(len(data))):]
	}
	return nil
}
