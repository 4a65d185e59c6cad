package imagefile

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// checkEXR reads the header's attributes up to the data window.
func checkEXR(f file) (w, h int, err error) {
	head, err := f.bytesAt(0, int(min(f.size, 1<<16)))
	if err != nil {
		return 0, 0, err
	}
	if len(head) < 8 || string(head[:4]) != "\x76\x2f\x31\x01" {
		return 0, 0, errors.New("it is not an OpenEXR file")
	}
	_, window, ok := bytes.Cut(head, []byte("dataWindow\x00box2i\x00\x10\x00\x00\x00"))
	if !ok || len(window) < 16 {
		return 0, 0, errTruncated
	}
	at := func(i int) int { return int(int32(binary.LittleEndian.Uint32(window[4*i:]))) }
	return at(2) - at(0) + 1, at(3) - at(1) + 1, nil
}
