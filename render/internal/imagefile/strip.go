package imagefile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
)

// Part is what [Strip] takes out of a file.
type Part int

const (
	// Location is where the picture was taken, and with it everything that is not
	// known to say nothing of it: what stays is how the picture was taken and
	// edited, whose it is, its title and its keywords, and of these no text that
	// holds a position.
	Location Part = iota + 1
	// Everything is all metadata but the ICC profile.
	Everything
)

// maxMetadata bounds the bytes of metadata that are read into memory at once.
const maxMetadata = 1 << 26

// copiers write a copy of a file without a part of its metadata, and editors take
// them out in place.
var (
	copiers = map[Format]func(io.Writer, *os.File, Part) error{JPEG: stripJPEG, PNG: stripPNG, WebP: stripWebP, JXL: stripJXL}
	editors = map[Format]func(path string, part Part) error{TIFF: stripTIFF, AVIF: stripAVIF, EXR: stripEXR}
)

// Strip takes metadata out of the file at path, which nobody else may be reading
// or writing. It knows all formats. Metadata that it cannot read are an error, as a
// location may be among them; the file then stays as it was.
func Strip(path string, f Format, part Part) error {
	if strip, ok := editors[f]; ok {
		return strip(path, part)
	}
	strip, ok := copiers[f]
	if !ok {
		return fmt.Errorf("the metadata of a %s: %w", f, errors.ErrUnsupported)
	}
	return rewrite(path, func(w io.Writer, from *os.File) error { return strip(w, from, part) })
}

// rewrite replaces a file by a changed copy of it. When that cannot be made, the
// file stays as it was.
func rewrite(path string, change func(w io.Writer, from *os.File) error) error {
	from, err := os.Open(path)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.Create(path + ".changed")
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(to, 1<<18)
	err = change(w, from)
	if err = errors.Join(err, w.Flush(), to.Close()); err != nil {
		return errors.Join(err, os.Remove(to.Name()))
	}
	return os.Rename(to.Name(), path)
}
