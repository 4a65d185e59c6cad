package render

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// ErrNoPacket says that a JPEG has no XMP packet.
var ErrNoPacket = errors.New("no XMP packet in the JPEG")

// XMP in JPEG is described in the XMP Specification, part 3, section 1.1.3: a
// packet of up to 65,502 bytes in one APP1 segment; what does not fit is in
// further APP1 segments, each with a digest of the whole, its length and the
// chunk's offset, and the packet names the digest.
const (
	xmpNamespace     = "http://ns.adobe.com/xap/1.0/\x00"
	xmpExtension     = "http://ns.adobe.com/xmp/extension/\x00"
	xmpExtensionHead = len(xmpExtension) + 32 + 4 + 4
)

// ReadPacket gives the XMP packet of the JPEG file at path: for a picture that
// darktable wrote, its history among other things. It fails with ErrNoPacket
// when the file is a JPEG without one.
func ReadPacket(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	main, _, err := packets(bufio.NewReader(f))
	return main, err
}

// ReadExtendedPacket gives what did not fit into the packet that [ReadPacket]
// gives: an XMP packet of its own, or nil when there is none.
func ReadExtendedPacket(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	_, extended, err := packets(bufio.NewReader(f))
	return extended, err
}

// packets reads the segments of a JPEG up to the picture itself.
func packets(r *bufio.Reader) (main, extended []byte, err error) {
	var chunks extension
	err = segments(r, func(marker byte, data []byte) error {
		if marker != 0xe1 {
			return nil
		}
		if p, ok := bytes.CutPrefix(data, []byte(xmpNamespace)); ok && main == nil {
			main = bytes.Clone(p)
		}
		if len(data) >= xmpExtensionHead && bytes.HasPrefix(data, []byte(xmpExtension)) {
			return chunks.add(data[len(xmpExtension):])
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, nil, err
	case main == nil:
		return nil, nil, ErrNoPacket
	case chunks.digest == "" || !bytes.Contains(main, []byte(chunks.digest)):
		return main, nil, nil // there is none, or it belongs to another packet
	}
	if extended, err = chunks.whole(); err != nil {
		return nil, nil, err
	}
	return main, extended, nil
}

// segments calls f for each segment of a JPEG before its scan data. The data
// is valid until f returns.
func segments(r *bufio.Reader, f func(marker byte, data []byte) error) error {
	var head [2]byte
	if _, err := io.ReadFull(r, head[:]); err != nil || head != [2]byte{0xff, 0xd8} {
		return errors.New("not a JPEG")
	}
	buf := make([]byte, 1<<16)
	for {
		marker, err := nextMarker(r)
		if err != nil {
			return err
		}
		switch {
		case marker == 0xda || marker == 0xd9: // the scan data, the end
			return nil
		case marker == 0x01 || marker >= 0xd0 && marker <= 0xd7: // no data
			continue
		}
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return fmt.Errorf("JPEG ends in a segment: %w", err)
		}
		n := int(binary.BigEndian.Uint16(head[:])) - 2
		if n < 0 {
			return errors.New("JPEG segment has no length")
		}
		if _, err := io.ReadFull(r, buf[:n]); err != nil {
			return fmt.Errorf("JPEG ends in a segment: %w", err)
		}
		if err := f(marker, buf[:n]); err != nil {
			return err
		}
	}
}

func nextMarker(r *bufio.Reader) (byte, error) {
	b, err := r.ReadByte()
	if err == nil && b != 0xff {
		return 0, fmt.Errorf("JPEG has the byte %#x where a segment should start", b)
	}
	for err == nil && b == 0xff {
		b, err = r.ReadByte()
	}
	if err != nil {
		return 0, fmt.Errorf("JPEG ends between segments: %w", err)
	}
	return b, nil
}

// An extension is an extended packet whose chunks are being gathered.
type extension struct {
	digest string
	size   int
	chunks []extendedChunk
}

type extendedChunk struct {
	offset int
	data   []byte
}

func (x *extension) add(data []byte) error {
	digest, data := string(data[:32]), data[32:]
	size, offset, chunk := binary.BigEndian.Uint32(data), binary.BigEndian.Uint32(data[4:]), data[8:]
	if x.digest == "" {
		x.digest, x.size = digest, int(size)
	}
	if digest != x.digest {
		return nil
	}
	if uint64(offset)+uint64(len(chunk)) > uint64(x.size) {
		return errors.New("extended XMP packet has a chunk beyond its end")
	}
	x.chunks = append(x.chunks, extendedChunk{int(offset), bytes.Clone(chunk)})
	return nil
}

// whole puts the chunks together, which may have come in any order.
func (x *extension) whole() ([]byte, error) {
	slices.SortStableFunc(x.chunks, func(a, b extendedChunk) int { return cmp.Compare(a.offset, b.offset) })
	var all []byte
	for _, c := range x.chunks {
		if c.offset != len(all) {
			break
		}
		all = append(all, c.data...)
	}
	if len(all) != x.size {
		return nil, fmt.Errorf("extended XMP packet has %d of %d bytes", len(all), x.size)
	}
	return all, nil
}
