package render

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

// mostMetadata bounds a chunk of metadata that is looked into.
const mostMetadata = 1 << 28

// pngMetadata are the chunks that hold metadata.
var pngMetadata = []string{"eXIf", "iTXt", "zTXt", "tEXt", "tIME"}

// stripPNG copies a PNG chunk by chunk.
func stripPNG(w io.Writer, f *os.File, m Metadata) error {
	if _, err := io.CopyN(w, f, 8); err != nil {
		return err
	}
	for {
		var head [8]byte
		if _, err := io.ReadFull(f, head[:]); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		length, name := int64(binary.BigEndian.Uint32(head[:])), string(head[4:])
		if !slices.Contains(pngMetadata, name) {
			if _, err := w.Write(head[:]); err != nil {
				return err
			}
			if _, err := io.CopyN(w, f, length+4); err != nil {
				return err
			}
			continue
		}
		if length > mostMetadata {
			return fmt.Errorf("a %s chunk of %d bytes", name, length)
		}
		data := make([]byte, length+4) // with its checksum
		if _, err := io.ReadFull(f, data); err != nil {
			return err
		}
		if m == StripAll {
			continue
		}
		data, err := blankChunk(name, data[:length])
		if err != nil {
			return err
		}
		if err := writeChunk(w, name, data); err != nil {
			return err
		}
	}
}

func writeChunk(w io.Writer, name string, data []byte) error {
	out := append(binary.BigEndian.AppendUint32(nil, uint32(len(data))), name...)
	out = append(out, data...)
	_, err := w.Write(binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:])))
	return err
}

// blankChunk gives a chunk of metadata without the places in it.
func blankChunk(name string, data []byte) ([]byte, error) {
	if name == "eXIf" {
		return data, stripTags(memory(data), int64(len(data)), StripLocation, nil)
	}
	key, _, ok := bytes.Cut(data, []byte{0})
	if !ok || name == "tIME" {
		return data, nil
	}
	head, packed := len(key)+1, false
	switch {
	case name == "zTXt":
		head, packed = head+1, true
	case name == "iTXt" && len(data) > head+2:
		packed = data[head] == 1
		head += 2
		for range 2 { // the language and the translated key
			i := bytes.IndexByte(data[head:], 0)
			if i < 0 {
				return nil, errors.New("an iTXt chunk is torn")
			}
			head += i + 1
		}
	}
	profile, isProfile := strings.CutPrefix(string(key), "Raw profile type ")
	isXMP := string(key) == "XML:com.adobe.xmp"
	if !isXMP && !isProfile || head > len(data) {
		return data, nil
	}
	text := data[head:]
	var err error
	if packed {
		if text, err = unpack(text); err != nil {
			return nil, err
		}
	}
	if isXMP {
		err = blankPlaces(text)
	} else {
		err = blankProfile(profile, text)
	}
	if err != nil || !packed {
		return data, err
	}
	out := bytes.NewBuffer(bytes.Clone(data[:head]))
	z := zlib.NewWriter(out)
	_, err = z.Write(text)
	err = errors.Join(err, z.Close())
	return out.Bytes(), err
}

func unpack(packed []byte) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(z, mostMetadata))
}

// blankProfile blanks the places in a raw profile, ImageMagick's way to have
// EXIF and IPTC in a PNG: a newline, its name, its length, each on a line, then
// hexadecimal lines.
func blankProfile(name string, text []byte) error {
	lines := bytes.SplitN(text, []byte("\n"), 4)
	if len(lines) < 4 {
		return errors.New("a raw profile is torn")
	}
	digits := bytes.ReplaceAll(lines[3], []byte("\n"), nil)
	data := make([]byte, hex.DecodedLen(len(digits)))
	if _, err := hex.Decode(data, digits); err != nil {
		return err
	}
	if err := blankAny(name, data); err != nil {
		return err
	}
	hex.Encode(digits, data)
	for i, c := range lines[3] {
		if c != '\n' {
			lines[3][i], digits = digits[0], digits[1:]
		}
	}
	return nil
}

// blankAny blanks the places in metadata that begin with what they are, or are
// what the profile's name says.
func blankAny(name string, data []byte) error {
	if tags, ok := bytes.CutPrefix(data, []byte(exifName)); ok || name == "exif" {
		return stripTags(memory(tags), int64(len(tags)), StripLocation, nil)
	}
	if packet, ok := bytes.CutPrefix(data, []byte(xmpNamespace)); ok || name == "xmp" {
		return blankPlaces(packet)
	}
	if bytes.HasPrefix(data, []byte("8BIM")) {
		return blankResources(data)
	}
	if name == "iptc" {
		return blankDataSets(data)
	}
	return nil
}
