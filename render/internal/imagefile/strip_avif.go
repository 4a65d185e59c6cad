package imagefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// The parts of an AVIF (ISO/IEC 23008-12) that its pixels are read with: boxes in
// meta, properties, and kinds of items.
var (
	avifMeta       = []string{"hdlr", "pitm", "iloc", "iinf", "iprp", "iref", "idat"}
	avifProperties = []string{"ispe", "pixi", "av1C", "colr", "pasp", "clap", "irot", "imir", "auxC", "a1op", "a1lx", "lsel", "clli", "mdcv", "ipma", "ipco"}
	avifItems      = []string{"av01", "grid", "iovl", "iden", "tmap"}
)

// An avif is an AVIF file that is planned anew in place.
type avif struct {
	file
	plan
	metadata bool // EXIF and XMP stay, as far as they are known
	items    map[uint32]*avifItem
	inMeta   int64 // where idat's bytes are, or 0
}

type span struct{ from, length int64 }

// An avifItem is a part of the picture, or metadata.
type avifItem struct {
	kind    string
	extents []span
	within  bool // extents count from idat's bytes
}

// stripAVIF takes metadata out of an AVIF in place: its boxes and items stay where
// they are, and what is not known in them becomes zeros.
func stripAVIF(path string, part Part) error {
	return editInPlace(path, func(b block, size int64) error {
		a := &avif{file: file{b, size}, metadata: part == Location, items: map[uint32]*avifItem{}}
		if err := a.walkBoxes(a.top); err != nil {
			return err
		}
		if err := a.planItems(); err != nil {
			return err
		}
		return a.apply(b, size)
	})
}

// top plans a box of the file.
func (a *avif) top(kind string, at, n int64) error {
	switch kind {
	case "ftyp":
		a.keep(at-8, n+8)
	case "mdat":
		head := int64(8)
		if long, err := a.bytesAt(at-16, 8); err == nil && string(long[:4])+string(long[4:]) == "\x00\x00\x00\x01mdat" {
			head = 16
		}
		a.keep(at-head, head)
	case "meta":
		return a.meta(at, n)
	case "moov", "moof":
		return errors.New("an AVIF that is a sequence of pictures")
	default:
		return a.free(at)
	}
	return nil
}

// free plans a box at whose bytes a place is as one without meaning.
func (a *avif) free(at int64) error {
	length, err := a.bytesAt(at-8, 4)
	if err != nil || binary.BigEndian.Uint32(length) < 8 {
		return errors.Join(errors.New("a box of an AVIF has no length that is known"), err)
	}
	a.write(at-8, append(length, "free"...))
	return nil
}

// meta plans the boxes in meta, all of whose lengths have 32 bits.
func (a *avif) meta(at, n int64) error {
	if n < 4 || n > maxMetadata || len(a.items) > 0 {
		return errors.New("the box meta of an AVIF has no length that is known, or is not the only one")
	}
	a.keep(at-8, 12)
	return a.boxes(at+4, n-4, func(kind string, at int64, data []byte) error {
		switch kind {
		case "hdlr":
			if len(data) < 24 {
				return errTruncated
			}
			a.keep(at-8, 8+24) // without its name
		case "iinf":
			return a.itemInfos(at, data)
		case "iloc":
			a.keep(at-8, 8+int64(len(data)))
			return a.locations(data)
		case "idat":
			a.keep(at-8, 8)
			a.inMeta = at
		case "iprp":
			a.keep(at-8, 8)
			return a.boxes(at, int64(len(data)), a.properties)
		default:
			if !slices.Contains(avifMeta, kind) {
				return a.free(at)
			}
			a.keep(at-8, 8+int64(len(data)))
		}
		return nil
	})
}

func (a *avif) properties(kind string, at int64, data []byte) error {
	switch {
	case kind == "ipco":
		a.keep(at-8, 8)
		return a.boxes(at, int64(len(data)), a.properties)
	case !slices.Contains(avifProperties, kind):
		return a.free(at)
	}
	a.keep(at-8, 8+int64(len(data)))
	return nil
}

// boxes visits the boxes in a box.
func (a *avif) boxes(at, n int64, visit func(kind string, at int64, data []byte) error) error {
	for end := at + n; at < end; {
		head, err := a.bytesAt(at, 8)
		if err != nil {
			return err
		}
		length := int64(binary.BigEndian.Uint32(head))
		if length < 8 || length > end-at {
			return errors.New("a box of an AVIF has no length that is known")
		}
		data, err := a.bytesAt(at+8, int(length-8))
		if err == nil {
			err = visit(string(head[4:]), at+8, data)
		}
		if err != nil {
			return err
		}
		at += length
	}
	return nil
}

// itemInfos plans the list of what items are. An item that goes becomes one of no
// known kind.
func (a *avif) itemInfos(at int64, data []byte) error {
	head := int64(6)
	if len(data) > 0 && data[0] > 0 {
		head = 8
	}
	if int64(len(data)) < head {
		return errTruncated
	}
	a.keep(at-8, 8+head)
	return a.boxes(at+head, int64(len(data))-head, func(kind string, at int64, data []byte) error {
		if kind != "infe" || len(data) < 12 || data[0] != 2 && data[0] != 3 {
			return errors.New("an item of an AVIF is of a form that is not known")
		}
		id, fixed := uint32(binary.BigEndian.Uint16(data[4:])), 12
		if data[0] == 3 {
			id, fixed = binary.BigEndian.Uint32(data[4:]), 14
		}
		if len(data) < fixed {
			return errTruncated
		}
		item := a.item(id)
		item.kind = string(data[fixed-4 : fixed])
		name, rest, _ := bytes.Cut(data[fixed:], []byte{0})
		if item.kind == "mime" && bytes.HasPrefix(rest, []byte("application/rdf+xml\x00")) {
			item.kind = "xmp"
		}
		out := data[:fixed:fixed]
		switch {
		case a.metadata && item.kind == "xmp":
			fillBlank(name)
			out = append(out, data[fixed:len(data)-len(rest)+len("application/rdf+xml\x00")]...)
		case !slices.Contains(avifItems, item.kind) && (item.kind != "Exif" || !a.metadata):
			copy(out[fixed-4:], "free")
			item.kind = "free"
		}
		a.keep(at-8, 8)
		a.write(at, out)
		return nil
	})
}

func (a *avif) item(id uint32) *avifItem {
	if a.items[id] == nil {
		a.items[id] = &avifItem{}
	}
	return a.items[id]
}

// planItems plans the bytes of the items, each of which may be read by more than
// one.
func (a *avif) planItems() error {
	pictures := map[span]bool{}
	for id, item := range a.items {
		for _, s := range item.extents {
			if item.within {
				if a.inMeta == 0 {
					return errors.New("an AVIF has no box idat, and an item in it")
				}
				s.from += a.inMeta
			}
			switch {
			case slices.Contains(avifItems, item.kind):
				pictures[s] = true
			case item.kind != "Exif" && item.kind != "xmp":
			case len(item.extents) != 1 || s.length > maxMetadata:
				return fmt.Errorf("item %d of an AVIF is in pieces, or too long", id)
			default:
				if err := a.planMetadata(item.kind, s); err != nil {
					return err
				}
			}
		}
	}
	for s := range pictures {
		a.keep(s.from, s.length)
	}
	return nil
}

func (a *avif) planMetadata(kind string, s span) error {
	data, err := a.bytesAt(s.from, int(s.length))
	if err != nil {
		return err
	}
	if kind == "Exif" {
		err = stripEXIFItem(data)
	} else {
		err = keepKnownXMP(data)
	}
	a.write(s.from, data)
	return err
}

// stripEXIFItem leaves what of EXIF in a box or item is known to hold no location:
// where its head is, counted from behind that number, and it.
func stripEXIFItem(data []byte) error {
	if len(data) < 4 {
		return errTruncated
	}
	skip := int64(binary.BigEndian.Uint32(data))
	if skip > int64(len(data)-4) {
		return errTruncated
	}
	if before := data[4 : 4+skip]; string(before) != exifName {
		clear(before)
	}
	return stripEXIF(data[4+skip:])
}

// locations reads where the items' bytes are.
func (a *avif) locations(data []byte) error {
	r := bytesReader{rest: data}
	version := r.number(1)
	r.number(3)
	sizes := r.number(2)
	offsetSize, lengthSize, baseSize, indexSize := int(sizes>>12&15), int(sizes>>8&15), int(sizes>>4&15), int(sizes&15)
	if version == 0 {
		indexSize = 0
	}
	wide := 2
	if version == 2 {
		wide = 4
	}
	for range r.number(wide) {
		item := a.item(uint32(r.number(wide)))
		method := uint64(0)
		if version > 0 {
			method = r.number(2) & 15
		}
		if source := r.number(2); source != 0 || method > 1 || version > 2 {
			return errors.New("an item of an AVIF lies where it is not looked for")
		}
		item.within = method == 1
		base := r.number(baseSize)
		for range r.number(2) {
			r.number(indexSize)
			s := span{int64(base + r.number(offsetSize)), int64(r.number(lengthSize))}
			if r.failed || s.from < 0 || s.length <= 0 || s.from > a.size-s.length {
				return errTruncated
			}
			item.extents = append(item.extents, s)
		}
		if r.failed {
			return errTruncated
		}
	}
	return nil
}

// A bytesReader reads numbers of up to eight bytes.
type bytesReader struct {
	rest   []byte
	failed bool
}

func (r *bytesReader) number(size int) (n uint64) {
	if len(r.rest) < size || size > 8 {
		r.failed = true
		return 0
	}
	for _, b := range r.rest[:size] {
		n = n<<8 | uint64(b)
	}
	r.rest = r.rest[size:]
	return n
}
