package vocab

import (
	"cmp"
	"slices"
	"strings"
)

// nearest gives the names that a mistyped one may have meant, best first, at
// most three.
func nearest(name string, known []string) []string {
	type near struct {
		name string
		dist int
	}
	name = strings.ToLower(name)
	var found []near
	for _, k := range known {
		d := distance(name, k)
		if len(name) >= 3 && (strings.Contains(k, name) || len(k) >= 3 && strings.Contains(name, k)) {
			d = min(d, 2)
		}
		if d <= max(1, min(len(name), len(k))/3+1) {
			found = append(found, near{k, d})
		}
	}
	slices.SortFunc(found, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.dist, b.dist), cmp.Compare(a.name, b.name))
	})
	var names []string
	for _, f := range found[:min(3, len(found))] {
		names = append(names, f.name)
	}
	return names
}

// distance counts the letters to insert, drop, replace, or swap with their
// neighbour.
func distance(a, b string) int {
	if max(len(a), len(b)) > 128 {
		return max(len(a), len(b))
	}
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	next := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next[0] = i + 1
		for j := range len(b) {
			d := min(row[j+1]+1, next[j]+1)
			if a[i] == b[j] {
				d = min(d, row[j])
			} else {
				d = min(d, row[j]+1)
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, before[j-1]+1)
			}
			next[j+1] = d
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
