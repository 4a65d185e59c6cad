package vocab

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Filter chooses entries. The zero value chooses all.
type Filter struct {
	Layer Layer
	Tags  []string // the entry has all of these; letter case does not matter
	Query string   // words in name, description and tags, best first
}

// leastFit is the share of the best match's score below which an entry has little to
// do with a query.
const leastFit = 0.2

// List gives the entries that a filter chooses: by name, or best match first.
// A query's words are found in other forms, too ("warmer" finds warmth). What fits
// less than a fifth as well as the best match is left out.
func (v *Vocabulary) List(f Filter) []*Entry {
	if f.Layer == "" && asksForLooks(f.Query) {
		f.Layer, f.Query = L2, ""
	}
	query := searchWords(f.Query)
	scores := v.scores(query)
	var entries []*Entry
	best := 0.0
	for name, e := range v.entries {
		if (f.Layer == "" || e.Layer == f.Layer) && hasTags(e, f.Tags) && (len(query) == 0 || scores[name] > 0) {
			entries = append(entries, e)
			best = max(best, scores[name])
		}
	}
	entries = slices.DeleteFunc(entries, func(e *Entry) bool { return scores[e.Name] < leastFit*best })
	slices.SortFunc(entries, func(a, b *Entry) int {
		return cmp.Or(cmp.Compare(scores[b.Name], scores[a.Name]), cmp.Compare(a.Name, b.Name))
	})
	return entries
}

// Tags lists the tags of all entries.
func (v *Vocabulary) Tags() []string {
	known := map[string]bool{}
	for _, e := range v.entries {
		for _, tag := range e.Tags {
			known[strings.ToLower(tag)] = true
		}
	}
	return slices.Sorted(maps.Keys(known))
}

// UnknownTag finds a tag that no entry has, if there is one among those given.
func (v *Vocabulary) UnknownTag(tags []string) (tag string, unknown bool) {
	if len(tags) == 0 {
		return "", false
	}
	known := v.Tags()
	i := slices.IndexFunc(tags, func(tag string) bool { return !slices.Contains(known, strings.ToLower(tag)) })
	if i < 0 {
		return "", false
	}
	return tags[i], true
}

func hasTags(e *Entry, tags []string) bool {
	for _, t := range tags {
		if !slices.ContainsFunc(e.Tags, func(have string) bool { return strings.EqualFold(have, t) }) {
			return false
		}
	}
	return true
}
