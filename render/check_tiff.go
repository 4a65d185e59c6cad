package render

import (
	"encoding/binary"
	"errors"
)

// checkTIFF reads the directory, which libtiff writes at the file's end.
func checkTIFF(f file) (w, h int, err error) {
	head, err := f.bytesAt(0, 4)
	if err != nil {
		return 0, 0, err
	}
	order := binary.ByteOrder(binary.LittleEndian)
	switch string(head) {
	case "II*\x00":
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return 0, 0, errors.New("it is no TIFF")
	}
	return tiffSize(f, order)
}

// tiffSize reads the size from the first directory. The decoder in x/image
// refuses floating point.
func tiffSize(f file, order binary.ByteOrder) (w, h int, err error) {
	b, err := f.bytesAt(4, 4)
	if err != nil {
		return 0, 0, err
	}
	at := int64(order.Uint32(b))
	if b, err = f.bytesAt(at, 2); err != nil || at == 0 {
		return 0, 0, errTorn
	}
	entries := int(order.Uint16(b))
	if b, err = f.bytesAt(at+2, 12*entries); err != nil {
		return 0, 0, err
	}
	for e := b; len(e) >= 12; e = e[12:] {
		value := int(order.Uint32(e[8:]))
		if order.Uint16(e[2:]) == 3 {
			value = int(order.Uint16(e[8:]))
		}
		switch order.Uint16(e) {
		case 256:
			w = value
		case 257:
			h = value
		}
	}
	return w, h, nil
}
