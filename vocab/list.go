package vocab

import (
	"cmp"
	"slices"
	"strings"
)

// Filter chooses entries. The zero value chooses all.
type Filter struct {
	Layer Layer
	Tags  []string // the entry has all of these; letter case does not matter
	Query string   // words in name, description and tags, best first
}

// List gives the entries that a filter chooses: by name, or best match first.
// A query's words are found in other forms, too ("warmer" finds warmth); an
// entry matches when at least one of them is found.
func (v *Vocabulary) List(f Filter) []*Entry {
	query := searchWords(f.Query)
	scores := v.scores(query)
	var entries []*Entry
	for name, e := range v.entries {
		if (f.Layer == "" || e.Layer == f.Layer) && hasTags(e, f.Tags) && (len(query) == 0 || scores[name] > 0) {
			entries = append(entries, e)
		}
	}
	slices.SortFunc(entries, func(a, b *Entry) int {
		return cmp.Or(cmp.Compare(scores[b.Name], scores[a.Name]), cmp.Compare(a.Name, b.Name))
	})
	return entries
}

func hasTags(e *Entry, tags []string) bool {
	for _, t := range tags {
		if !slices.ContainsFunc(e.Tags, func(have string) bool { return strings.EqualFold(have, t) }) {
			return false
		}
	}
	return true
}
