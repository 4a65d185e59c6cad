package render

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/chemigram/chemigram/xmp"
)

// errNoRoom says that a packet cannot take the stamp.
var errNoRoom = errors.New("no XMP packet with room in it")

// stamp lets a picture say which state it shows, in the formats that have a
// packet. One without a packet, or without room in it, stays as it is.
func (f *format) stamp(path, state string) error {
	if state == "" || !slices.Contains(MetadataFormats(), f.name) {
		return nil
	}
	if err := stamp(path, state); !errors.Is(err, errNoRoom) && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil // a file that is missing is for the check to tell
}

// stamp writes the hash of a state into the XMP packet of a picture that
// darktable has written, as the property chemigram:state. darktable pads its
// packets with about 2,000 blanks; as many of them go as the property has
// characters, so that nothing else in the file moves. JPEG, TIFF and WebP hold
// the packet as it is, PNG in a chunk with a checksum of its own.
func stamp(path, state string) (err error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	from, to, err := findPacket(f)
	if err != nil {
		return err
	}
	packet := make([]byte, to-from)
	if _, err := f.ReadAt(packet, from); err != nil {
		return err
	}
	stamped, ok := stampPacket(packet, state)
	if !ok {
		return errNoRoom
	}
	if _, err := f.WriteAt(stamped, from); err != nil {
		return err
	}
	return mendPNG(f, from)
}

// stampPacket gives the packet with the property, as long as before.
func stampPacket(packet []byte, state string) ([]byte, bool) {
	subject := []byte(`<rdf:Description rdf:about=""`)
	property := []byte(` xmlns:chemigram="` + xmp.OriginNamespace + `" chemigram:state="` + state + `"`)
	at := bytes.Index(packet, subject)
	tail := bytes.LastIndex(packet, packetEnd)
	if at < 0 || tail < 0 {
		return nil, false
	}
	at += len(subject)
	body := bytes.TrimRight(packet[:tail], " \n\r\t")
	if at > len(body) || tail-len(body) <= len(property) {
		return nil, false
	}
	out := make([]byte, 0, len(packet))
	out = append(append(append(out, packet[:at]...), property...), body[at:]...)
	out = append(out, bytes.Repeat([]byte{' '}, tail-len(out))...)
	return append(out, packet[tail:]...), true
}

var (
	packetBegin = []byte("<?xpacket begin=")
	packetEnd   = []byte("<?xpacket end=")
)

// findPacket gives where the packet lies in a file, from its first byte to
// behind the beginning of its end.
func findPacket(f *os.File) (from, to int64, err error) {
	if from, err = find(f, 0, packetBegin); err != nil {
		return 0, 0, err
	}
	to, err = find(f, from, packetEnd)
	return from, to + int64(len(packetEnd)), err
}

// find gives the place of the first mark at or behind from.
func find(f io.ReaderAt, from int64, mark []byte) (int64, error) {
	block := make([]byte, 1<<18)
	for {
		n, err := f.ReadAt(block, from)
		if i := bytes.Index(block[:n], mark); i >= 0 {
			return from + int64(i), nil
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				return 0, errNoRoom
			}
			return 0, err
		}
		from += int64(n - len(mark) + 1) // a mark may lie across two blocks
	}
}

// mendPNG puts the checksum right of the PNG chunk that has changed at a place.
// Other files need nothing.
func mendPNG(f *os.File, changed int64) error {
	const signature = "\x89PNG\r\n\x1a\n"
	var head [8]byte
	if _, err := f.ReadAt(head[:], 0); err != nil || string(head[:]) != signature {
		return err
	}
	for at := int64(len(signature)); ; {
		if _, err := f.ReadAt(head[:], at); err != nil {
			return err
		}
		length := int64(binary.BigEndian.Uint32(head[:4]))
		end := at + 8 + length
		if changed >= end {
			at = end + 4
			continue
		}
		sum := crc32.NewIEEE()
		if _, err := io.Copy(sum, io.NewSectionReader(f, at+4, 4+length)); err != nil {
			return err
		}
		_, err := f.WriteAt(binary.BigEndian.AppendUint32(nil, sum.Sum32()), end)
		return err
	}
}
