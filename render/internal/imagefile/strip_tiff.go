package imagefile

import (
	"errors"
	"maps"
	"slices"
)

// A form is what stays of a directory.
type form struct {
	tags ruleset
	// below are the directories that its tags point to.
	below map[uint16]*form
	// packets are metadata of another kind in it, and what stays of them.
	packets map[uint16]func([]byte) ([]byte, error)
	// pixels is that of a TIFF, which has them.
	pixels bool
}

var (
	exifForm = &form{tags: primaryTags, below: map[uint16]*form{tagEXIF: {
		tags: exifTags, below: map[uint16]*form{tagInteroperability: {tags: interoperabilityTags}},
	}}}
	tiffForms = map[Part]*form{
		Everything: {tags: pictureTags, pixels: true},
		Location: {tags: both(primaryTags, pictureTags), below: exifForm.below, pixels: true, packets: map[uint16]func([]byte) ([]byte, error){
			tagXMP: keepKnownPacket, tagIPTC: keepKnownIPTC, tagPhotoshop: keepKnownResources,
		}},
	}
)

func both(a, b ruleset) ruleset {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

func keepKnownPacket(packet []byte) ([]byte, error) { return packet, keepKnownXMP(packet) }

// stripTIFF takes metadata out of a TIFF in place. Its first directory stays, the
// only one that darktable writes.
func stripTIFF(path string, part Part) error {
	return editInPlace(path, func(b block, size int64) error { return stripDirectories(b, size, tiffForms[part]) })
}

// stripEXIF leaves what of EXIF is known to hold no location.
func stripEXIF(data []byte) error {
	return stripDirectories(buffer(data), int64(len(data)), exifForm)
}

// A directoryPlan is what stays of a TIFF or of EXIF.
type directoryPlan struct {
	*directories
	plan
}

// stripDirectories takes out of a TIFF, or of EXIF, what does not stay. When it
// does not understand what is there it fails and has changed nothing.
func stripDirectories(b block, size int64, f *form) error {
	d, first, err := openDirectories(b, size)
	if err != nil {
		return err
	}
	p := &directoryPlan{directories: d}
	p.keep(0, 8)
	if first != 0 {
		if err := p.directory(first, f); err != nil {
			return err
		}
	}
	return p.apply(b, size)
}

// directory plans what stays of the directory at a place. No other one follows it.
func (p *directoryPlan) directory(at int64, f *form) error {
	entries, err := p.entries(at)
	if err != nil {
		return err
	}
	out := []byte{0, 0}
	for _, e := range entries {
		stays, err := p.entry(&e, f)
		if err != nil {
			return err
		}
		if stays {
			out = append(out, e.raw...)
		}
	}
	p.order.PutUint16(out, uint16(len(out)/12))
	out = append(out, 0, 0, 0, 0)
	p.write(at, out)
	if f.pixels {
		return p.pixels(entries)
	}
	return nil
}

// entry plans what stays of an entry and of its value, and reports whether any of
// it does.
func (p *directoryPlan) entry(e *directoryEntry, f *form) (stays bool, err error) {
	if below := f.below[e.tag]; below != nil {
		if e.kind != kindLong && e.kind != kindDirectory || e.count != 1 {
			return false, nil
		}
		return true, p.directory(int64(p.order.Uint32(e.raw[8:])), below)
	}
	filter, rule := f.packets[e.tag], f.tags[e.tag]
	if filter == nil && rule == never {
		return false, nil
	}
	value, err := p.value(e)
	if err != nil || len(value) == 0 {
		return false, err
	}
	if filter == nil {
		value, stays = rule.check(e.kind, e.count, value)
		if !stays {
			return false, nil
		}
	} else if value, err = filter(value); err != nil || len(value) <= 4 {
		return false, err
	}
	p.put(e, value)
	return true, nil
}

// put plans a value, which is not longer than the old one. A shorter one is longer
// than four bytes.
func (p *directoryPlan) put(e *directoryEntry, value []byte) {
	size := tiffTypeSizes[e.kind]
	for int64(len(value))%size != 0 {
		value = append(value, 0)
	}
	p.order.PutUint32(e.raw[4:], uint32(int64(len(value))/size))
	if len(value) <= 4 {
		clear(e.raw[8:])
		copy(e.raw[8:], value)
		return
	}
	p.write(int64(p.order.Uint32(e.raw[8:])), value)
}

// pixels plans the strips or tiles of a picture.
func (p *directoryPlan) pixels(entries []directoryEntry) error {
	lists := map[uint16][]int64{}
	for _, e := range entries {
		if slices.Contains([]uint16{tagStripOffsets, tagStripLengths, tagTileOffsets, tagTileLengths}, e.tag) {
			value, err := p.value(&e)
			if err != nil {
				return err
			}
			lists[e.tag] = p.numbers(e.kind, value)
		}
	}
	for _, tags := range [][2]uint16{{tagStripOffsets, tagStripLengths}, {tagTileOffsets, tagTileLengths}} {
		offsets, lengths := lists[tags[0]], lists[tags[1]]
		if len(offsets) != len(lengths) {
			return errors.New("a TIFF has not as many offsets of strips as lengths")
		}
		for i, at := range offsets {
			p.keep(at, lengths[i])
		}
	}
	return nil
}
