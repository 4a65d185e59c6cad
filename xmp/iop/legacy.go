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
// is layout 3: the first 44 bytes of layout 4, with another field at offset 12.
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
		default:
			f, err := parseField(line)
			if err != nil || len(list) == 0 {
				return nil, fmt.Errorf("%q: not a field of a layout: %w", line, err)
			}
			l := list[len(list)-1]
			i := slices.IndexFunc(l.fields, func(g field) bool { return g.offset == f.offset })
			if i < 0 {
				return nil, fmt.Errorf("%q: no field to replace", line)
			}
			l.fields[i] = f
		}
	}
	return list, nil
}
