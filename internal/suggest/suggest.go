// Package suggest finds the known names that are nearest to a mistyped one.
package suggest

import (
	"cmp"
	"slices"
	"strings"
)

// maxSuggestions is how many names are suggested at most.
const maxSuggestions = 3

// Nearest returns up to three candidates that are similar to name, the most
// similar first: those within an edit distance of about a third of the shorter
// one's length, and those that contain name or are contained in it. Case is
// ignored.
func Nearest(name string, candidates []string) []string {
	type scored struct {
		name     string
		distance int
	}
	wanted := strings.ToLower(name)
	if wanted == "" || len(wanted) > 128 {
		return []string{}
	}
	var found []scored
	for _, candidate := range candidates {
		known := strings.ToLower(candidate)
		shorter, longer := min(len(wanted), len(known)), max(len(wanted), len(known))
		limit := shorter/3 + 1
		contained := contains(wanted, known)
		if longer-shorter > limit && !contained {
			continue // the difference in length is a lower bound of the distance
		}
		d := Distance(wanted, known)
		if contained {
			d = min(d, limit)
		}
		if d <= limit {
			found = append(found, scored{candidate, d})
		}
	}
	slices.SortFunc(found, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	out := make([]string, 0, maxSuggestions)
	for _, s := range found[:min(len(found), maxSuggestions)] {
		out = append(out, s.name)
	}
	return out
}

// contains reports whether one of two names, of three bytes at least, is a part of
// the other.
func contains(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= 3 && strings.Contains(b, a)
}

// Distance returns how many insertions, deletions and replacements of bytes, and
// swaps of two neighbours, make b of a (the optimal string alignment distance).
func Distance(a, b string) int {
	// The rows of the table for the prefixes of a that end at i-2, i-1 and i.
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
