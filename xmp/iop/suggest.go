package iop

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

const maxSuggestions = 3

// nearest gives the candidates that a misspelt name may have meant, best
// first: those within a third of its length in edits, or that contain it.
func nearest(name string, candidates iter.Seq[string]) []string {
	type scored struct {
		name  string
		score int
	}
	lower := strings.ToLower(name)
	var found []scored
	for c := range candidates {
		d := distance(lower, strings.ToLower(c))
		limit := max(len(name)/3, 1)
		if len(name) >= 3 && strings.Contains(strings.ToLower(c), lower) {
			d = min(d, limit)
		}
		if d <= limit {
			found = append(found, scored{c, d})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(len(a.name), len(b.name)))
	})
	var names []string
	for _, f := range found[:min(len(found), maxSuggestions)] {
		names = append(names, f.name)
	}
	return names
}

// distance is Levenshtein's, over bytes. Names longer than any of ours are
// cut, so that hostile input cannot make it slow.
func distance(a, b string) int {
	const longest = 64
	a, b = a[:min(len(a), longest)], b[:min(len(b), longest)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			step := diagonal
			if a[i] != b[j] {
				step++
			}
			diagonal = row[j+1]
			row[j+1] = min(step, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
