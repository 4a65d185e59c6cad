package imagefile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// The boxes of a JPEG XL (ISO/IEC 18181-2) that its pixels are read with.
var jxlPicture = []string{"JXL ", "ftyp", "jxll", "jxli", "jxlc", "jxlp"}

// stripJXL copies a JPEG XL box by box. A file without boxes has no metadata.
// Compressed boxes (brob) go, and what a JPEG is made anew with (jbrd), which has
// all of that one's metadata.
func stripJXL(w io.Writer, f *os.File, part Part) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	whole := file{f, info.Size()}
	if bare, err := whole.bytesAt(0, 2); err != nil || string(bare) == "\xff\x0a" {
		return errors.Join(err, copyRange(w, f, 0, whole.size))
	}
	end := int64(0)
	return whole.walkBoxes(func(kind string, at, n int64) error {
		from := end
		end = at + n
		switch {
		case slices.Contains(jxlPicture, kind):
			return copyRange(w, f, from, end)
		case part == Everything || kind != "Exif" && kind != "xml ":
			return nil
		case n > maxMetadata:
			return fmt.Errorf("a box %q of %d bytes", kind, n)
		}
		data, err := whole.bytesAt(at, int(n))
		if err != nil {
			return err
		}
		if kind == "Exif" {
			err = stripEXIFItem(data)
		} else {
			err = keepKnownXMP(data)
		}
		if err != nil {
			return err
		}
		if err := copyRange(w, f, from, at); err != nil { // the box's head
			return err
		}
		_, err = w.Write(data)
		return err
	})
}

func copyRange(w io.Writer, f io.ReaderAt, from, to int64) error {
	n, err := io.Copy(w, io.NewSectionReader(f, from, to-from))
	if err == nil && n < to-from {
		err = io.ErrUnexpectedEOF
	}
	return err
}
