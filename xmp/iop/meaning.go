package iop

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// meaning is what the reviewed table says about a field.
type meaning struct {
	unit, note string
	neutral    *float64
	gate       string // a field's name, or name:value
}

// meanings has the reviewed table by module and field.
var meanings = sync.OnceValue(func() map[string]map[string]meaning {
	text, err := embedded.ReadFile("meaning.txt")
	if err != nil {
		panic(err) // embedded
	}
	all, err := parseMeanings(string(text))
	if err != nil {
		panic("iop: meaning.txt: " + err.Error()) // a test parses it
	}
	return all
})

func parseMeanings(text string) (map[string]map[string]meaning, error) {
	all := map[string]map[string]meaning{}
	var fields map[string]meaning
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		note, rest, err := cutDescription(line)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		w := strings.Fields(rest)
		if w[0] == "module" {
			fields = map[string]meaning{}
			all[w[1]] = fields
			continue
		}
		m := meaning{note: note}
		for _, word := range w[1:] {
			key, value, _ := strings.Cut(word, "=")
			switch key {
			case "unit":
				m.unit = value
			case "gate":
				m.gate = value
			case "neutral":
				x, err := parseDefault(value)
				if err != nil {
					return nil, fmt.Errorf("%q: %w", line, err)
				}
				m.neutral = &x
			default:
				return nil, fmt.Errorf("%q: unknown key %q", line, key)
			}
		}
		if _, twice := fields[w[0]]; twice || fields == nil {
			return nil, fmt.Errorf("%q: a field twice, or before its module", line)
		}
		fields[w[0]] = m
	}
	return all, nil
}

// meaningOf finds what is known of a leaf: by its own name, its row's, or its
// array's.
func meaningOf(operation, leaf string) meaning {
	fields := meanings()[operation]
	if len(fields) == 0 {
		return meaning{}
	}
	for _, name := range starred(leaf) {
		if m, ok := fields[name]; ok {
			return m
		}
	}
	return meaning{}
}

// starred lists the names by which something can be known of a leaf: its own, its
// row's and its array's, which have [*] for indices.
func starred(leaf string) []string {
	if !strings.Contains(leaf, "[") {
		return []string{leaf}
	}
	names := []string{leaf, anyElement(leaf)}
	if strings.HasSuffix(leaf, "]") {
		names = slices.Insert(names, 1, leaf[:strings.LastIndexByte(leaf, '[')]+"[*]")
	}
	return names
}

// anyElement is the name of a leaf with [*] for its indices, one for several in a
// row.
func anyElement(leaf string) string {
	var name strings.Builder
	for {
		before, rest, indexed := strings.Cut(leaf, "[")
		if name.WriteString(before); !indexed {
			return name.String()
		}
		if before != "" {
			name.WriteString("[*]")
		}
		_, leaf, _ = strings.Cut(rest, "]")
	}
}
