package imagefile

import (
	"bytes"
	"io"
	"strings"
)

// The tags that name a camera.
const (
	tagMake  = 271
	tagModel = 272
)

// Camera gives make and model of the camera that wrote a raw, as far as a raw that is built
// like a TIFF, a RAF or a CR3 says them. They are empty for a DNG, which is read by what it
// says of itself, and for what is no raw.
func Camera(r io.ReaderAt, size int64) (maker, model string) {
	f := file{r, size}
	head, err := f.bytesAt(0, int(min(size, sniffed)))
	if err != nil {
		return "", ""
	}
	switch {
	case bytes.HasPrefix(head, []byte("FUJIFILMCCD-RAW")) && len(head) > 60:
		return "FUJIFILM", cameraWord(head[28:60])
	case len(head) > 12 && string(head[4:12]) == "ftypcrx ":
		// Canon's first block of metadata is a TIFF in a box near the beginning.
		_, block, _ := bytes.Cut(head, []byte("CMT1"))
		return firstCamera(buffer(block), int64(len(block)))
	}
	return firstCamera(r, size)
}

// firstCamera reads the first directory.
func firstCamera(r io.ReaderAt, size int64) (maker, model string) {
	isDNG := false
	eachDirectory(r, size, func(dirs *directories, entries []directoryEntry, isFirst bool) {
		if !isFirst {
			return
		}
		for _, e := range entries {
			switch e.tag {
			case tagMake, tagModel:
				value, _ := dirs.value(&e)
				if e.tag == tagMake {
					maker = cameraWord(value)
				} else {
					model = cameraWord(value)
				}
			case tagDNGVersion:
				isDNG = true
			}
		}
	})
	if isDNG {
		return "", ""
	}
	return maker, model
}

// cameraWord is the text of a value, of 64 bytes at most.
func cameraWord(value []byte) string {
	value, _, _ = bytes.Cut(value, []byte{0})
	return strings.TrimSpace(strings.ToValidUTF8(string(value[:min(len(value), 64)]), ""))
}
