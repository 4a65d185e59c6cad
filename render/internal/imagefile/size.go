package imagefile

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"image/gif"
	"io"
	"strconv"
	"strings"

	"golang.org/x/image/bmp"
)

// mostPixels bounds the width and height that a file may say of itself.
const mostPixels = 1 << 20

// Size gives the width and height of the picture in a file, as its beginning says, by
// which its format is told; 0 and 0 where it does not say, or what nobody would believe.
// It knows the kinds of picture whose size darktable does not tell or EXIF does not have.
func Size(r io.ReaderAt, size int64) (width, height int) {
	f := file{r, size}
	head, err := f.bytesAt(0, int(min(size, 16)))
	if err != nil || len(head) < 4 {
		return 0, 0
	}
	switch kind := string(head); {
	case strings.HasPrefix(kind, "v/1\x01"):
		width, height, err = checkEXR(f)
	case strings.HasPrefix(kind, "\xff\x0a"), strings.HasPrefix(kind, "\x00\x00\x00\x0cJXL "):
		width, height, err = checkJXL(f)
	case strings.HasPrefix(kind, "RIFF"):
		width, height, err = checkWebP(f)
	case strings.HasPrefix(kind, "GIF8"):
		width, height, err = f.header(gif.DecodeConfig)
	case strings.HasPrefix(kind, "BM"):
		width, height, err = f.header(bmp.DecodeConfig)
	case strings.HasPrefix(kind, "qoif") && len(kind) >= 12:
		width, height = int(binary.BigEndian.Uint32(head[4:])), int(binary.BigEndian.Uint32(head[8:]))
	case strings.HasPrefix(kind, "#?"):
		width, height, err = f.radianceSize()
	case kind[0] == 'P' && strings.ContainsRune("1234567Ff", rune(kind[1])):
		width, height, err = f.netpbmSize(kind[:2])
	}
	if err != nil || min(width, height) < 1 || max(width, height) > mostPixels {
		return 0, 0
	}
	return width, height
}

// beginning reads the first bytes of a file, where formats whose heads are text have them.
func (f file) beginning() *bufio.Reader {
	return bufio.NewReader(io.NewSectionReader(f, 0, min(f.size, 1<<16)))
}

// radianceSize reads the line of a Radiance picture that says how long its scanlines are and
// how many there are, such as "-Y 480 +X 640". It follows an empty line.
func (f file) radianceSize() (w, h int, err error) {
	r := f.beginning()
	for line := " "; strings.TrimRight(line, "\r\n") != ""; {
		if line, err = r.ReadString('\n'); err != nil {
			return 0, 0, errTruncated
		}
	}
	var axes [2]string
	var lengths [2]int
	if _, err := fmt.Fscan(r, &axes[0], &lengths[0], &axes[1], &lengths[1]); err != nil {
		return 0, 0, err
	}
	if strings.HasSuffix(axes[0], "X") { // turned: columns come one after the other
		return lengths[0], lengths[1], nil
	}
	return lengths[1], lengths[0], nil
}

// netpbmSize reads the size behind the kind of a picture of Netpbm's family, PFM and PAM
// among them. A comment goes from # to the end of its line.
func (f file) netpbmSize(kind string) (w, h int, err error) {
	r := f.beginning()
	if _, err := r.Discard(len(kind)); err != nil {
		return 0, 0, err
	}
	var words []string
	for {
		line, err := r.ReadString('\n')
		line, _, _ = strings.Cut(line, "#")
		words = append(words, strings.Fields(line)...)
		if kind == "P7" {
			for i := 0; i+1 < len(words); i += 2 {
				n, _ := strconv.Atoi(words[i+1])
				switch words[i] {
				case "WIDTH":
					w = n
				case "HEIGHT":
					h = n
				}
			}
		} else if len(words) >= 2 {
			w, _ = strconv.Atoi(words[0])
			h, _ = strconv.Atoi(words[1])
		}
		if w > 0 && h > 0 || err != nil || len(words) > 64 {
			return w, h, nil
		}
	}
}
