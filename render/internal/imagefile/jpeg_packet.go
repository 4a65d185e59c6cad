package imagefile

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/chemigram/chemigram/internal/regularfile"
)

// ErrNoPacket is the error of a JPEG without an XMP packet.
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

// ReadPacket gives the XMP packet of the JPEG file at path. It fails with
// ErrNoPacket when the file is a JPEG without one.
func ReadPacket(path string) ([]byte, error) {
	f, _, err := regularfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	main, _, err := readPackets(bufio.NewReader(f))
	return main, err
}

// readPackets gives the XMP packet of a JPEG and, in extended, what did not fit
// into it: a packet of its own, or nil when there is none.
func readPackets(r *bufio.Reader) (main, extended []byte, err error) {
	var chunks extension
	err = walkSegments(r, func(marker byte, data []byte) error {
		if marker != markerAPP1 {
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
		return main, nil, nil // there is no extended packet, or it belongs to another one
	}
	if extended, err = chunks.join(); err != nil {
		return nil, nil, err
	}
	return main, extended, nil
}

// An extension is an extended packet whose chunks are being collected.
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

// join puts the chunks together, which may have come in any order.
func (x *extension) join() ([]byte, error) {
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
