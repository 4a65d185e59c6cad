// Package suggest finds the names that a mistyped one may have meant.
package suggest

import (
	"cmp"
	"slices"
	"strings"
)

// most is how many suggestions help: more is a list to read.
const most = 3

// Nearest gives up to three candidates near a name, nearest first: those
// within an edit distance of a third of the name's length (at least 2), and
// those that contain the name or are contained in it. Case does not count.
func Nearest(name string, candidates []string) []string {
	type scored struct {
		name     string
		distance int
	}
	want := strings.ToLower(name)
	if want == "" || len(want) > 128 {
		return []string{}
	}
	limit := max(2, len(want)/3)
	var found []scored
	for _, candidate := range candidates {
		have := strings.ToLower(candidate)
		d := distance(want, have)
		if contains := len(have) > 2 && (strings.Contains(have, want) || strings.Contains(want, have)); contains {
			d = min(d, limit)
		}
		if d <= limit {
			found = append(found, scored{candidate, d})
		}
	}
	slices.SortFunc(found, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	out := make([]string, 0, most)
	for _, s := range found[:min(len(found), most)] {
		out = append(out, s.name)
	}
	return out
}

// distance is the number of bytes to insert, delete, replace, or swap with
// their neighbour (optimal string alignment).
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
