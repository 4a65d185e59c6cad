package iop

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/chemigram/chemigram/internal/version"
)

// parseLayouts reads a module's table. A line is a layout, a field, an enum's
// constant, or a leaf's default where it is not its field's:
//
//	layout 6 bytes=24 since=3.4.1
//	mode enum @0 =0 "description"
//		EXPOSURE_MODE_MANUAL 0 "manual"
//	curve_nodes struct:8[3][20] @8
//		x float @0 0..1 =0
//	= curve_nodes[0][1].x 1
//
// Members and constants are one tab deeper than their field. Offsets count
// from the start of the enclosing struct.
func parseLayouts(op, text string) ([]*layout, error) {
	lines := slices.Collect(strings.SplitSeq(text, "\n"))
	var list []*layout
	for len(lines) > 0 {
		line := lines[0]
		lines = lines[1:]
		if line == "" || line[0] == '#' {
			continue
		}
		l := &layout{operation: op}
		var since string
		line, l.decoded = strings.CutSuffix(line, " decoded")
		if _, err := fmt.Sscanf(line, "layout %d bytes=%d since=%s", &l.modversion, &l.size, &since); err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		var ok bool
		if l.since, ok = version.Parse(since); !ok {
			return nil, fmt.Errorf("%q: %q is no version", line, since)
		}
		var err error
		if l.fields, lines, err = parseFields(lines, 0); err != nil {
			return nil, err
		}
		for len(lines) > 0 && strings.HasPrefix(lines[0], "= ") {
			p, err := parsePreset(lines[0])
			if err != nil {
				return nil, fmt.Errorf("%q: %w", lines[0], err)
			}
			l.presets = append(l.presets, p)
			lines = lines[1:]
		}
		list = append(list, l)
	}
	return list, nil
}

func parseFields(lines []string, depth int) (fields []field, rest []string, err error) {
	for len(lines) > 0 {
		line := lines[0]
		if line == "" || line[0] == '#' || strings.HasPrefix(line, "layout ") || strings.HasPrefix(line, "= ") || tabs(line) < depth {
			break
		}
		f, err := parseField(line[depth:])
		if err != nil {
			return nil, nil, fmt.Errorf("%q: %w", line, err)
		}
		lines = lines[1:]
		switch f.kind {
		case kindStruct:
			if f.members, lines, err = parseFields(lines, depth+1); err != nil {
				return nil, nil, err
			}
		case kindEnum:
			for len(lines) > 0 && tabs(lines[0]) == depth+1 {
				c, err := parseConstant(lines[0][depth+1:])
				if err != nil {
					return nil, nil, fmt.Errorf("%q: %w", lines[0], err)
				}
				f.enum = append(f.enum, c)
				lines = lines[1:]
			}
		}
		fields = append(fields, f)
	}
	return fields, lines, nil
}

func tabs(line string) int {
	n := 0
	for n < len(line) && line[n] == '\t' {
		n++
	}
	return n
}

func parseField(line string) (f field, err error) {
	if f.description, line, err = cutDescription(line); err != nil {
		return f, err
	}
	for i, word := range strings.Fields(line) {
		switch {
		case i == 0:
			f.name = word
		case i == 1:
			err = f.parseType(word)
		case word[0] == '@':
			f.offset, err = strconv.Atoi(word[1:])
		case word[0] == '=':
			f.def, err = parseDefault(word[1:])
		default:
			low, high, _ := strings.Cut(word, "..")
			f.bounded = true
			if f.min, err = strconv.ParseFloat(low, 64); err == nil {
				f.max, err = strconv.ParseFloat(high, 64)
			}
		}
		if err != nil {
			return f, err
		}
	}
	return f, nil
}

func (f *field) parseType(word string) error {
	word, dims, isArray := strings.Cut(word, "[")
	word, size, _ := strings.Cut(word, ":")
	k := slices.Index(fieldKindNames[:], word)
	if k < 0 {
		return fmt.Errorf("unknown type %q", word)
	}
	f.kind = fieldKind(k)
	switch f.kind {
	case kindUshort:
		f.size = 2
	case kindInt8:
		f.size = 1
	case kindText, kindOpaque, kindStruct:
		n, err := strconv.Atoi(size)
		if err != nil {
			return err
		}
		f.size = n
	default:
		f.size = 4
	}
	if isArray {
		for d := range strings.SplitSeq(strings.TrimSuffix(dims, "]"), "][") {
			n, err := strconv.Atoi(d)
			if err != nil {
				return err
			}
			f.dims = append(f.dims, n)
		}
	}
	return nil
}

func parseDefault(s string) (float64, error) {
	switch s {
	case "true":
		return 1, nil
	case "false":
		return 0, nil
	}
	return strconv.ParseFloat(s, 64)
}

func parsePreset(line string) (p preset, err error) {
	if p.text, line, err = cutDescription(line); err != nil {
		return p, err
	}
	w := strings.Fields(line)
	p.name = w[1]
	if len(w) > 2 {
		p.number, err = parseDefault(w[2])
	}
	return p, err
}

func parseConstant(line string) (c EnumValue, err error) {
	if c.Description, line, err = cutDescription(line); err != nil {
		return c, err
	}
	name, number, _ := strings.Cut(strings.TrimSpace(line), " ")
	c.Name = name
	c.Value, err = strconv.Atoi(number)
	return c, err
}

// cutDescription takes the quoted text off the end of a line.
func cutDescription(line string) (description, rest string, err error) {
	start := strings.IndexByte(line, '"')
	if start < 0 {
		return "", line, nil
	}
	description, err = strconv.Unquote(line[start:])
	return description, line[:start], err
}
