package vocab

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/suggest"
	"github.com/chemigram/chemigram/xmp/mask"
)

// decoder turns a pack's JSON into entries and masks and collects every error, so
// that an author sees them all at once.
type decoder struct {
	pack, file, entry string
	errs              []error
}

// fail records an error. n is the value to blame, for its line; it may be nil.
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

// fields reads an object: a key that is not known is an error, and so is a
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

// parseList parses a file that is an array; without one it gives nil.
func (d *decoder) parseList(data []byte, what string) *node {
	root, err := parseJSON(data)
	switch {
	case err != nil:
		d.fail(&node{line: err.line}, err.key, "%s", err.msg)
		return nil
	case root.kind != arrayNode:
		d.fail(root, "", "want a list of %s, have %s", what, root.kind)
		return nil
	}
	return root
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

// name reads a text that is a name.
func (d *decoder) name(n *node, key string) string {
	s := d.text(n, key)
	if s != "" && !isName(s) {
		d.fail(n, key, "%q is not a name: want lower-case letters, digits and underscores, beginning with a letter, at most 64", s)
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

func (d *decoder) flag(n *node, key string) bool {
	b, ok := n.value.(bool)
	if !ok {
		d.fail(n, key, "want true or false, have %s", n.kind)
	}
	return b
}

// share reads a number from 0 to 1.
func (d *decoder) share(n *node, key string) *mask.Share {
	f := d.number(n, key)
	if f < 0 || f > 1 {
		d.fail(n, key, "%g is outside 0..1", f)
	}
	return new(mask.Share(f))
}

// choice reads a text that must be one of those allowed.
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
