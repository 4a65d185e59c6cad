package imagefile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// errFound ends a walk.
var errFound = errors.New("found")

// OddJPEG says in which way a JPEG is none of the usual kind, of 8 bits in grey or RGB, by
// baseline or progressive coding (ITU-T T.81, tables B.1 and B.2); "" when it is, or is no
// JPEG. Few programs read the others.
func OddJPEG(r io.ReaderAt, size int64) (kind string) {
	adobe := byte(0)
	_ = walkSegments(bufio.NewReader(io.NewSectionReader(r, 0, size)), func(marker byte, data []byte) error {
		if rest, ok := bytes.CutPrefix(data, []byte(adobeName)); ok && marker == markerAPP14 && len(rest) >= 7 {
			adobe = rest[6]
		}
		const tables, extension, arithmetic = 0xc4, 0xc8, 0xcc // among the markers of frames
		if marker < 0xc0 || marker > 0xcf || marker == tables || marker == extension || marker == arithmetic || len(data) < 6 {
			return nil
		}
		kind = oddFrame(marker, data[0], data[5], adobe)
		return errFound
	})
	return kind
}

// oddFrame says what is odd about a frame of so many bits and components; adobe is how
// Adobe's programs say that colours were transformed.
func oddFrame(marker, bits, components, adobe byte) string {
	switch {
	case marker == 0xc3:
		return fmt.Sprintf("a lossless JPEG of %d bits", bits)
	case marker >= 0xc9:
		return "a JPEG in arithmetic coding"
	case marker >= 0xc5:
		return "a hierarchical JPEG"
	case bits != 8:
		return fmt.Sprintf("a JPEG of %d bits", bits)
	case components == 4 && adobe == 2:
		return "a JPEG in CMYK, as YCCK"
	case components == 4:
		return "a JPEG in CMYK"
	case components != 1 && components != 3:
		return fmt.Sprintf("a JPEG of %d components", components)
	}
	return ""
}

// Camera gives the maker and the model of the camera that wrote a TIFF, or a raw that is
// built like one; "" for what the file does not say.
func Camera(r io.ReaderAt, size int64) (maker, model string) {
	const tagMake, tagModel = 271, 272
	eachDirectory(r, size, func(dirs *directories, entries []directoryEntry, isFirst bool) {
		for _, e := range entries {
			if !isFirst || e.kind != kindText || e.tag != tagMake && e.tag != tagModel {
				continue
			}
			value, _ := dirs.value(&e)
			text, _, _ := bytes.Cut(value, []byte{0})
			at := &maker
			if e.tag == tagModel {
				at = &model
			}
			*at = strings.TrimSpace(strings.ToValidUTF8(string(text), "?"))
		}
	})
	return maker, model
}
