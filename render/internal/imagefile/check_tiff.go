package imagefile

import (
	"encoding/binary"
	"errors"
)

// checkTIFF reads the first directory, all of whose values must lie in the file.
// (The decoder in x/image refuses floating point.)
func checkTIFF(f file) (w, h int, err error) {
	head, err := f.bytesAt(0, 8)
	if err != nil {
		return 0, 0, err
	}
	order := binary.ByteOrder(binary.LittleEndian)
	switch string(head[:4]) {
	case "II*\x00":
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return 0, 0, errors.New("it is not a TIFF file")
	}
	at := int64(order.Uint32(head[4:]))
	count, err := f.bytesAt(at, 2)
	if err != nil || at == 0 {
		return 0, 0, errTruncated
	}
	// The directory ends with the offset of the next one.
	entries, err := f.bytesAt(at+2, 12*int(order.Uint16(count))+4)
	if err != nil {
		return 0, 0, err
	}
	for e := entries; len(e) >= 12; e = e[12:] {
		kind, values := order.Uint16(e[2:]), int64(order.Uint32(e[4:]))
		if int(kind) >= len(tiffTypeSizes) {
			continue
		}
		if n := values * tiffTypeSizes[kind]; n > 4 && int64(order.Uint32(e[8:]))+n > f.size {
			return 0, 0, errTruncated
		}
		value := int(order.Uint32(e[8:]))
		if kind == 3 {
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
