package journal

import (
	"bytes"
	"errors"
	"io"
	"iter"

	"github.com/chemigram/chemigram/versioning/internal/storage"
)

// frameReader reads the bytes of a journal from one offset to another, a piece at a
// time.
type frameReader struct {
	file  storage.File
	end   int64  // where it stops
	piece []byte // what was read last
	at    int64  // where that begins
}

// readAhead is how many bytes are read at once, so that short frames do not take a
// read each.
const readAhead = 256 << 10

// peek returns n bytes at an offset, or those up to the end. They are good until the
// next call.
func (r *frameReader) peek(at, n int64) ([]byte, error) {
	n = max(0, min(n, r.end-at))
	if at < r.at || at+n > r.at+int64(len(r.piece)) {
		ahead := min(max(n, readAhead), r.end-at)
		if int64(cap(r.piece)) < ahead {
			r.piece = make([]byte, ahead)
		}
		r.piece, r.at = r.piece[:ahead], at
		got, err := r.file.ReadAt(r.piece, at)
		if int64(got) < ahead {
			if !errors.Is(err, io.EOF) {
				r.piece = nil
				return nil, err
			}
			// A writer has just cut the torn tail off.
			r.piece, r.end = r.piece[:got], at+int64(got)
			n = min(n, int64(got))
		}
	}
	return r.piece[at-r.at:][:n:n], nil
}

// frame returns the frame at an offset, if there is a whole one. Its payload is good
// until the next call.
func (r *frameReader) frame(at int64) (f frame, ok bool, err error) {
	head, err := r.peek(at, frameHeaderSize)
	if err != nil {
		return frame{}, false, err
	}
	_, n, ok := decodeFrameHeader(head)
	if !ok || int64(n) > r.end-at {
		return frame{}, false, nil
	}
	b, err := r.peek(at, int64(n))
	if err != nil {
		return frame{}, false, err
	}
	f, ok = decodeFrame(b)
	f.offset = at
	return f, ok, nil
}

// next returns the next offset after one at which a frame may begin.
func (r *frameReader) next(at int64) (int64, error) {
	magic := []byte(frameMagic)
	for at++; at < r.end; {
		b, err := r.peek(at, readAhead)
		if err != nil {
			return 0, err
		}
		if i := bytes.Index(b, magic); i >= 0 {
			return at + int64(i), nil
		}
		if at+int64(len(b)) >= r.end {
			break
		}
		at += int64(len(b) - len(magic) + 1)
	}
	return r.end, nil
}

// scan returns the whole frames of a journal's bytes from one offset to another. It
// skips damage, to the next place where a whole frame begins. A frame is good until
// the next one.
func scan(file storage.File, from, to int64) iter.Seq2[frame, error] {
	return func(yield func(frame, error) bool) {
		r := frameReader{file: file, end: to}
		for at := from; at < r.end; {
			f, ok, err := r.frame(at)
			if ok && isPlausible(f.seq, f.offset+int64(f.length)) {
				if !yield(f, nil) {
					return
				}
				at += int64(f.length)
				continue
			}
			if err == nil {
				at, err = r.next(at)
			}
			if err != nil {
				yield(frame{}, err)
				return
			}
		}
	}
}

// Intact returns how many bytes of a journal are its header, which is not checked, and
// whole frames one after another, each newer than the one before; and how many frames
// these are.
func Intact(file storage.File) (end int64, frames int, err error) {
	size, err := file.Size()
	if err != nil {
		return 0, 0, err
	}
	r := frameReader{file: file, end: size}
	end = headerSize
	last := uint64(0)
	for end < size {
		f, ok, err := r.frame(end)
		if err != nil {
			return end, frames, err
		}
		if !ok || f.seq <= last || !isPlausible(f.seq, f.offset+int64(f.length)) {
			break
		}
		end, last, frames = end+int64(f.length), f.seq, frames+1
	}
	return end, frames, nil
}
