package imagefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// webpMetadataFlags are those of a WebP's VP8X chunk that announce EXIF and XMP.
const (
	webpXMPFlag       = 0x04
	webpMetadataFlags = 0x08 | webpXMPFlag
)

// The chunks of a still WebP that its pixels are read with, and those that hold
// metadata.
var (
	webpPicture  = []string{"VP8X", "VP8 ", "VP8L", "ALPH", "ICCP"}
	webpMetadata = []string{"EXIF", "XMP "}
)

// stripWebP copies a WebP chunk by chunk. The length in its head is known in
// advance, since metadata that stay keep theirs.
func stripWebP(w io.Writer, f *os.File, part Part) error {
	var head [12]byte
	if _, err := io.ReadFull(f, head[:]); err != nil || string(head[:4])+string(head[8:]) != "RIFFWEBP" {
		return errors.Join(errors.New("it is not a WebP file"), err)
	}
	total := int64(4)
	length := int64(binary.LittleEndian.Uint32(head[4:]))
	err := walkWebPChunks(f, length, func(name string, n int64) error {
		if name == "ANIM" || name == "ANMF" {
			return errors.New("a WebP that is animated")
		}
		if webpChunkStays(name, part) {
			total += 8 + n
		}
		return nil
	})
	if err != nil {
		return err
	}
	binary.LittleEndian.PutUint32(head[4:], uint32(total))
	if _, err := w.Write(head[:]); err != nil {
		return err
	}
	return walkWebPChunks(f, length, func(name string, n int64) error {
		if !webpChunkStays(name, part) {
			return nil
		}
		return copyWebPChunk(w, f, name, n, part)
	})
}

func webpChunkStays(name string, part Part) bool {
	return slices.Contains(webpPicture, name) || part == Location && slices.Contains(webpMetadata, name)
}

// copyWebPChunk copies what stays of a chunk of so many bytes, at which the file's
// offset is.
func copyWebPChunk(w io.Writer, f *os.File, name string, n int64, part Part) error {
	if _, err := f.Seek(-8, io.SeekCurrent); err != nil {
		return err
	}
	if name != "VP8X" && !slices.Contains(webpMetadata, name) {
		_, err := io.CopyN(w, f, 8+n)
		return err
	}
	if n > maxMetadata {
		return fmt.Errorf("a chunk %q of %d bytes", name, n)
	}
	chunk, err := io.ReadAll(io.LimitReader(f, 8+n))
	if err != nil || int64(len(chunk)) < 8+n {
		return fmt.Errorf("WebP ends in a chunk: %w", errors.Join(err, io.ErrUnexpectedEOF))
	}
	size := min(int64(binary.LittleEndian.Uint32(chunk[4:])), n)
	clear(chunk[8+size:])
	data := chunk[8 : 8+size]
	switch {
	case name == "EXIF":
		err = stripEXIF(bytes.TrimPrefix(data, []byte(exifName)))
	case name == "XMP ":
		err = keepKnownXMP(data)
	case part == Everything && len(data) > 0: // VP8X
		data[0] &^= webpMetadataFlags
	}
	if err != nil {
		return err
	}
	_, err = w.Write(chunk)
	return err
}

// walkWebPChunks visits the chunks of a WebP whose head gives this length. At each
// visit the file's offset is that of the chunk's data. Chunks have an even
// length.
func walkWebPChunks(f *os.File, total int64, visit func(name string, length int64) error) error {
	for at := int64(12); at < 8+total; {
		var head [8]byte
		if _, err := f.ReadAt(head[:], at); err != nil {
			return err
		}
		if _, err := f.Seek(at+8, io.SeekStart); err != nil {
			return err
		}
		length := int64(binary.LittleEndian.Uint32(head[4:]))
		length += length & 1
		if err := visit(string(head[:4]), length); err != nil {
			return err
		}
		at += 8 + length
	}
	return nil
}
