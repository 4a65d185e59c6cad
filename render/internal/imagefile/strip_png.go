package imagefile

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"strings"
)

// The chunks of a PNG that its pixels are read with, those that hold metadata,
// and the last one.
var (
	pngPicture  = []string{"IHDR", "PLTE", "IDAT", pngEnd, "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI", "bKGD", "hIST", "pHYs"}
	pngMetadata = []string{"eXIf", "iTXt", "zTXt", "tEXt", "tIME"}
)

const pngEnd = "IEND"

// pngTexts are the keywords of texts that stay when the location goes, besides
// metadata of other kinds.
var pngTexts = []string{"Title", "Author", "Description", "Copyright", "Creation Time", "Software"}

const xmpKeyword = "XML:com.adobe.xmp"

// stripPNG copies a PNG chunk by chunk, up to its last one.
func stripPNG(w io.Writer, f *os.File, part Part) error {
	if _, err := io.CopyN(w, f, 8); err != nil {
		return err
	}
	for {
		var head [8]byte
		if _, err := io.ReadFull(f, head[:]); err != nil {
			return fmt.Errorf("PNG ends between chunks: %w", err)
		}
		length, name := int64(binary.BigEndian.Uint32(head[:])), string(head[4:])
		switch {
		case slices.Contains(pngPicture, name):
			if _, err := w.Write(head[:]); err != nil {
				return err
			}
			if _, err := io.CopyN(w, f, length+4); err != nil || name == pngEnd {
				return err
			}
		case part == Location && slices.Contains(pngMetadata, name):
			if err := copyKnownChunk(w, f, name, length); err != nil {
				return err
			}
		default:
			if _, err := io.CopyN(io.Discard, f, length+4); err != nil {
				return err
			}
		}
	}
}

// copyKnownChunk copies what of a chunk of metadata is known to hold no location.
func copyKnownChunk(w io.Writer, f io.Reader, name string, length int64) error {
	if length > maxMetadata {
		return fmt.Errorf("a %s chunk of %d bytes", name, length)
	}
	data, err := io.ReadAll(io.LimitReader(f, length+4)) // with its checksum
	if err != nil || int64(len(data)) < length+4 {
		return fmt.Errorf("PNG ends in a chunk: %w", errors.Join(err, io.ErrUnexpectedEOF))
	}
	kept, err := keepKnownChunk(name, data[:length])
	if err != nil || kept == nil {
		return err
	}
	out := append(binary.BigEndian.AppendUint32(nil, uint32(len(kept))), name...)
	out = append(out, kept...)
	_, err = w.Write(binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:])))
	return err
}

// keepKnownChunk gives what of a chunk of metadata is known to hold no location,
// or nil.
func keepKnownChunk(name string, data []byte) ([]byte, error) {
	switch name {
	case "eXIf":
		return data, stripEXIF(data)
	case "tIME":
		if len(data) != 7 {
			return nil, nil
		}
		return data, nil
	}
	t, err := readPNGText(name, data)
	if err != nil {
		return nil, err
	}
	profile, isProfile := strings.CutPrefix(t.keyword, "Raw profile type ")
	switch {
	case t.keyword == xmpKeyword:
		err = keepKnownXMP(t.text)
	case isProfile:
		t.text, err = keepKnownProfile(profile, t.text)
	case !slices.Contains(pngTexts, t.keyword) || holdsPosition(string(t.text)):
		return nil, nil
	}
	if err != nil || t.text == nil {
		return nil, err
	}
	return t.bytes(name)
}

// A pngText is a chunk of text.
type pngText struct {
	keyword    string
	compressed bool
	text       []byte
}

func readPNGText(name string, data []byte) (t pngText, err error) {
	keyword, rest, ok := bytes.Cut(data, []byte{0})
	if !ok || name == "zTXt" && len(rest) < 1 || name == "iTXt" && len(rest) < 4 {
		return t, fmt.Errorf("a chunk %s is cut off", name)
	}
	t = pngText{keyword: string(keyword), text: rest}
	switch name {
	case "zTXt":
		t.compressed, t.text = true, rest[1:]
	case "iTXt":
		t.compressed, t.text = rest[0] == 1, rest[2:]
		for range 2 { // the language and the translated keyword
			if _, t.text, ok = bytes.Cut(t.text, []byte{0}); !ok {
				return t, errors.New("a chunk iTXt is cut off")
			}
		}
	}
	if t.compressed {
		t.text, err = inflate(t.text)
	}
	return t, err
}

// bytes is the text as a chunk of a name, without a language.
func (t pngText) bytes(name string) ([]byte, error) {
	out := bytes.NewBufferString(t.keyword + "\x00")
	switch {
	case name == "zTXt":
		out.WriteByte(0)
	case name == "iTXt" && t.compressed:
		out.WriteString("\x01\x00\x00\x00")
	case name == "iTXt":
		out.WriteString("\x00\x00\x00\x00")
	}
	if !t.compressed {
		out.Write(t.text)
		return out.Bytes(), nil
	}
	z := zlib.NewWriter(out)
	_, err := z.Write(t.text)
	err = errors.Join(err, z.Close())
	return out.Bytes(), err
}

func inflate(compressed []byte) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(z, maxMetadata+1))
	if err == nil && len(data) > maxMetadata {
		err = fmt.Errorf("a text of more than %d MB in a PNG", maxMetadata>>20)
	}
	return data, err
}

// keepKnownProfile gives what of a raw profile is known to hold no location, or
// nil. A raw profile is ImageMagick's way to have EXIF and IPTC in a PNG: a
// newline, its name, its length, each on a line, then hexadecimal lines.
func keepKnownProfile(name string, text []byte) ([]byte, error) {
	lines := bytes.SplitN(text, []byte("\n"), 4)
	if len(lines) < 4 {
		return nil, errors.New("a raw profile is cut off")
	}
	digits := bytes.ReplaceAll(lines[3], []byte("\n"), nil)
	data := make([]byte, hex.DecodedLen(len(digits)))
	if _, err := hex.Decode(data, digits); err != nil {
		return nil, err
	}
	data, err := keepKnownNamed(name, data)
	if err != nil || len(data) == 0 {
		return nil, err
	}
	out := fmt.Appendf(nil, "\n%s\n%8d", name, len(data))
	for line := range slices.Chunk(data, 36) {
		out = hex.AppendEncode(append(out, '\n'), line)
	}
	return append(out, '\n'), nil
}

// keepKnownNamed gives what is known to hold no location of metadata whose kind is
// known by how they begin, or by the profile's name; nil when it is not known.
func keepKnownNamed(name string, data []byte) ([]byte, error) {
	if tags, ok := bytes.CutPrefix(data, []byte(exifName)); ok || name == "exif" {
		return data, stripEXIF(tags)
	}
	if packet, ok := bytes.CutPrefix(data, []byte(xmpNamespace)); ok || name == "xmp" {
		return data, keepKnownXMP(packet)
	}
	if rest, ok := bytes.CutPrefix(data, []byte(photoshopName)); ok || bytes.HasPrefix(data, []byte("8BIM")) {
		return keepKnownResources(rest)
	}
	if name == "iptc" {
		return keepKnownIPTC(data)
	}
	return nil, nil
}
