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

// pngMetadata are the chunks that hold metadata.
var pngMetadata = []string{"eXIf", "iTXt", "zTXt", "tEXt", "tIME"}

// stripPNG copies a PNG chunk by chunk.
func stripPNG(w io.Writer, f *os.File, part Part) error {
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
		if length > maxMetadata {
			return fmt.Errorf("a %s chunk of %d bytes", name, length)
		}
		data := make([]byte, length+4) // with its checksum
		if _, err := io.ReadFull(f, data); err != nil {
			return err
		}
		if part == Everything {
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

// blankChunk gives a chunk of metadata with its location blanked.
func blankChunk(name string, data []byte) ([]byte, error) {
	if name == "eXIf" {
		return data, stripDirectories(buffer(data), int64(len(data)), isNotLocation)
	}
	key, _, ok := bytes.Cut(data, []byte{0})
	if !ok || name == "tIME" {
		return data, nil
	}
	head, compressed := len(key)+1, false
	switch {
	case name == "zTXt":
		head, compressed = head+1, true
	case name == "iTXt" && len(data) > head+2:
		compressed = data[head] == 1
		head += 2
		for range 2 { // the language and the translated key
			i := bytes.IndexByte(data[head:], 0)
			if i < 0 {
				return nil, errors.New("an iTXt chunk is cut off")
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
	if compressed {
		if text, err = inflate(text); err != nil {
			return nil, err
		}
	}
	if isXMP {
		err = blankXMP(text)
	} else {
		err = blankProfile(profile, text)
	}
	if err != nil || !compressed {
		return data, err
	}
	out := bytes.NewBuffer(bytes.Clone(data[:head]))
	z := zlib.NewWriter(out)
	_, err = z.Write(text)
	err = errors.Join(err, z.Close())
	return out.Bytes(), err
}

func inflate(compressed []byte) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(z, maxMetadata))
}

// blankProfile blanks the location in a raw profile, ImageMagick's way to have
// EXIF and IPTC in a PNG: a newline, its name, its length, each on a line, then
// hexadecimal lines.
func blankProfile(name string, text []byte) error {
	lines := bytes.SplitN(text, []byte("\n"), 4)
	if len(lines) < 4 {
		return errors.New("a raw profile is cut off")
	}
	digits := bytes.ReplaceAll(lines[3], []byte("\n"), nil)
	data := make([]byte, hex.DecodedLen(len(digits)))
	if _, err := hex.Decode(data, digits); err != nil {
		return err
	}
	if err := blankNamed(name, data); err != nil {
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

// blankNamed blanks the location in metadata whose kind is known by how they
// begin, or by the profile's name.
func blankNamed(name string, data []byte) error {
	if tags, ok := bytes.CutPrefix(data, []byte(exifName)); ok || name == "exif" {
		return stripDirectories(buffer(tags), int64(len(tags)), isNotLocation)
	}
	if packet, ok := bytes.CutPrefix(data, []byte(xmpNamespace)); ok || name == "xmp" {
		return blankXMP(packet)
	}
	if bytes.HasPrefix(data, []byte("8BIM")) {
		return blankResources(data)
	}
	if name == "iptc" {
		return blankIPTC(data)
	}
	return nil
}
