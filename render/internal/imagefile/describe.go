package imagefile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
)

// A Description is what a JPEG, PNG or TIFF says of how its pixels are to be shown.
type Description struct {
	// Profile is its ICC profile; nil when it has none.
	Profile []byte
	// Orientation is how it is turned, as EXIF has it, 1 to 8; 0 when it does not say.
	Orientation int
	// AdobeRGB is whether its EXIF says that without a profile it is in Adobe RGB.
	AdobeRGB bool
}

// maxProfile is how many bytes a profile has at most.
const maxProfile = 4 << 20

// The tags that are read, besides those that lead to other directories.
const (
	tagOrientation  = 0x112
	tagProfile      = 0x8773
	tagInteropIndex = 1
)

// Describe reads the description of a JPEG, PNG or TIFF.
func Describe(r io.ReaderAt, size int64) (Description, error) {
	head := make([]byte, 8)
	if _, err := r.ReadAt(head, 0); err != nil {
		return Description{}, err
	}
	whole := io.NewSectionReader(r, 0, size)
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xd8")):
		return describeJPEG(bufio.NewReader(whole))
	case string(head) == "\x89PNG\r\n\x1a\n":
		return describePNG(whole)
	}
	var d Description
	err := d.readEXIF(readOnly{r}, size)
	return d, err
}

// readOnly is a block that is only read.
type readOnly struct{ io.ReaderAt }

func (readOnly) WriteAt([]byte, int64) (int, error) { return 0, errors.New("it is only read") }

func describeJPEG(r *bufio.Reader) (d Description, err error) {
	var chunks [256][]byte
	err = walkSegments(r, func(marker byte, data []byte) error {
		if exif, ok := bytes.CutPrefix(data, []byte(exifName)); ok && marker == markerAPP1 && d.Orientation == 0 {
			_ = d.readEXIF(buffer(exif), int64(len(exif))) // what cannot be read says nothing
		}
		if chunk, ok := bytes.CutPrefix(data, []byte(iccName)); ok && marker == markerAPP2 && len(chunk) > 2 && chunks[chunk[0]] == nil {
			chunks[chunk[0]] = bytes.Clone(chunk[2:])
		}
		return nil
	})
	if d.Profile = slices.Concat(chunks[:]...); len(d.Profile) > maxProfile {
		return d, errors.New("its colour profile has more than 4 MB")
	}
	return d, err
}

func describePNG(r *io.SectionReader) (d Description, err error) {
	for at := int64(8); ; {
		var head [8]byte
		if _, err := r.ReadAt(head[:], at); err != nil {
			return d, err
		}
		length, name := int64(binary.BigEndian.Uint32(head[:])), string(head[4:])
		if name == "IDAT" || name == pngEnd {
			return d, nil
		}
		if name == "iCCP" || name == "eXIf" {
			if length > maxProfile {
				return d, errors.New("its metadata have more than 4 MB")
			}
			data := make([]byte, length)
			if _, err := r.ReadAt(data, at+8); err != nil {
				return d, err
			}
			if err := d.readChunk(name, data); err != nil {
				return d, err
			}
		}
		at += length + 12
	}
}

// readChunk reads a profile, which has a name, or EXIF.
func (d *Description) readChunk(name string, data []byte) (err error) {
	if name == "eXIf" {
		_ = d.readEXIF(buffer(data), int64(len(data)))
		return nil
	}
	_, compressed, ok := bytes.Cut(data, []byte{0})
	if !ok || len(compressed) < 1 {
		return errors.New("its colour profile is damaged")
	}
	d.Profile, err = inflate(compressed[1:])
	return err
}

// readEXIF reads the directories of a TIFF or of EXIF.
func (d *Description) readEXIF(b block, size int64) error {
	dirs, first, err := openDirectories(b, size)
	if err != nil {
		return err
	}
	entries, err := dirs.entries(first)
	if err != nil {
		return err
	}
	for _, e := range entries {
		switch e.tag {
		case tagOrientation:
			d.Orientation = int(dirs.first(e))
		case tagProfile:
			if d.Profile, err = dirs.value(&e); err != nil {
				return err
			}
		case tagEXIF:
			d.AdobeRGB = dirs.isAdobeRGB(dirs.first(e))
		}
	}
	if d.Orientation < 1 || d.Orientation > 8 {
		d.Orientation = 0
	}
	return nil
}

// first is the first number of an entry, 0 when it has none.
func (d *directories) first(e directoryEntry) int64 {
	value, err := d.value(&e)
	if numbers := d.numbers(e.kind, value); err == nil && len(numbers) > 0 {
		return numbers[0]
	}
	return 0
}

// isAdobeRGB reports whether the EXIF directory at a place leads to the mark of DCF's
// optional colour space.
func (d *directories) isAdobeRGB(at int64) bool {
	entries, _ := d.entries(at)
	for _, e := range entries {
		if e.tag != tagInteroperability {
			continue
		}
		inner, _ := d.entries(d.first(e))
		for _, e := range inner {
			value, _ := d.value(&e)
			if e.tag == tagInteropIndex && bytes.HasPrefix(value, []byte("R03")) {
				return true
			}
		}
	}
	return false
}
