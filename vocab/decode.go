package vocab

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/suggest"
)

// decoder turns one file's JSON into entries and collects every fault, so that
// an author sees them all at once.
type decoder struct {
	pack, file, entry string
	errs              []error
}

func (d *decoder) fail(n *node, key, format string, args ...any) {
	d.failNear(n, key, nil, format, args...)
}

func (d *decoder) failNear(n *node, key string, near []string, format string, args ...any) {
	e := &Error{
		Kind: BadPack, Pack: d.pack, File: d.file, Entry: d.entry, Key: key,
		Message: fmt.Sprintf(format, args...), Suggestions: near,
	}
	if n != nil {
		e.Line = n.line
	}
	d.errs = append(d.errs, e)
}

// fields reads an object: a key that is not known is a fault, and so is a
// required one that is missing.
func (d *decoder) fields(n *node, key string, required []string, known map[string]func(n *node, key string)) {
	if n.kind != objectNode {
		d.fail(n, key, "want an object, have %s", n.kind)
		return
	}
	for i, name := range n.keys {
		read, ok := known[name]
		if !ok {
			names := slices.Sorted(maps.Keys(known))
			d.failNear(n.items[i], joinKey(key, name), suggest.Nearest(name, names),
				"unknown key; known here: %s", strings.Join(names, ", "))
			continue
		}
		read(n.items[i], joinKey(key, name))
	}
	for _, name := range required {
		if !slices.Contains(n.keys, name) {
			d.fail(n, joinKey(key, name), "the key is missing")
		}
	}
}

// list reads an array, one call for each item.
func (d *decoder) list(n *node, key string, item func(n *node, key string)) {
	if n.kind != arrayNode {
		d.fail(n, key, "want a list, have %s", n.kind)
		return
	}
	for i, x := range n.items {
		item(x, fmt.Sprintf("%s[%d]", key, i))
	}
}

func (d *decoder) text(n *node, key string) string {
	s, ok := n.value.(string)
	switch {
	case !ok:
		d.fail(n, key, "want a text, have %s", n.kind)
	case strings.TrimSpace(s) == "":
		d.fail(n, key, "the text is blank")
	}
	return s
}

// word reads a text that serves as a name.
func (d *decoder) word(n *node, key string) string {
	s := d.text(n, key)
	if s != "" && !isName(s) {
		d.fail(n, key, "%q is no name: want lower-case letters, digits and underscores, beginning with a letter, at most 64", s)
	}
	return s
}

func (d *decoder) number(n *node, key string) float64 {
	f, ok := n.value.(float64)
	if !ok {
		d.fail(n, key, "want a number, have %s", n.kind)
	}
	return f
}

// choice reads a text that must be one of a closed set.
func choice[T ~string](d *decoder, n *node, key string, allowed []T) T {
	s, ok := n.value.(string)
	names := make([]string, len(allowed))
	for i, a := range allowed {
		names[i] = string(a)
	}
	switch {
	case !ok:
		d.fail(n, key, "want a text, have %s", n.kind)
	case !slices.Contains(names, s):
		d.failNear(n, key, suggest.Nearest(s, names), "%q is unknown; want one of %s", s, strings.Join(names, ", "))
	}
	return T(s)
}

func isName(s string) bool {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z'
		digit := r >= '0' && r <= '9' || r == '_'
		if !letter && (!digit || i == 0) {
			return false
		}
	}
	return s != "" && len(s) <= 64
}

func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }
