package imagefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image/color"
	"image/jpeg"
	"io"
)

// A Preview is a JPEG in a raw file.
type Preview struct {
	// At is its place in the file, and Length how many bytes it has at most.
	At, Length int64
	// Width and Height in pixels.
	Width, Height int
	// Orientation is that of the raw, 0 when it does not say.
	Orientation int
}

// ErrNoPreview says that a raw has no JPEG in it.
var ErrNoPreview = errors.New("the raw has no JPEG of the camera in it that can be read")

const (
	maxDirectories = 64
	maxCandidates  = 64
	// maxSearched is how far from its beginning a file is searched that has no directories.
	maxSearched = 32 << 20
)

// The tags that lead to JPEGs.
const (
	tagSubfile     = 0xfe
	tagCompression = 0x103
	tagSubIFDs     = 0x14a
	tagJPEGOffset  = 0x201
	tagJPEGLength  = 0x202
	tagPanasonic   = 0x2e // the JPEG itself
	tagDNGVersion  = 0xc612
)

// FindPreview finds the largest JPEG that a camera has put into its raw.
func FindPreview(r io.ReaderAt, size int64) (Preview, error) {
	s := previews{r: r, size: size}
	isDNG := s.walk()
	if s.best.Width == 0 && !isDNG { // a DNG may have its raw pixels in JPEGs
		s.scan()
	}
	if s.best.Width == 0 {
		return Preview{}, ErrNoPreview
	}
	s.best.Orientation = s.orientation
	return s.best, nil
}

// previews looks for JPEGs.
type previews struct {
	r           io.ReaderAt
	size        int64
	best        Preview
	tried       int
	orientation int
}

// tiffHead gives files of the makers that have a head of their own that of a TIFF.
type tiffHead struct{ io.ReaderAt }

func (t tiffHead) ReadAt(p []byte, at int64) (int, error) {
	n, err := t.ReaderAt.ReadAt(p, at)
	if at == 0 && n >= 4 && bytes.HasPrefix(p, []byte("II")) {
		copy(p[:4], "II*\x00")
	}
	if at == 0 && n >= 4 && bytes.HasPrefix(p, []byte("MM")) {
		copy(p[:4], "MM\x00*")
	}
	return n, err
}

// walk looks into the directories of a TIFF. isDNG is whether it is a DNG.
func (s *previews) walk() (isDNG bool) {
	eachDirectory(s.r, s.size, func(dirs *directories, entries []directoryEntry, isFirst bool) {
		for _, e := range entries {
			switch {
			case e.tag == tagDNGVersion:
				isDNG = true
			case e.tag == tagOrientation && isFirst:
				s.orientation = int(dirs.first(e))
			}
		}
		s.directory(dirs, entries, isFirst)
	})
	return isDNG
}

// eachDirectory visits the directories of a TIFF, or of a raw that is built like one: the
// first, those after it, and those in them. missing is whether one behind the first lies beyond
// the end. (What a directory in another one says of the next may be anything.)
func eachDirectory(r io.ReaderAt, size int64, visit func(dirs *directories, entries []directoryEntry, isFirst bool)) (missing bool) {
	dirs, first, err := openDirectories(readOnly{tiffHead{r}}, size)
	if err != nil {
		return false
	}
	type place struct {
		at    int64
		inner bool
		next  bool // of an inner one
	}
	seen := map[int64]bool{}
	for queue := []place{{at: first}}; len(queue) > 0 && len(seen) < maxDirectories; queue = queue[1:] {
		p := queue[0]
		if p.at == 0 {
			continue // there is no next one
		}
		missing = missing || !p.next && p.at != first && dirs.endBefore(p.at)
		entries, err := dirs.entries(p.at)
		if err != nil || seen[p.at] {
			continue
		}
		seen[p.at] = true
		for _, e := range entries {
			if e.tag == tagSubIFDs {
				value, _ := dirs.value(&e)
				for _, at := range dirs.numbers(e.kind, value) {
					queue = append(queue, place{at: at, inner: true})
				}
			}
		}
		visit(dirs, entries, p.at == first)
		if next, err := dirs.read(p.at+2+12*int64(len(entries)), 4); err == nil {
			queue = append(queue, place{at: int64(dirs.order.Uint32(next)), inner: p.inner, next: p.inner})
		}
	}
	return missing
}

// endBefore reports whether the file ends before the directory at a place does.
func (d *directories) endBefore(at int64) bool {
	count, err := d.read(at, 2)
	return err != nil || at+2+12*int64(d.order.Uint16(count)) > d.size
}

// directory tries the JPEGs that a directory leads to.
func (s *previews) directory(dirs *directories, entries []directoryEntry, isFirst bool) {
	numbers := map[uint16]int64{}
	for _, e := range entries {
		switch e.tag {
		case tagStripOffsets, tagStripLengths:
			if e.count == 1 {
				numbers[e.tag] = dirs.first(e)
			}
		case tagSubfile, tagCompression, tagJPEGOffset, tagJPEGLength:
			numbers[e.tag] = dirs.first(e)
		case tagPanasonic:
			s.try(int64(dirs.order.Uint32(e.raw[8:])), e.count)
		}
	}
	s.try(numbers[tagJPEGOffset], numbers[tagJPEGLength])
	compression := numbers[tagCompression]
	// Other strips that are JPEGs are the raw itself.
	if compression == 6 && isFirst || (compression == 6 || compression == 7) && numbers[tagSubfile]&1 == 1 {
		s.try(numbers[tagStripOffsets], numbers[tagStripLengths])
	}
}

// try looks whether there is a JPEG in colour at a place, and keeps the largest.
func (s *previews) try(at, length int64) {
	if at <= 0 || length <= 4 || at > s.size-4 || s.tried >= maxCandidates {
		return
	}
	s.tried++
	length = min(length, s.size-at)
	c, err := jpeg.DecodeConfig(io.NewSectionReader(s.r, at, length))
	if err == nil && c.ColorModel == color.YCbCrModel && c.Width*c.Height > s.best.Width*s.best.Height {
		s.best = Preview{At: at, Length: length, Width: c.Width, Height: c.Height}
	}
}

// scan looks for JPEGs where a file that is no TIFF says that there is one, and else
// everywhere near its beginning.
func (s *previews) scan() {
	head := make([]byte, 96)
	if n, _ := s.r.ReadAt(head, 0); n == len(head) && bytes.HasPrefix(head, []byte("FUJIFILMCCD-RAW")) {
		s.try(int64(binary.BigEndian.Uint32(head[84:])), int64(binary.BigEndian.Uint32(head[88:])))
		return
	}
	const piece = 1 << 20
	buf := make([]byte, piece+2)
	for from := int64(0); from < min(s.size, maxSearched); from += piece {
		n, _ := s.r.ReadAt(buf, from)
		for at := 0; ; at++ {
			i := bytes.Index(buf[at:n], []byte("\xff\xd8\xff"))
			if i < 0 {
				break
			}
			at += i
			s.try(from+int64(at), s.size-from-int64(at))
		}
	}
}
