package dng

import (
	"errors"
	"os"
)

// AddPreview puts a JPEG into a raw that [Write] has written, as cameras do: a second
// directory leads to it.
func AddPreview(path string, jpeg []byte) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if len(data) < 8 || string(data[:4]) != "II*\x00" {
		return errors.New("dng: no raw that Write has written")
	}
	first := int(le.Uint32(data[4:]))
	next := first + 2 + 12*int(le.Uint16(data[first:]))
	if len(data)%2 == 1 {
		data = append(data, 0)
	}
	le.PutUint32(data[next:], uint32(len(data)))
	var d ifd
	d.long(0xfe, 1) // a smaller picture
	d.short(0x103, 6)
	d.long(0x201, uint32(len(data)+2+4*12+4))
	d.long(0x202, uint32(len(jpeg)))
	return os.WriteFile(path, append(d.appendTo(data, len(data)), jpeg...), 0o600)
}
