package imagefile

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// checkEXR reads the header's attributes up to the data window, each of which has a name,
// a type, a length and a value. (Around the data window there may be a display window.)
func checkEXR(f file) (w, h int, err error) {
	head, err := f.bytesAt(0, int(min(f.size, maxHead)))
	if err != nil {
		return 0, 0, err
	}
	if len(head) < 8 || string(head[:4]) != "\x76\x2f\x31\x01" {
		return 0, 0, errors.New("it is not an OpenEXR file")
	}
	for left := head[8:]; ; {
		name, behind, ok := bytes.Cut(left, []byte{0})
		kind, behind, ok2 := bytes.Cut(behind, []byte{0})
		if !ok || !ok2 || len(name) == 0 || len(behind) < 4 {
			return 0, 0, errTruncated
		}
		length := int64(binary.LittleEndian.Uint32(behind))
		if length > int64(len(behind)-4) {
			return 0, 0, errTruncated
		}
		value := behind[4 : 4+length]
		if string(name) == "dataWindow" && string(kind) == "box2i" && length == 16 {
			at := func(i int) int { return int(int32(binary.LittleEndian.Uint32(value[4*i:]))) }
			return at(2) - at(0) + 1, at(3) - at(1) + 1, nil
		}
		left = behind[4+length:]
	}
}
