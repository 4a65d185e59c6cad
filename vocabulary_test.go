package chemigram

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

func listMoves(t *testing.T, e *Engine, p ListVocabularyParams) ListVocabularyResult {
	t.Helper()
	res, err := e.ListVocabulary(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func moveNames(moves []Move) []string {
	names := []string{}
	for _, m := range moves {
		names = append(names, m.Name)
	}
	return names
}

func TestMovesComeInPages(t *testing.T) {
	e := openWithout(t, Options{})
	whole := listMoves(t, e, ListVocabularyParams{Query: "light", Limit: 500})
	if len(whole.Entries) < 20 || whole.Total != len(whole.Entries) {
		t.Fatalf("%d of %d moves", len(whole.Entries), whole.Total)
	}
	var paged []Move
	for offset := Offset(0); ; offset += 7 {
		page := listMoves(t, e, ListVocabularyParams{Query: "light", Limit: 7, Offset: offset})
		if page.Total != whole.Total {
			t.Errorf("at %d the total is %d, not %d", offset, page.Total, whole.Total)
		}
		if len(page.Entries) == 0 {
			break
		}
		paged = append(paged, page.Entries...)
	}
	if d := cmp.Diff(moveNames(whole.Entries), moveNames(paged)); d != "" {
		t.Errorf("the pages are not the whole:\n%s", d)
	}
}

func TestAMoveSaysWhatItBuildsOn(t *testing.T) {
	e := openWithout(t, Options{})
	res := listMoves(t, e, ListVocabularyParams{Limit: 500})
	for name, want := range map[string]string{"agx_contrast": "use_agx", "exposure": ""} {
		i := slices.IndexFunc(res.Entries, func(m Move) bool { return m.Name == name })
		if i < 0 || res.Entries[i].BuildsOn != want {
			t.Errorf("%s does not say that it builds on %q", name, want)
		}
	}
}

func TestMovesAreFiltered(t *testing.T) {
	old := t.TempDir() // a pack with a move for darktables that are older than this one
	put(t, old, "pack.json", `{"name": "old", "version": "1", "description": "Old."}`)
	put(t, old, "tone.json", strings.Replace(goodMove, `"layer": "L3"`, `"layer": "L2", "requires": {"darktable": "<5"}`, 1))
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	e, err := Open(t.Context(), &Options{
		Workspace: filepath.Join(t.TempDir(), "workspace"), Packs: []string{old}, Workers: -1,
		Darktable: testutil.FakeDarktable(t, testutil.FakeOptions{Version: "5.4.1"}).CLI,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	all := listMoves(t, e, ListVocabularyParams{Detail: true, Limit: 500}).Entries
	for name, tt := range map[string]struct {
		params ListVocabularyParams
		keep   func(Move) bool
	}{
		"layer": {ListVocabularyParams{Layer: "L1"}, func(m Move) bool { return m.Layer == "L1" }},
		"tags": {ListVocabularyParams{Tags: []string{"Portrait", "film"}}, func(m Move) bool {
			return slices.Contains(m.Tags, "portrait") && slices.Contains(m.Tags, "film")
		}},
		"availability":           {ListVocabularyParams{AvailableOnly: true}, func(m Move) bool { return m.Available }},
		"layer and availability": {ListVocabularyParams{Layer: "L2", AvailableOnly: true}, func(m Move) bool { return m.Layer == "L2" && m.Available }},
	} {
		tt.params.Limit = 500
		tt.params.Detail = true
		want := moveNames(slices.DeleteFunc(slices.Clone(all), func(m Move) bool { return !tt.keep(m) }))
		if d := cmp.Diff(want, moveNames(listMoves(t, e, tt.params).Entries)); d != "" || len(want) == 0 || len(want) == len(all) {
			t.Errorf("%s: %d of %d moves: %s", name, len(want), len(all), d)
		}
	}
	for _, m := range all {
		if m.Available != (m.UnavailableReason == "") {
			t.Errorf("%s: available %v because of %q", m.Name, m.Available, m.UnavailableReason)
		}
		if want := map[string]string{"sky_darker": "sky", "exposure": ""}; m.Mask != want[m.Name] && (m.Name == "exposure" || m.Name == "sky_darker") {
			t.Errorf("%s is limited to %q", m.Name, m.Mask)
		}
	}
}

// An agent reads these answers: they are short until more is asked for.
func TestAListOfMovesIsShort(t *testing.T) {
	e := openWithout(t, Options{})
	whole := listMoves(t, e, ListVocabularyParams{Limit: 500})
	for name, tt := range map[string]struct {
		params  ListVocabularyParams
		entries int
		bytes   int
	}{
		"an index":         {ListVocabularyParams{}, 0, 6_000},
		"a search":         {ListVocabularyParams{Query: "brighter"}, 10, 5_000},
		"a limit":          {ListVocabularyParams{Limit: 3}, 3, 1_500},
		"detail":           {ListVocabularyParams{Query: "brighter", Detail: true, Limit: 2}, 2, 3_000},
		"detail of anyhow": {ListVocabularyParams{Detail: true}, 50, 50_000},
	} {
		res := listMoves(t, e, tt.params)
		if encoded, err := json.Marshal(res); err != nil || len(encoded) > tt.bytes {
			t.Errorf("%s: %d bytes, %v", name, len(encoded), err)
		}
		if len(res.Entries) != tt.entries {
			t.Errorf("%s: %d entries", name, len(res.Entries))
		}
		for _, m := range res.Entries {
			if detail := len(m.Tags) > 0 && m.Pack != ""; detail != tt.params.Detail {
				t.Errorf("%s: %s has detail: %v", name, m.Name, detail)
			}
		}
	}
	var names []string
	for _, subject := range listMoves(t, e, ListVocabularyParams{}).Index {
		names = append(names, strings.Split(subject.Names, ", ")...)
	}
	slices.Sort(names)
	if d := cmp.Diff(moveNames(whole.Entries), names); d != "" {
		t.Errorf("the index does not name each move once:\n%s", d)
	}
}

func TestWithoutDarktableNoMoveIsAvailable(t *testing.T) {
	e := openWithout(t, Options{})
	if got := listMoves(t, e, ListVocabularyParams{AvailableOnly: true}); got.Total != 0 {
		t.Errorf("%d moves are available", got.Total)
	}
}

// goodMove is a move to spoil; its line is the second of its file.
const goodMove = `[
	{"name": "lift_mine", "layer": "L3", "subject": "tone", "description": "Lift.",
	 "parameters": [{"name": "ev", "min": -1, "max": 1, "default": 0.5, "neutral": 0}],
	 "ops": [{"module": "exposure", "instance": "lift_mine", "add": {"exposure": "ev"}}],
	 "claims": [{"measure": "luma_mean", "moves": "up"}]}
]`

// A pack that cannot be used is left out and named, with the file, the move and
// the key; the other packs are there.
func TestAPackThatFailsIsNamedAndTheOthersAreThere(t *testing.T) {
	testutil.SkipShort(t)
	pack := func(t *testing.T, name string) string {
		t.Helper()
		dir := t.TempDir()
		put(t, dir, "pack.json", `{"name": "`+name+`", "version": "1", "description": "Mine."}`)
		return dir
	}
	spoil := func(from, to string) func(*testing.T, string) {
		return func(t *testing.T, dir string) { put(t, dir, "tone.json", strings.Replace(goodMove, from, to, 1)) }
	}
	for name, tt := range map[string]struct {
		spoil func(t *testing.T, dir string)
		says  []string // file, move, key, and what is wrong
	}{
		"duplicate name": {func(t *testing.T, dir string) {
			put(t, dir, "a.json", goodMove)
			put(t, dir, "b.json", goodMove)
		}, []string{"b.json", "lift_mine", "name", "already, in a.json"}},
		"name of another pack": {spoil(`"lift_mine"`, `"exposure"`), []string{"exposure", "overrides", `the pack "starter" has an entry of this name`}},
		"unknown field":        {spoil(`"exposure": "ev"`, `"exposrue": "ev"`), []string{"tone.json:", "lift_mine", "ops[0].add.exposrue", "nearest: exposure"}},
		"unknown key":          {spoil(`"subject"`, `"sujbect"`), []string{"tone.json:2", "lift_mine", "sujbect", "unknown key"}},
		"range beyond the module's": {
			spoil(`"add": {"exposure": "ev"}`, `"set": {"black": {"parameter": "ev", "scale": 2}}`),
			[]string{"tone.json:", "lift_mine", "ops[0].set.black", "-2..2, which exceeds the field's range -1..1"},
		},
		"style of a newer darktable": {func(t *testing.T, dir string) {
			put(t, dir, "looks.json", `[{"name": "film", "layer": "L2", "subject": "look", "description": "Film.", "style": "film.dtstyle",
				"claims": [{"measure": "chroma", "moves": "up"}]}]`)
			newer := xmp.Style{Name: "film", Entries: []xmp.Entry{{Operation: "exposure", Enabled: true, Modversion: 99, Params: make([]byte, 40)}}}
			put(t, dir, "film.dtstyle", string(newer.Bytes()))
		}, []string{"film.dtstyle", "film", "exposure", "99"}},
		"not JSON": {spoil(`"layer": "L3"`, `"layer": L3`), []string{"tone.json:2", "not JSON"}},
		"50 MB": {func(t *testing.T, dir string) {
			put(t, dir, "huge.json", "[")
			if err := os.Truncate(filepath.Join(dir, "huge.json"), 50<<20); err != nil {
				t.Fatal(err)
			}
		}, []string{"huge.json", "52428800 bytes", "at most 1048576"}},
		"link out of the pack": {func(t *testing.T, dir string) {
			outside := t.TempDir()
			put(t, outside, "tone.json", goodMove)
			if err := os.Symlink(filepath.Join(outside, "tone.json"), filepath.Join(dir, "link.json")); err != nil {
				t.Skip(err)
			}
		}, []string{"link.json", "cannot be read"}},
	} {
		t.Run(name, func(t *testing.T) {
			bad, good := pack(t, "bad"), pack(t, "good")
			tt.spoil(t, bad)
			put(t, good, "tone.json", strings.Replace(goodMove, `"lift_mine"`, `"raise"`, 1))
			e := openWithout(t, Options{Packs: []string{bad, good}})
			health, err := e.HealthCheck(context.WithoutCancel(t.Context()), HealthCheckParams{})
			if err != nil {
				t.Fatal(err)
			}
			loaded := []string{}
			for _, p := range health.Packs {
				loaded = append(loaded, p.Name)
			}
			if d := cmp.Diff([]string{"starter", "expressive", "good"}, loaded); d != "" {
				t.Errorf("loaded: %s", d)
			}
			failures := slices.DeleteFunc(slices.Clone(health.Checks), func(f HealthFinding) bool { return f.OK || f.Name != "vocabulary" })
			if health.Status != "degraded" || len(failures) == 0 {
				t.Fatalf("%s: %+v", health.Status, health.Checks)
			}
			for _, text := range append(tt.says, bad) {
				if !strings.Contains(failures[0].Message, text) {
					t.Errorf("health_check says %q, which lacks %q", failures[0].Message, text)
				}
			}
			for _, move := range []string{"raise", "exposure"} {
				if _, err := e.vocabulary.Entry(move); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// A style says which of its modules a part of its strength leaves out.
func TestAStyleSaysWhatItLeavesOutBelowFullStrength(t *testing.T) {
	release, err := iop.ReleaseFor("5.4.1")
	if err != nil {
		t.Fatal(err)
	}
	var style xmp.Style
	for _, module := range []string{"crop", "tonecurve"} {
		p, err := release.Defaults(module)
		if err != nil {
			t.Fatal(err)
		}
		style.Entries = append(style.Entries, xmp.Entry{Operation: module, Enabled: true, Modversion: p.Modversion(), Params: p.Encode()})
	}
	dir := t.TempDir()
	put(t, dir, "pack.json", `{"name": "film", "version": "1", "description": "Film."}`)
	put(t, dir, "film.dtstyle", string(style.Bytes()))
	put(t, dir, "looks.json", `[{"name": "my_film", "layer": "L2", "subject": "look", "description": "Film.", "style": "film.dtstyle",
		"claims": [{"measure": "chroma", "moves": "up"}]}]`)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	e, err := Open(t.Context(), &Options{
		Workspace: filepath.Join(t.TempDir(), "workspace"), Packs: []string{dir}, Workers: -1,
		Darktable: testutil.FakeDarktable(t, testutil.FakeOptions{Version: "5.4.1"}).CLI,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	moves := listMoves(t, e, ListVocabularyParams{Query: "my_film", Limit: 500}).Entries
	i := slices.IndexFunc(moves, func(m Move) bool { return m.Name == "my_film" })
	if want := "Film. Below full strength it leaves out crop."; i < 0 || moves[i].Description != want {
		t.Errorf("%+v, want the description %q", moves, want)
	}
}
