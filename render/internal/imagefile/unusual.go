package imagefile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// processes are the frames of JPEGs that few programs read, by their markers (ITU-T T.81,
// table B.1, and T.87).
var processes = map[byte]string{
	0xc3: "a lossless JPEG", 0xc5: "a hierarchical JPEG", 0xc6: "a hierarchical JPEG", 0xc7: "a hierarchical, lossless JPEG",
	0xcb: "a lossless JPEG", 0xcd: "a hierarchical JPEG", 0xce: "a hierarchical JPEG", 0xcf: "a hierarchical, lossless JPEG",
	0xf7: "a JPEG-LS",
}

// errFound ends a walk.
var errFound = errors.New("found")

// Unusual says in words what is unusual about a picture, such as "a JPEG of 12 bits": of
// another kind of frame than those of 8 bits in grey or three colours. So it does of a WebP
// that moves. It is empty for all else.
func Unusual(r io.ReaderAt, size int64) string {
	head, err := file{r, size}.bytesAt(0, 21)
	const moves = 2 // a flag of the extended head
	if err == nil && string(head[8:16]) == "WEBPVP8X" && head[20]&moves != 0 {
		return "an animated WebP"
	}
	return unusualJPEG(r, size)
}

func unusualJPEG(r io.ReaderAt, size int64) (words string) {
	isYCCK := false
	_ = walkSegments(bufio.NewReader(io.NewSectionReader(r, 0, size)), func(marker byte, data []byte) error {
		if marker == markerAPP14 && len(data) >= 12 && strings.HasPrefix(string(data), adobeName) {
			isYCCK = data[11] == 2
		}
		isFrame := marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc
		if !isFrame && marker != 0xf7 || len(data) < 6 {
			return nil
		}
		words = unusualFrame(marker, data[0], data[5], isYCCK)
		return errFound
	})
	return words
}

// unusualFrame is unusualJPEG of a frame of so many bits and components.
func unusualFrame(marker, bits, components byte, isYCCK bool) string {
	switch process := processes[marker]; {
	case process != "":
		return process
	case bits != 8:
		return fmt.Sprintf("a JPEG of %d bits", bits)
	case components == 4 && isYCCK:
		return "a JPEG in YCCK"
	case components == 4:
		return "a JPEG in CMYK"
	case components != 1 && components != 3:
		return fmt.Sprintf("a JPEG of %d components", components)
	}
	return ""
}
