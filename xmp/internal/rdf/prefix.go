package rdf

import (
	"cmp"
	"slices"
	"strconv"
)

// Prefixes are the prefixes of namespaces without a usual one: sorted by
// namespace, no prefix twice, and none that belongs to a well-known namespace.
type Prefixes []namespace

type namespace struct{ space, prefix string }

// Merge returns the prefixes of both; where they disagree, p counts.
func (p Prefixes) Merge(q Prefixes) Prefixes { return slices.Concat(p, q).settled() }

// settled makes declarations, in the order of the document, unambiguous. Settled
// prefixes stay as they are.
func (p Prefixes) settled() Prefixes {
	slices.SortStableFunc(p, func(a, b namespace) int { return cmp.Compare(a.space, b.space) })
	p = slices.CompactFunc(p, func(a, b namespace) bool { return a.space == b.space })
	used := make(map[string]bool, len(p))
	number := 0
	for i := range p {
		prefix := p[i].prefix
		for used[prefix] || isReserved(prefix) {
			number++
			prefix = "ns" + strconv.Itoa(number)
		}
		used[prefix] = true
		p[i].prefix = prefix
	}
	return p
}

// isReserved reports whether a prefix stands for something else already.
func isReserved(prefix string) bool {
	_, usual := spacesByPrefix[prefix]
	return usual || prefix == "" || prefix == "xmlns"
}

// find returns the prefix of a namespace, which the document has declared.
func (p Prefixes) find(space string) string {
	if prefix, ok := usualPrefixes[space]; ok {
		return prefix
	}
	i, _ := slices.BinarySearchFunc(p, space, func(n namespace, space string) int { return cmp.Compare(n.space, space) })
	return p[i].prefix
}
