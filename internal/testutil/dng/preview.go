package dng

import (
	"encoding/binary"
	"errors"
	"os"
)

// AddPreview puts a JPEG into a raw of little endian that [Write] has written, as cameras
// do: a second directory leads to it.
func AddPreview(path string, jpeg []byte) error {
	le := binary.LittleEndian
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if len(data) < 8 || string(data[:4]) != "II*\x00" {
		return errors.New("dng: no raw of little endian that Write has written")
	}
	data = append(data, make([]byte, len(data)%2)...)
	first := int(le.Uint32(data[4:]))
	le.PutUint32(data[first+2+12*int(le.Uint16(data[first:])):], uint32(len(data)))
	const short, long = 3, 4
	entries := [][3]uint32{{0xfe, long, 1}, {0x103, short, 6}, {0x201, long, uint32(len(data) + 2 + 4*12 + 4)}, {0x202, long, uint32(len(jpeg))}}
	data = le.AppendUint16(data, uint16(len(entries)))
	for _, e := range entries {
		data = le.AppendUint16(data, uint16(e[0]))
		data = le.AppendUint16(data, uint16(e[1]))
		data = le.AppendUint32(le.AppendUint32(data, 1), e[2])
	}
	data = le.AppendUint32(data, 0) // no further directory
	return os.WriteFile(path, append(data, jpeg...), 0o600)
}
