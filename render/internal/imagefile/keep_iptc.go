package imagefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
)

// knownDataSets are those of IPTC's second record that stay when the location
// goes: version, title, urgency, keywords, dates, programs, the author, headline,
// credit, source, copyright and caption.
var knownDataSets = []byte{0, 5, 10, 25, 55, 60, 62, 63, 65, 70, 80, 85, 105, 110, 115, 116, 120}

// keepKnownIPTC gives the data sets that are known to hold no location. Zeros may
// follow the last one.
func keepKnownIPTC(data []byte) ([]byte, error) {
	var out []byte
	for len(bytes.Trim(data, "\x00")) > 0 {
		if len(data) < 5 || data[0] != 0x1c || data[3]&0x80 != 0 {
			return nil, errors.New("an IPTC record is cut off")
		}
		end := 5 + int(binary.BigEndian.Uint16(data[3:]))
		if len(data) < end {
			return nil, errors.New("an IPTC record is cut off")
		}
		if isKnownDataSet(data[1], data[2], data[5:end]) {
			out = append(out, data[:end]...)
		}
		data = data[end:]
	}
	return out, nil
}

func isKnownDataSet(record, number byte, value []byte) bool {
	switch {
	case record == 1: // version and character set
		return (number == 0 || number == 90) && len(value) <= 8
	case number == 0:
		return record == 2 && len(value) == 2
	}
	return record == 2 && slices.Contains(knownDataSets, number) && !holdsPosition(string(value))
}

// The numbers of Photoshop's image resources that stay.
const (
	resourceResolution = 0x03ed
	resourceIPTC       = 0x0404
)

// keepKnownResources gives those of Photoshop's image resources that are known to
// hold no location.
func keepKnownResources(data []byte) ([]byte, error) {
	errCut := errors.New("a Photoshop resource is cut off")
	var out []byte
	for len(bytes.Trim(data, "\x00")) > 0 {
		if len(data) < 7 || string(data[:4]) != "8BIM" {
			return nil, errCut
		}
		number := binary.BigEndian.Uint16(data[4:])
		at := 6 + (int(data[6])+2)&^1 // the name, with its length, is even
		if len(data) < at+4 {
			return nil, errCut
		}
		length := int64(binary.BigEndian.Uint32(data[at:]))
		data = data[at+4:]
		if int64(len(data)) < length {
			return nil, errCut
		}
		value := data[:length]
		data = data[min(length+length&1, int64(len(data))):]
		if number == resourceIPTC {
			var err error
			if value, err = keepKnownIPTC(value); err != nil {
				return nil, err
			}
		} else if number != resourceResolution || length != 16 {
			continue
		}
		out = binary.BigEndian.AppendUint16(append(out, "8BIM"...), number)
		out = binary.BigEndian.AppendUint32(append(out, 0, 0), uint32(len(value))) // it has no name
		out = append(append(out, value...), make([]byte, len(value)&1)...)
	}
	return out, nil
}
