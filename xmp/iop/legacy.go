package iop

import (
	"fmt"
	"slices"
	"strings"
)

// legacyBlocks cuts the hand-written table at its "module" lines.
func legacyBlocks() map[string]string {
	text, err := embedded.ReadFile("legacy.txt")
	if err != nil {
		panic(err) // embedded
	}
	blocks := map[string]string{}
	_, rest, found := strings.Cut(string(text), "\nmodule ")
	for found {
		var block string
		block, rest, found = strings.Cut(rest, "\nmodule ")
		op, body, _ := strings.Cut(block, "\n")
		blocks[op] = body
	}
	return blocks
}

// parseLegacy reads a module's rows of the hand-written table:
//
//	prefix 3 of 4 bytes=44
//	blendh float @12 =0
//
// is layout 3: the first 44 bytes of layout 4, with another field at offset 12. A field
// at the end of all others follows them. "layout 3 bytes=44" has those fields alone that
// follow it.
func parseLegacy(op, text string, known []*layout) ([]*layout, error) {
	var list []*layout
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case line == "" || line[0] == '#':
		case strings.HasPrefix(line, "prefix "):
			l := &layout{operation: op}
			var of int
			if _, err := fmt.Sscanf(line, "prefix %d of %d bytes=%d", &l.modversion, &of, &l.size); err != nil {
				return nil, fmt.Errorf("%q: %w", line, err)
			}
			i := slices.IndexFunc(known, func(k *layout) bool { return k.modversion == of })
			if i < 0 {
				return nil, fmt.Errorf("%q: no layout %d", line, of)
			}
			for _, f := range known[i].fields {
				if f.offset+f.count()*f.size <= l.size {
					l.fields = append(l.fields, f)
				}
			}
			list = append(list, l)
		case strings.HasPrefix(line, "layout "):
			l := &layout{operation: op}
			if _, err := fmt.Sscanf(line, "layout %d bytes=%d", &l.modversion, &l.size); err != nil {
				return nil, fmt.Errorf("%q: %w", line, err)
			}
			list = append(list, l)
		default:
			f, err := parseField(line)
			if err != nil || len(list) == 0 {
				return nil, fmt.Errorf("%q: not a field of a layout: %w", line, err)
			}
			l := list[len(list)-1]
			if err := l.put(f); err != nil {
				return nil, fmt.Errorf("%q: %w", line, err)
			}
		}
	}
	return list, nil
}

// put replaces the field at an offset, or adds one at the end.
func (l *layout) put(f field) error {
	end := 0
	for i, g := range l.fields {
		if g.offset == f.offset {
			l.fields[i] = f
			return nil
		}
		end = max(end, g.offset+g.count()*g.size)
	}
	if f.offset != end || f.offset+f.count()*f.size > l.size {
		return fmt.Errorf("no field to replace, and none can follow at %d", end)
	}
	l.fields = append(l.fields, f)
	return nil
}
