package imagefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// webpMetadataFlags are those of a WebP's VP8X chunk that announce EXIF and XMP.
const webpMetadataFlags = 0x08 | 0x04

// stripWebP copies a WebP chunk by chunk. The length in its head is known in
// advance, since metadata that are blanked keep theirs.
func stripWebP(w io.Writer, f *os.File, part Part) error {
	var head [12]byte
	if _, err := io.ReadFull(f, head[:]); err != nil || string(head[:4])+string(head[8:]) != "RIFFWEBP" {
		return errors.Join(errors.New("it is not a WebP file"), err)
	}
	total := int64(binary.LittleEndian.Uint32(head[4:]))
	if part == Everything {
		err := walkWebPChunks(f, total, func(name string, length int64) error {
			if name == "EXIF" || name == "XMP " {
				total -= 8 + length
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	length := int64(binary.LittleEndian.Uint32(head[4:]))
	binary.LittleEndian.PutUint32(head[4:], uint32(total))
	if _, err := w.Write(head[:]); err != nil {
		return err
	}
	return walkWebPChunks(f, length, func(name string, n int64) error {
		metadata := name == "EXIF" || name == "XMP "
		if metadata && part == Everything {
			return nil
		}
		if !metadata && name != "VP8X" {
			if _, err := f.Seek(-8, io.SeekCurrent); err != nil {
				return err
			}
			_, err := io.CopyN(w, f, 8+n)
			return err
		}
		if n > maxMetadata {
			return fmt.Errorf("a chunk %q of %d bytes", name, n)
		}
		if _, err := f.Seek(-8, io.SeekCurrent); err != nil {
			return err
		}
		data := make([]byte, 8+n)
		if _, err := io.ReadFull(f, data); err != nil {
			return err
		}
		size := min(int64(binary.LittleEndian.Uint32(data[4:])), n)
		if err := blankWebPChunk(name, data[8:8+size], part); err != nil {
			return err
		}
		_, err := w.Write(data)
		return err
	})
}

func blankWebPChunk(name string, data []byte, part Part) error {
	switch {
	case name == "EXIF":
		tags := bytes.TrimPrefix(data, []byte(exifName))
		return stripDirectories(buffer(tags), int64(len(tags)), isNotLocation)
	case name == "XMP ":
		return blankXMP(data)
	case part == Everything && len(data) > 0: // VP8X
		data[0] &^= webpMetadataFlags
	}
	return nil
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
