package prove_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/prove"
)

// neighboursPath has, for each entry, the five others with the nearest effects.
const neighboursPath = "testdata/neighbours.json"

var (
	// imposterShare is small by default, since every entry has some twenty imposters.
	imposterShare = flag.Float64("imposters", 0.003, "let imposters stand in the place of this `share` of the entries, drawn by -seed")
	allOthers     = flag.Bool("others", false, "let all other entries stand in an entry's place, and not its neighbours alone")
)

func neighbours(t *testing.T) map[string][]string {
	t.Helper()
	data, err := os.ReadFile(neighboursPath)
	all := map[string][]string{}
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// plain are exposures and saturations of several amounts, which stand in every
// entry's place.
func plain(t *testing.T, words *vocab.Vocabulary) []*vocab.Entry {
	t.Helper()
	var all []*vocab.Entry
	for _, family := range []struct {
		name    string
		amounts []float64
	}{
		{"exposure", []float64{-1, -0.5, -0.25, 0.25, 0.5, 1}},
		{"saturation", []float64{-0.5, -0.25, -0.15, 0.15, 0.25, 0.5}},
	} {
		entry, err := words.Entry(family.name)
		if err != nil {
			t.Fatal(err)
		}
		for _, amount := range family.amounts {
			e := *entry
			e.Name, e.Parameters = fmt.Sprintf("%s %+g", family.name, amount), slices.Clone(e.Parameters)
			e.Parameters[0].Default = amount
			all = append(all, &e)
		}
	}
	return all
}

// Another move in an entry's place is found: the five whose pictures are nearest to
// its own, or all others, plain exposure and plain saturation of several amounts, and
// for a move with a mask the same everywhere. At least one claim fails, or the entry
// says in its file why the two may be the same picture. A few that are not found yet are
// logged; docs/authoring.md has their number.
func TestAnImposterIsFound(t *testing.T) {
	words := builtin(t)
	all, near, families := words.List(vocab.Filter{}), neighbours(t), plain(t, words)
	entries := all
	if *entryNames != "" {
		entries, _ = chosen(t, words)
	} else if *imposterShare < 1 {
		entries = sample(t, entries, *imposterShare)
	}
	rivals := func(e *vocab.Entry) []*vocab.Entry {
		of := slices.DeleteFunc(slices.Clone(families), func(f *vocab.Entry) bool {
			return strings.HasPrefix(f.Name, e.Name+" ") // the same move by another amount
		})
		if *allOthers {
			return append(of, all...)
		}
		for _, name := range near[e.Name] {
			if rival, err := words.Entry(name); err == nil {
				of = append(of, rival)
			}
		}
		return of
	}
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		r := newRenderer(t, dt)
		imposters, err := prove.Imposters(t.Context(), prove.VerifyParams{Entries: entries, Renderer: r, Target: r.release, Parallel: 2}, rivals)
		if err != nil {
			t.Fatal(err)
		}
		caught, alike := 0, 0
		for _, i := range imposters {
			switch {
			case i.Caught != "":
				caught++
			case i.Alike != "":
				alike++
			default:
				t.Errorf("%s on darktable %s: every claim holds for %s, too", i.Entry, dt.Name, i.As)
			}
		}
		t.Logf("%d imposters, of which %d are caught and %d are the same picture; %d pictures developed", len(imposters), caught, alike, r.count.Load())
	})
}

// Every entry has neighbours, and they are entries, so that a new one is held against
// others, too.
func TestNeighboursAreEntries(t *testing.T) {
	words := builtin(t)
	entries := words.List(vocab.Filter{})
	if *update {
		updateNeighbours(t, entries)
	}
	near := neighbours(t)
	for _, e := range entries {
		if len(near[e.Name]) != 5 {
			t.Errorf("%s has %d neighbours in %s; run this test with -update", e.Name, len(near[e.Name]), neighboursPath)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(near)) {
		for _, other := range append(near[name], name) {
			if _, err := words.Entry(other); err != nil {
				t.Errorf("%s names %s, which is no entry any more", neighboursPath, other)
			}
		}
	}
}

// updateNeighbours finds the neighbours of each entry on the oldest darktable that has
// the entry.
func updateNeighbours(t *testing.T, entries []*vocab.Entry) {
	t.Helper()
	all := map[string][]string{}
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		r := newRenderer(t, dt)
		near, err := prove.Nearest(t.Context(), prove.VerifyParams{Entries: entries, Renderer: r, Target: r.release}, 5)
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(near, all)
		all = near
	})
	data, err := json.MarshalIndent(all, "", "\t")
	if err == nil {
		err = os.WriteFile(neighboursPath, append(data, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// What an entry calls alike is an entry, and it says why; so does a claim about its scene
// alone.
func TestWhatIsAlikeHasAReason(t *testing.T) {
	t.Parallel()
	words := builtin(t)
	for _, e := range words.List(vocab.Filter{}) {
		for name, why := range e.Alike {
			if _, err := words.Entry(name); err != nil && name != prove.Everywhere || len(why) < 20 {
				t.Errorf("%s is like %s: %q", e.Name, name, why)
			}
		}
		for _, c := range e.Claims {
			if c.SceneOnly != "" && len(c.SceneOnly) < 20 {
				t.Errorf("%s: %s is about its scene alone: %q", e.Name, c, c.SceneOnly)
			}
		}
	}
}

// weakPack has a move whose claim others fulfil, the same with claims that others do
// not, one that says that it has a twin, and one within a mask that claims nothing of
// what is outside.
const weakPack = `[
	{"name": "weak", "layer": "L3", "subject": "tone", "description": "Brighter.",
	 "ops": [{"module": "exposure", "instance": "weak", "set": {"exposure": 0.5}}],
	 "claims": [{"measure": "luma_mean", "moves": "up", "at_least": 1}]},
	{"name": "firm", "layer": "L3", "subject": "tone", "description": "Brighter.",
	 "ops": [{"module": "exposure", "instance": "firm", "set": {"exposure": 0.5}}],
	 "claims": [{"measure": "luma_mean", "moves": "up", "at_least": 1, "at_most": 9}]},
	{"name": "open", "layer": "L3", "subject": "tone", "description": "Brighter.", "alike": {"weak": "both are half a stop of exposure"},
	 "ops": [{"module": "exposure", "instance": "open", "set": {"exposure": 0.5}}],
	 "claims": [{"measure": "luma_mean", "moves": "up", "at_least": 1, "at_most": 9}]},
	{"name": "top_brighter", "layer": "L3", "subject": "tone", "description": "Brighter at the top.",
	 "ops": [{"module": "exposure", "instance": "top", "set": {"exposure": 0.5}}],
	 "mask": {"shapes": [{"kind": "gradient", "y": 0.5}]},
	 "claims": [{"measure": "luma_mean", "moves": "up", "at_least": 0.5, "in": "top"}, {"measure": "luma_mean", "moves": "hold", "within": 1, "in": "bottom"}]},
	{"name": "much_brighter", "layer": "L3", "subject": "tone", "description": "Brighter still.", "intends": ["clipping"],
	 "ops": [{"module": "exposure", "instance": "much", "set": {"exposure": 2}}],
	 "claims": [{"measure": "luma_mean", "moves": "up", "at_least": 10}]}
]`

// A move that does more passes where a claim has one side only, and not where it has
// two; nor does a move within a mask without the mask where a claim is about what is
// outside.
func TestImpostersPassWhereClaimsAreWeak(t *testing.T) {
	words, failures := vocab.Load(vocab.Source{Name: "mine", FS: fstest.MapFS{
		"pack.json":  {Data: []byte(`{"name": "mine", "version": "0.1.0", "description": "My own.", "licence": "MIT", "author": "Me"}`)},
		"moves.json": {Data: []byte(weakPack)},
	}})
	if len(failures) > 0 {
		t.Fatal(errors.Join(failures...))
	}
	r := newRenderer(t, testutil.AnyDarktable(t))
	entries := words.List(vocab.Filter{})
	imposters, err := prove.Imposters(t.Context(), prove.VerifyParams{Entries: entries, Renderer: r, Target: r.release}, func(*vocab.Entry) []*vocab.Entry { return entries })
	if err != nil {
		t.Fatal(err)
	}
	passed, alike := map[string]bool{}, map[string]string{}
	for _, i := range imposters {
		passed[i.Entry+" as "+i.As] = i.Passed()
		alike[i.Entry+" as "+i.As] = i.Alike
	}
	for pair, want := range map[string]bool{
		"weak as much_brighter": true, "firm as much_brighter": false, "much_brighter as weak": false,
		"firm as weak": true, "open as weak": false, "top_brighter as everywhere": false, "top_brighter as firm": false,
	} {
		if got, there := passed[pair]; got != want || !there {
			t.Errorf("%s: passed is %v (tried: %v), want %v", pair, got, there, want)
		}
	}
	if alike["open as weak"] == "" || alike["firm as weak"] != "" {
		t.Errorf("what is alike: %q", alike)
	}
	if want := 5*4 + 1; len(imposters) != want {
		t.Errorf("%d imposters, want %d", len(imposters), want)
	}
}
