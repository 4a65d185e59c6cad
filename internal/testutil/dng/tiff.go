package dng

import (
	"encoding/binary"
	"io"
	"math"
	"slices"
)

// byteOrder is that of a file.
type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// A block is a part of a file that other parts point to by its offset.
type block interface {
	size() int
	// write writes the block, whose first byte is at an offset.
	write(w io.Writer, order byteOrder, at int) error
}

// file is a TIFF under construction: its blocks in their order, of which the first is
// the main directory.
type file struct {
	order  byteOrder
	blocks []block
	at     map[block]int // where each is, once that is known
	canon  block         // what Canon's head points to; nil in others' files
}

func newFile(bigEndian bool) *file {
	f := &file{order: binary.LittleEndian, at: map[block]int{}}
	if bigEndian {
		f.order = binary.BigEndian
	}
	return f
}

// dir adds an empty directory.
func (f *file) dir() *ifd {
	d := &ifd{file: f}
	f.blocks = append(f.blocks, d)
	return d
}

// data adds bytes.
func (f *file) data(b []byte) block {
	d := &bytesBlock{b}
	f.blocks = append(f.blocks, d)
	return d
}

// write writes the file with a signature of four bytes, or TIFF's own.
func (f *file) write(w io.Writer, signature string) error {
	start := 8
	if f.canon != nil {
		start = 16
	}
	end := start
	for _, b := range f.blocks {
		f.at[b] = end
		end += b.size() + b.size()&1
	}
	head := []byte(signature)
	if signature == "" {
		head = f.order.AppendUint16([]byte("II"), 42)
		if f.order == byteOrder(binary.BigEndian) {
			head[0], head[1] = 'M', 'M'
		}
	}
	head = f.order.AppendUint32(head, uint32(start))
	if f.canon != nil {
		head = f.order.AppendUint32(append(head, "CR\x02\x00"...), uint32(f.at[f.canon]))
	}
	if _, err := w.Write(head); err != nil {
		return err
	}
	for _, b := range f.blocks {
		if err := b.write(w, f.order, f.at[b]); err != nil {
			return err
		}
		if b.size()&1 == 1 {
			if _, err := w.Write([]byte{0}); err != nil {
				return err
			}
		}
	}
	return nil
}

// bytesBlock is a block of bytes.
type bytesBlock struct{ b []byte }

func (b *bytesBlock) size() int { return len(b.b) }

func (b *bytesBlock) write(w io.Writer, _ byteOrder, _ int) error {
	_, err := w.Write(b.b)
	return err
}

// wordsBlock is a block of words of 16 bits.
type wordsBlock struct{ words []uint16 }

func (b *wordsBlock) size() int { return 2 * len(b.words) }

func (b *wordsBlock) write(w io.Writer, order byteOrder, _ int) error {
	var buf []byte
	for part := range slices.Chunk(b.words, 1<<16) {
		buf = buf[:0]
		for _, v := range part {
			buf = order.AppendUint16(buf, v)
		}
		if _, err := w.Write(buf); err != nil {
			return err
		}
	}
	return nil
}

// ifd is one TIFF directory under construction.
type ifd struct {
	file   *file
	fields []field
	next   *ifd // the directory after it; nil for none
}

type field struct {
	tag   uint16
	kind  Kind
	count int
	data  []byte
	to    []block // what data is the offsets of
}

// Kind is a TIFF field type.
type Kind uint16

// The field types that are written.
const (
	kindByte      Kind = 1
	kindASCII     Kind = 2
	kindShort     Kind = 3
	kindLong      Kind = 4
	kindRational  Kind = 5
	kindUndefined Kind = 7
	kindSRational Kind = 10
	kindDouble    Kind = 12
)

// put adds a field, or replaces it.
func (d *ifd) put(f field) {
	d.fields = slices.DeleteFunc(d.fields, func(other field) bool { return other.tag == f.tag })
	d.fields = append(d.fields, f)
}

func (d *ifd) bytes(tag uint16, k Kind, b ...byte) {
	d.put(field{tag: tag, kind: k, count: len(b), data: b})
}

func (d *ifd) text(tag uint16, s string) { d.bytes(tag, kindASCII, append([]byte(s), 0)...) }

func (d *ifd) short(tag uint16, values ...uint16) {
	var b []byte
	for _, v := range values {
		b = d.file.order.AppendUint16(b, v)
	}
	d.put(field{tag: tag, kind: kindShort, count: len(values), data: b})
}

func (d *ifd) long(tag uint16, values ...uint32) {
	var b []byte
	for _, v := range values {
		b = d.file.order.AppendUint32(b, v)
	}
	d.put(field{tag: tag, kind: kindLong, count: len(values), data: b})
}

// offsets stores where blocks are.
func (d *ifd) offsets(tag uint16, to ...block) {
	d.put(field{tag: tag, kind: kindLong, count: len(to), data: make([]byte, 4*len(to)), to: to})
}

// contains stores a block as bytes, which lies where others point to.
func (d *ifd) contains(tag uint16, b block) {
	d.put(field{tag: tag, kind: kindUndefined, count: b.size(), data: make([]byte, 4), to: []block{b}})
}

// rational stores values as fractions of the given denominator.
func (d *ifd) rational(tag uint16, k Kind, denominator int32, values ...float64) {
	var b []byte
	for _, v := range values {
		b = d.file.order.AppendUint32(b, uint32(int32(math.Round(v*float64(denominator)))))
		b = d.file.order.AppendUint32(b, uint32(denominator))
	}
	d.put(field{tag: tag, kind: k, count: len(values), data: b})
}

func (d *ifd) double(tag uint16, values ...float64) {
	var b []byte
	for _, v := range values {
		b = d.file.order.AppendUint64(b, math.Float64bits(v))
	}
	d.put(field{tag: tag, kind: kindDouble, count: len(values), data: b})
}

// size is the directory's length in the file, with the data of its fields.
func (d *ifd) size() int {
	n := 2 + 12*len(d.fields) + 4
	for _, f := range d.fields {
		if len(f.data) > 4 {
			n += len(f.data) + len(f.data)&1
		}
	}
	return n
}

func (d *ifd) write(w io.Writer, order byteOrder, at int) error {
	slices.SortFunc(d.fields, func(a, b field) int { return int(a.tag) - int(b.tag) })
	var tail []byte
	tailAt := at + 2 + 12*len(d.fields) + 4
	out := order.AppendUint16(nil, uint16(len(d.fields)))
	for _, f := range d.fields {
		for i, b := range f.to {
			order.PutUint32(f.data[4*i:], uint32(d.file.at[b]))
		}
		out = order.AppendUint16(out, f.tag)
		out = order.AppendUint16(out, uint16(f.kind))
		out = order.AppendUint32(out, uint32(f.count))
		if len(f.data) <= 4 {
			var inline [4]byte
			copy(inline[:], f.data)
			out = append(out, inline[:]...)
			continue
		}
		out = order.AppendUint32(out, uint32(tailAt+len(tail)))
		tail = append(tail, f.data...)
		if len(tail)&1 == 1 {
			tail = append(tail, 0)
		}
	}
	if d.next == nil {
		out = order.AppendUint32(out, 0) // no further directory
	} else {
		out = order.AppendUint32(out, uint32(d.file.at[d.next]))
	}
	_, err := w.Write(append(out, tail...))
	return err
}
