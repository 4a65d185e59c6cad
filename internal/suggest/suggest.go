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
// within an edit distance of about a third of the shorter one's length, and
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
	var found []scored
	for _, candidate := range candidates {
		have := strings.ToLower(candidate)
		limit := min(len(want), len(have))/3 + 1
		if max(len(want), len(have))-min(len(want), len(have)) > limit && !within(want, have) {
			continue // the lengths alone are too far apart
		}
		d := Distance(want, have)
		if within(want, have) {
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

// within reports whether one of two names is a part of the other.
func within(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= 3 && strings.Contains(b, a)
}

// Distance is the number of bytes to insert, delete, replace, or swap with
// their neighbour (optimal string alignment).
func Distance(a, b string) int {
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
