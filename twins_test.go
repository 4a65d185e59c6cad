package chemigram

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"
)

// Of moves that are easily taken for each other a search finds the one that a sentence
// asks for: among the first three, and before the others.
func TestASearchTellsTwinsApart(t *testing.T) {
	data, err := os.ReadFile("testdata/twins.json")
	if err != nil {
		t.Fatal(err)
	}
	var groups []struct {
		Twins []string            `json:"twins"`
		Asks  map[string][]string `json:"asks"`
	}
	if err := json.Unmarshal(data, &groups); err != nil {
		t.Fatal(err)
	}
	e := openWithout(t, Options{})
	for _, g := range groups {
		for _, right := range slices.Sorted(maps.Keys(g.Asks)) {
			if len(g.Asks[right]) != 10 {
				t.Errorf("%s has %d sentences, want 10", right, len(g.Asks[right]))
			}
			for _, ask := range g.Asks[right] {
				first, moves := answers(t, e, ask)
				var names []string
				for _, m := range moves {
					names = append(names, m.Name)
				}
				at := slices.Index(names, right)
				twin := slices.IndexFunc(names, func(n string) bool { return n != right && slices.Contains(g.Twins, n) })
				if at < 0 || at > 2 || twin >= 0 && twin < at {
					t.Errorf("%q finds %s, then %q; want %s", ask, first, names[:min(4, len(names))], right)
				}
			}
		}
	}
}
