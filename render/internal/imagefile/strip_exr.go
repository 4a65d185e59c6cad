package imagefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"regexp"
	"slices"
)

// The attributes of an OpenEXR file that its pixels are read with, and those that
// stay when the location goes.
var (
	exrPicture = []string{
		"channels", "compression", "dataWindow", "displayWindow", "lineOrder", "pixelAspectRatio",
		"screenWindowCenter", "screenWindowWidth", "tiles", "chromaticities", "whiteLuminance", "adoptedNeutral", "dwaCompressionLevel",
	}
	exrKnown = []string{"owner", "comment", "isoSpeed", "expTime", "aperture", "focus", "capDate", "xDensity", "exif", "xmp"}
)

// exrComment matches what darktable says of itself.
var exrComment = regexp.MustCompile(`^(?:Developed using|Created with) darktable [0-9a-z.+~-]*$`)

// errEXR is the error of a file that is not as darktable writes it.
var errEXR = errors.New("an OpenEXR file is cut off, or of a form that is not known")

// stripEXR takes metadata out of an OpenEXR file in place. Its head keeps its
// length, since the pixels' places are counted from the file's beginning: an
// attribute of zeros takes the room of those that go.
func stripEXR(path string, part Part) error {
	return editInPlace(path, func(b block, size int64) error {
		head := make([]byte, min(size, 1<<24))
		if _, err := b.ReadAt(head, 0); err != nil {
			return err
		}
		if len(head) < 8 || string(head[:4]) != "\x76\x2f\x31\x01" {
			return errEXR
		}
		flags := binary.LittleEndian.Uint32(head[4:])
		if flags&^0x600 != 2 { // version 2, tiles and long names; not deep, not in parts
			return errEXR
		}
		var p plan
		end, err := planEXRHead(&p, head, part)
		if err != nil {
			return err
		}
		if err := planEXRChunks(&p, file{b, size}, int64(end), flags&0x200 != 0); err != nil {
			return err
		}
		return p.apply(b, size)
	})
}

// planEXRHead plans the attributes, and gives where they end.
func planEXRHead(p *plan, head []byte, part Part) (end int, err error) {
	out := bytes.Clone(head[:8])
	rest := head[8:]
	for len(rest) > 0 && rest[0] != 0 {
		name, after, ok := bytes.Cut(rest, []byte{0})
		kind, after, ok2 := bytes.Cut(after, []byte{0})
		if !ok || !ok2 || len(after) < 4 || uint64(binary.LittleEndian.Uint32(after)) > uint64(len(after)-4) {
			return 0, errEXR
		}
		length := int(binary.LittleEndian.Uint32(after))
		value := bytes.Clone(after[4 : 4+length])
		stays := slices.Contains(exrPicture, string(name))
		if !stays && part == Location && slices.Contains(exrKnown, string(name)) {
			if stays, err = keepKnownEXR(string(name), string(kind), value); err != nil {
				return 0, err
			}
		}
		whole := len(rest) - len(after) + 4 + length
		if stays {
			out = append(append(out, rest[:whole-length]...), value...)
		}
		rest = rest[whole:]
	}
	if len(rest) == 0 {
		return 0, errEXR
	}
	end = len(head) - len(rest) + 1
	if room := end - 1 - len(out); room > 0 {
		filler := []byte("z\x00string\x00")
		if room < len(filler)+4 {
			return 0, errEXR
		}
		out = binary.LittleEndian.AppendUint32(append(out, filler...), uint32(room-len(filler)-4))
		out = append(out, make([]byte, end-1-len(out))...)
	}
	p.write(0, append(out, 0))
	return end, nil
}

// keepKnownEXR leaves what of a known attribute is known to hold no location, and
// reports whether it stays.
func keepKnownEXR(name, kind string, value []byte) (stays bool, err error) {
	switch {
	case name == "exif":
		return true, stripEXIF(bytes.TrimPrefix(value, []byte(exifName)))
	case name == "xmp":
		return true, keepKnownXMP(value)
	case name == "comment":
		return exrComment.Match(value), nil
	case kind == "string":
		return !holdsPosition(string(value)), nil
	}
	return kind == "float" && len(value) == 4, nil
}

// planEXRChunks keeps the list of the places of the chunks, which begins at a
// place, and the chunks.
func planEXRChunks(p *plan, f file, at int64, tiled bool) error {
	head, lengthAt := 8, 4 // line, length
	if tiled {
		head, lengthAt = 20, 16 // place, level, length
	}
	table, first := at, f.size
	for ; at < first; at += 8 {
		b, err := f.bytesAt(at, 8)
		if err != nil {
			return err
		}
		place := int64(binary.LittleEndian.Uint64(b))
		chunk, err := f.bytesAt(max(place, 0), head)
		if err != nil || place < at+8 {
			return errEXR
		}
		first = min(first, place)
		p.keep(place, int64(head)+int64(binary.LittleEndian.Uint32(chunk[lengthAt:])))
	}
	if at != first {
		return errEXR
	}
	p.keep(table, at-table)
	return nil
}
