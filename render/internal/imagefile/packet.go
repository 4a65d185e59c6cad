package imagefile

import (
	"bufio"
	"bytes"
	"crypto/md5" //nolint:gosec // XMP names an extended packet so; nothing is protected by it
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"

	"golang.org/x/image/webp"
)

// packetRoom is how many blanks a new packet has for what is written into it later.
const packetRoom = 2048

// NewPacket makes an XMP packet of an x:xmpmeta element, which an XML declaration
// may precede, with room for attributes that [Stamp] writes.
func NewPacket(xml []byte) []byte {
	if end := bytes.Index(xml, []byte("?>")); bytes.HasPrefix(xml, []byte("<?xml")) && end > 0 {
		xml = xml[end+2:]
	}
	return slices.Concat([]byte(`<?xpacket begin="`+"\ufeff"+`" id="W5M0MpCehiHzreSzNTczkc9d"?>`+"\n"),
		bytes.TrimSpace(xml), []byte("\n"), bytes.Repeat([]byte{' '}, packetRoom), []byte(`<?xpacket end="w"?>`))
}

// EnsurePacket makes sure that the picture at path, of a format for which
// [Format.HasPacket] is true, has a packet with darktable's history, and in it room
// for so many bytes of attributes. Where there is none, it writes the one that made
// gives. Nobody else may be reading or writing the file.
func EnsurePacket(path string, f Format, room int, made func() ([]byte, error)) error {
	packet, err := FindPacket(path)
	if err != nil {
		return err
	}
	if bytes.Contains(packet, historyNamespace) {
		if _, ok := stampPacket(packet, string(make([]byte, room))); ok {
			return nil
		}
		packet = NewPacket(withoutWrapper(packet))
	} else if packet, err = made(); err != nil {
		return err
	}
	return WritePacket(path, f, packet)
}

// packetWriters write a copy of a file with another XMP packet.
var packetWriters = map[Format]func(io.Writer, *os.File, []byte) error{
	JPEG: writePacketJPEG, PNG: writePacketPNG, WebP: writePacketWebP,
}

// WritePacket puts an XMP packet into the file at path in the place of the one that
// is there, or as its first. Nobody else may be reading or writing the file. It
// knows the formats for which [Format.HasPacket] is true.
func WritePacket(path string, f Format, packet []byte) error {
	if f == TIFF {
		return editInPlace(path, func(b block, size int64) error { return writePacketTIFF(b, size, packet) })
	}
	write, ok := packetWriters[f]
	if !ok {
		return fmt.Errorf("the packet of a %s: %w", f, errors.ErrUnsupported)
	}
	return rewrite(path, func(w io.Writer, from *os.File) error { return write(w, from, packet) })
}

// writePacketJPEG puts the packet behind the segments of JFIF and EXIF. What does
// not fit into one segment becomes an extended packet.
func writePacketJPEG(w io.Writer, f *os.File, packet []byte) error {
	segments, err := packetSegments(packet)
	if err != nil {
		return err
	}
	r := bufio.NewReaderSize(f, 1<<18)
	if _, err := w.Write([]byte{0xff, markerSOI}); err != nil {
		return err
	}
	writeOnce := func() error {
		for _, s := range segments {
			if err := writeSegment(w, markerAPP1, s); err != nil {
				return err
			}
		}
		segments = nil
		return nil
	}
	err = walkSegments(r, func(marker byte, data []byte) error {
		if marker == markerAPP1 && (bytes.HasPrefix(data, []byte(xmpNamespace)) || bytes.HasPrefix(data, []byte(xmpExtension))) {
			return nil
		}
		if marker != markerAPP0 && (marker != markerAPP1 || !bytes.HasPrefix(data, []byte(exifName))) {
			if err := writeOnce(); err != nil {
				return err
			}
		}
		return writeSegment(w, marker, data)
	})
	if err == nil {
		err = writeOnce()
	}
	if err != nil {
		return err
	}
	if _, err := w.Write([]byte{0xff, markerSOS}); err != nil { // walkSegments has read it
		return err
	}
	_, err = io.Copy(w, r)
	return err
}

// The most that a segment of XMP holds, by the XMP Specification.
const (
	maxPacket        = 65502
	maxExtendedChunk = 65400
)

// packetSegments are the segments of a JPEG that hold a packet. One that is too long
// becomes an extended packet, and the packet names that and has what [Stamp]
// writes.
func packetSegments(packet []byte) ([][]byte, error) {
	if len(packet) <= maxPacket {
		return [][]byte{slices.Concat([]byte(xmpNamespace), packet)}, nil
	}
	whole := withoutWrapper(packet)
	if len(whole) > maxMetadata {
		return nil, fmt.Errorf("a packet of %d bytes", len(whole))
	}
	name, segments := extensionSegments(whole)
	main := NewPacket(fmt.Appendf(nil, `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="%s">`+
		`<rdf:Description rdf:about="" xmlns:darktable=%s xmlns:xmpNote="%s" xmpNote:HasExtendedXMP="%s"/>`+
		`</rdf:RDF></x:xmpmeta>`, spaceRDF, historyNamespace, spaceNote, name))
	return append([][]byte{slices.Concat([]byte(xmpNamespace), main)}, segments...), nil
}

// extensionName is the digest by which an extended packet is named.
func extensionName(packet []byte) []byte {
	sum := md5.Sum(packet) //nolint:gosec // see the import
	return bytes.ToUpper([]byte(hex.EncodeToString(sum[:])))
}

// extensionSegments are the segments of a JPEG that hold an extended packet, and its
// name.
func extensionSegments(packet []byte) (name []byte, segments [][]byte) {
	name = extensionName(packet)
	for at := 0; at < len(packet); at += maxExtendedChunk {
		head := slices.Concat([]byte(xmpExtension), name)
		head = binary.BigEndian.AppendUint32(head, uint32(len(packet)))
		head = binary.BigEndian.AppendUint32(head, uint32(at))
		segments = append(segments, append(head, packet[at:min(at+maxExtendedChunk, len(packet))]...))
	}
	return name, segments
}

// withoutWrapper is a packet without its instructions and its padding.
func withoutWrapper(packet []byte) []byte {
	if end := bytes.Index(packet, []byte("?>")); bytes.HasPrefix(packet, packetBegin) && end > 0 {
		packet = packet[end+2:]
	}
	if end := bytes.LastIndex(packet, packetEnd); end >= 0 {
		packet = packet[:end]
	}
	return bytes.TrimSpace(packet)
}

// writePacketPNG puts the packet before the chunks of the pixels.
func writePacketPNG(w io.Writer, f *os.File, packet []byte) error {
	text, err := pngText{keyword: xmpKeyword, text: packet}.bytes("iTXt")
	if err != nil {
		return err
	}
	if _, err := io.CopyN(w, f, 8); err != nil {
		return err
	}
	for written := false; ; {
		var head [8]byte
		if _, err := io.ReadFull(f, head[:]); err != nil {
			return fmt.Errorf("PNG ends between chunks: %w", err)
		}
		length, name := int64(binary.BigEndian.Uint32(head[:])), string(head[4:])
		if (name == "IDAT" || name == pngEnd) && !written {
			if err := writePNGChunk(w, "iTXt", text); err != nil {
				return err
			}
			written = true
		}
		if name == "iTXt" && length <= maxMetadata {
			if err := copyOtherText(w, f, length); err != nil {
				return err
			}
			continue
		}
		if _, err := w.Write(head[:]); err != nil {
			return err
		}
		if _, err := io.CopyN(w, f, length+4); err != nil || name == pngEnd {
			return err
		}
	}
}

// copyOtherText copies a chunk iTXt, unless it holds a packet.
func copyOtherText(w io.Writer, f io.Reader, length int64) error {
	data := make([]byte, length+4) // with its checksum
	if _, err := io.ReadFull(f, data); err != nil {
		return fmt.Errorf("PNG ends in a chunk: %w", err)
	}
	data = data[:length]
	if bytes.HasPrefix(data, []byte(xmpKeyword+"\x00")) {
		return nil
	}
	return writePNGChunk(w, "iTXt", data)
}

func writePNGChunk(w io.Writer, name string, data []byte) error {
	out := append(binary.BigEndian.AppendUint32(nil, uint32(len(data))), name...)
	out = append(out, data...)
	_, err := w.Write(binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:])))
	return err
}

// writePacketTIFF appends the packet to a TIFF, and the first directory with it.
func writePacketTIFF(b block, size int64, packet []byte) error {
	d, first, err := openDirectories(b, size)
	if err != nil {
		return err
	}
	entries, err := d.entries(first)
	if err != nil {
		return err
	}
	next, err := d.read(first+2+12*int64(len(entries)), 4)
	if err != nil {
		return err
	}
	at := size + size&1 // a value begins at an even offset
	end := at + int64(len(packet)) + int64(len(packet)&1)
	if end > 1<<32-1<<20 {
		return errors.New("the TIFF is too large for a packet")
	}
	for _, part := range []struct {
		bytes []byte
		at    int64
	}{{packet, at}, {d.withPacket(entries, next, len(packet), at), end}, {d.order.AppendUint32(nil, uint32(end)), 4}} {
		if _, err := b.WriteAt(part.bytes, part.at); err != nil {
			return err
		}
	}
	return nil
}

// withPacket is a directory of entries and one for a packet of a length at a place;
// next is the place of the directory after it.
func (d *directories) withPacket(entries []directoryEntry, next []byte, length int, at int64) []byte {
	entry := make([]byte, 12)
	d.order.PutUint16(entry, tagXMP)
	d.order.PutUint16(entry[2:], kindByte)
	d.order.PutUint32(entry[4:], uint32(length))
	d.order.PutUint32(entry[8:], uint32(at))
	entries = slices.DeleteFunc(entries, func(e directoryEntry) bool { return e.tag == tagXMP })
	place, _ := slices.BinarySearchFunc(entries, tagXMP, func(e directoryEntry, tag int) int { return int(e.tag) - tag })
	entries = slices.Insert(entries, place, directoryEntry{raw: entry})
	directory := d.order.AppendUint16(nil, uint16(len(entries)))
	for _, e := range entries {
		directory = append(directory, e.raw...)
	}
	return append(directory, next...)
}

// writePacketWebP puts the packet behind all other chunks, which is where it
// belongs, and announces it in the first.
func writePacketWebP(w io.Writer, f *os.File, packet []byte) error {
	size, err := webp.DecodeConfig(f)
	if err != nil {
		return err
	}
	chunks, flags, err := otherWebPChunks(f)
	if err != nil {
		return err
	}
	first := make([]byte, 18)
	copy(first, "VP8X")
	first[4], first[8] = 10, flags|webpXMPFlag
	putUint24(first[12:], size.Width-1)
	putUint24(first[15:], size.Height-1)
	last := append(binary.LittleEndian.AppendUint32([]byte("XMP "), uint32(len(packet))), packet...)
	last = append(last, make([]byte, len(packet)&1)...)
	total := 4 + len(first) + len(last)
	for _, c := range chunks {
		total += int(c.Size())
	}
	head := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(total))
	if _, err := w.Write(append(append(head, "WEBP"...), first...)); err != nil {
		return err
	}
	for _, c := range chunks {
		if _, err := io.Copy(w, c); err != nil {
			return err
		}
	}
	_, err = w.Write(last)
	return err
}

// otherWebPChunks are the chunks of a WebP besides its packet and the first one,
// whose flags it gives.
func otherWebPChunks(f *os.File) (chunks []*io.SectionReader, flags byte, err error) {
	var head [8]byte
	if _, err := f.ReadAt(head[:], 0); err != nil {
		return nil, 0, err
	}
	err = walkWebPChunks(f, int64(binary.LittleEndian.Uint32(head[4:])), func(name string, length int64) error {
		at, err := f.Seek(0, io.SeekCurrent)
		if err != nil || name == "XMP " {
			return err
		}
		if name != "VP8X" {
			chunks = append(chunks, io.NewSectionReader(f, at-8, 8+length))
			return nil
		}
		var was [1]byte
		_, err = f.ReadAt(was[:], at)
		flags = was[0]
		return err
	})
	return chunks, flags, err
}

func putUint24(b []byte, n int) { b[0], b[1], b[2] = byte(n), byte(n>>8), byte(n>>16) }
