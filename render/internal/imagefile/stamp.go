package imagefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"regexp"

	"github.com/chemigram/chemigram/internal/regularfile"
)

// errNoRoom is the error of a file without a packet, and of a packet that cannot
// take a property.
var errNoRoom = errors.New("no XMP packet with room in it")

// Stamp writes attributes, each with a leading blank, into the XMP packet of a
// JPEG, PNG, TIFF or WebP. The packet must hold its properties in the form
// <rdf:Description rdf:about="…" …>. As many blanks of its padding go as the
// attributes have characters, so that nothing else in the file moves. A file
// without a packet, or without enough padding, stays as it is.
func Stamp(path, attributes string) error {
	if err := stamp(path, attributes); !errors.Is(err, errNoRoom) {
		return err
	}
	return nil
}

// stamp relies on JPEG, TIFF and WebP holding the packet as it is, and PNG in a
// chunk with a checksum.
func stamp(path, attributes string) (err error) {
	f, _, err := regularfile.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	packet, at, err := findPacket(f)
	if err != nil {
		return err
	}
	stamped, ok := stampPacket(packet, attributes)
	if !ok {
		return errNoRoom
	}
	if _, err := f.WriteAt(stamped, at); err != nil {
		return err
	}
	return fixPNGChecksum(f, at)
}

// stampPacket gives the packet with the attributes, as long as before.
func stampPacket(packet []byte, attributes string) ([]byte, bool) {
	subject := packetSubject.FindIndex(packet)
	end := bytes.LastIndex(packet, packetEnd)
	if subject == nil || end < 0 {
		return nil, false
	}
	at := subject[1]
	body := bytes.TrimRight(packet[:end], " \n\r\t")
	if at > len(body) || end-len(body) <= len(attributes) {
		return nil, false
	}
	out := make([]byte, 0, len(packet))
	out = append(append(append(out, packet[:at]...), attributes...), body[at:]...)
	out = append(out, bytes.Repeat([]byte{' '}, end-len(out))...)
	return append(out, packet[end:]...), true
}

// packetSubject is how the properties of a packet begin, up to the name of what they
// are of.
var packetSubject = regexp.MustCompile(`<rdf:Description rdf:about="[^"]*"`)

var (
	packetBegin = []byte("<?xpacket begin=")
	packetEnd   = []byte("<?xpacket end=")
)

// FindPacket gives the XMP packet of a file of any format in which it lies as it
// is, or nil when there is none.
func FindPacket(path string) ([]byte, error) {
	f, _, err := regularfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	packet, _, err := findPacket(f)
	if errors.Is(err, errNoRoom) {
		return nil, nil
	}
	return packet, err
}

// historyNamespace is in the packet that darktable wrote. Other packets may lie
// before it, in the EXIF of a raw that an editor saved.
var historyNamespace = []byte(`"http://darktable.sf.net/"`)

// findPacket gives darktable's packet, up to the beginning of its closing
// instruction, and its offset; the first packet when none is darktable's.
func findPacket(f *os.File) (packet []byte, offset int64, err error) {
	for next := int64(0); ; {
		from, err := findMark(f, next, packetBegin)
		if err == nil {
			next, err = findMark(f, from, packetEnd)
		}
		if err != nil {
			if packet != nil && errors.Is(err, errNoRoom) {
				err = nil
			}
			return packet, offset, err
		}
		found := make([]byte, next+int64(len(packetEnd))-from)
		if _, err := f.ReadAt(found, from); err != nil {
			return nil, 0, err
		}
		if packet == nil || bytes.Contains(found, historyNamespace) {
			packet, offset = found, from
		}
		if bytes.Contains(packet, historyNamespace) {
			return packet, offset, nil
		}
	}
}

// findMark gives the offset of the first mark at or after from.
func findMark(f io.ReaderAt, from int64, mark []byte) (int64, error) {
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

// fixPNGChecksum computes the checksum of the PNG chunk that has changed at an
// offset. Files of other formats stay as they are.
func fixPNGChecksum(f *os.File, changed int64) error {
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
