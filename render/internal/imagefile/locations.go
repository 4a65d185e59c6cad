package imagefile

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

// locationProperties are the names of XMP's properties with a location, by their
// namespace; a name with a star is that of all that begin so.
var locationProperties = map[string][]string{
	"http://ns.adobe.com/exif/1.0/":               {"GPS*"},
	"http://ns.adobe.com/photoshop/1.0/":          {"City", "State", "Country"},
	"http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/": {"Location", "CountryCode"},
	"http://iptc.org/std/Iptc4xmpExt/2008-02-29/": {"LocationCreated", "LocationShown"},
	"http://cipa.jp/exif/1.0/":                    {"GPS*"},
}

func isLocation(name xml.Name) bool {
	return slices.ContainsFunc(locationProperties[name.Space], func(pattern string) bool {
		begin, open := strings.CutSuffix(pattern, "*")
		return name.Local == pattern || open && strings.HasPrefix(name.Local, begin)
	})
}

// attribute matches one in a start tag that is known to be well-formed.
var attribute = regexp.MustCompile(`\s[^\s=]+\s*=\s*(?:"[^"]*"|'[^']*')`)

// blankXMP replaces the location in an XMP packet with blanks, both attributes
// and elements.
func blankXMP(packet []byte) error {
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
		if isLocation(start.Name) {
			if err := decoder.Skip(); err != nil {
				return err
			}
			fillBlank(packet[from:decoder.InputOffset()])
			continue
		}
		raw := packet[from:decoder.InputOffset()]
		found := attribute.FindAllIndex(raw, -1)
		if len(found) != len(start.Attr) {
			return errors.New("an XMP packet has attributes that cannot be distinguished")
		}
		for i, a := range start.Attr {
			if isLocation(a.Name) {
				fillBlank(raw[found[i][0]:found[i][1]])
			}
		}
	}
}

func fillBlank(b []byte) { copy(b, bytes.Repeat([]byte{' '}, len(b))) }

// locationDataSets are those of IPTC's second record: content location code and
// name, city, sublocation, province, country code and name.
var locationDataSets = []byte{26, 27, 90, 92, 95, 100, 101}

// blankIPTC replaces the location in IPTC data sets with blanks. Zeros may follow
// the last one.
func blankIPTC(data []byte) error {
	for len(bytes.Trim(data, "\x00")) > 0 {
		if len(data) < 5 || data[0] != 0x1c || data[3]&0x80 != 0 {
			return errors.New("an IPTC record is cut off")
		}
		length := int(binary.BigEndian.Uint16(data[3:]))
		if len(data) < 5+length {
			return errors.New("an IPTC record is cut off")
		}
		if data[1] == 2 && slices.Contains(locationDataSets, data[2]) {
			fillBlank(data[5 : 5+length])
		}
		data = data[5+length:]
	}
	return nil
}

// blankResources replaces the location in Photoshop's image resources with
// blanks: IPTC is the one with the number 0x0404.
func blankResources(data []byte) error {
	errCut := errors.New("a Photoshop resource is cut off")
	for len(bytes.Trim(data, "\x00")) > 0 {
		if len(data) < 7 || string(data[:4]) != "8BIM" {
			return errCut
		}
		number := binary.BigEndian.Uint16(data[4:])
		at := 6 + (int(data[6])+2)&^1 // the name, with its length, is even
		if len(data) < at+4 {
			return errCut
		}
		length := int64(binary.BigEndian.Uint32(data[at:]))
		data = data[at+4:]
		if int64(len(data)) < length {
			return errCut
		}
		if number == 0x0404 {
			if err := blankIPTC(data[:length]); err != nil {
				return err
			}
		}
		data = data[min(length+length&1, int64(len(data))):]
	}
	return nil
}
