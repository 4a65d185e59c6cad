package chemigram

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func logGap(tb testing.TB, e *Engine, p LogVocabularyGapParams) LogVocabularyGapResult {
	tb.Helper()
	p.ImageID = "a"
	if p.Workaround == "" {
		p.Workaround = "exposure"
	}
	res, err := e.LogVocabularyGap(tb.Context(), p)
	if err != nil {
		tb.Fatal(err)
	}
	return res
}

func TestTheSameGapIsCountedByItsWords(t *testing.T) {
	e, _, _ := openWithTastes(t, Options{})
	badly := Satisfaction(-1)
	for i, description := range []string{"A mask for the skin tones", "skin tone: MASK", "mask skin tone mask"} {
		if got := logGap(t, e, LogVocabularyGapParams{Description: description, Satisfaction: &badly}); got.Count != i+1 {
			t.Errorf("%q: count = %d, want %d", description, got.Count, i+1)
		}
	}
	logGap(t, e, LogVocabularyGapParams{Description: "whatever", MissingCapability: "tone mask skin", Workaround: "other"})
	logGap(t, e, LogVocabularyGapParams{Description: "no dehaze"})
	logGap(t, e, LogVocabularyGapParams{Description: "dehaze", Satisfaction: &badly})
	got, err := e.ListGaps(t.Context(), ListGapsParams{})
	if err != nil {
		t.Fatal(err)
	}
	var ranking []string
	for _, gap := range got.Gaps {
		ranking = append(ranking, strings.Join(gap.Words, " "))
	}
	if diff := cmp.Diff([]string{"mask skin tone", "dehaze", "dehaze no"}, ranking); diff != "" || got.Total != 3 {
		t.Errorf("total %d, ranking (-want +got):\n%s", got.Total, diff)
	}
	first := got.Gaps[0]
	if first.Count != 4 || first.SatisfactionSum != -3 || len(first.Workarounds) != 2 || first.Workarounds[0] != "other" ||
		first.FirstMet >= first.LastMet {
		t.Errorf("first = %+v", first)
	}
	if recent := readContext(t, e).RecentGaps; len(recent) != 6 || recent[0].Description != "dehaze" {
		t.Errorf("recent_gaps = %+v, want 6, the newest first", recent)
	}
}

func TestAnEntrySaysThatItClosesAGap(t *testing.T) {
	workspace := filepath.Join(t.TempDir(), "workspace")
	e, _, _ := openWithTastes(t, Options{Workspace: workspace})
	id := logGap(t, e, LogVocabularyGapParams{Description: "brighter faces"}).GapID
	pack := t.TempDir()
	put(t, pack, "pack.json", `{"name": "mine", "version": "1.0.0", "description": "For tests.", "licence": "MIT", "author": "tests"}`)
	put(t, pack, "tone.json", `[{"name": "lift_face", "layer": "L3", "subject": "tone", "description": "Open a face in the shade.", "tags": ["gap:`+id+`"],
		"parameters": [{"name": "ev", "unit": "EV", "min": -1, "max": 1, "default": 0.4, "neutral": 0}],
		"ops": [{"module": "toneequal", "add": {"midtones": "ev"}}],
		"claims": [{"measure": "luma_mean", "moves": "up", "at_least": 1}]}]`)
	e = openWithout(t, Options{Workspace: workspace, Packs: []string{pack}})
	if len(e.packErrors) > 0 {
		t.Fatal(e.packErrors)
	}
	open, err := e.ListGaps(t.Context(), ListGapsParams{})
	if err != nil || open.Total != 0 {
		t.Errorf("open gaps = %+v, %v; want none", open, err)
	}
	all, err := e.ListGaps(t.Context(), ListGapsParams{IncludeClosed: true})
	if err != nil || all.Total != 1 || !cmp.Equal(all.Gaps[0].ClosedBy, []string{"lift_face"}) {
		t.Errorf("all gaps = %+v, %v; want one, closed by lift_face", all, err)
	}
}

func TestATornLineSpoilsNoOther(t *testing.T) {
	e, _, _ := openWithTastes(t, Options{})
	logGap(t, e, LogVocabularyGapParams{Description: "dehaze"})
	path := e.workspace.Path("gaps.jsonl")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(data, data[:len(data)/2]...), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := logGap(t, e, LogVocabularyGapParams{Description: "dehaze"}); got.Count != 2 {
		t.Errorf("count = %d, want 2", got.Count)
	}
	got, err := e.ListGaps(t.Context(), ListGapsParams{})
	if err != nil || got.Total != 1 || got.Gaps[0].Count != 2 || got.SkippedLines != 1 {
		t.Errorf("gaps = %+v, %v; want one met twice, and one line skipped", got, err)
	}
}

func TestManyWritersLoseNoGap(t *testing.T) {
	workspace := filepath.Join(t.TempDir(), "workspace")
	first, _, _ := openWithTastes(t, Options{Workspace: workspace})
	engines := []*Engine{first, openWithout(t, Options{Workspace: workspace})}
	const each = 20
	var group sync.WaitGroup
	for _, e := range engines {
		for range 2 {
			group.Go(func() {
				for range each {
					_, err := e.LogVocabularyGap(t.Context(), LogVocabularyGapParams{ImageID: "a", Description: "dehaze", Workaround: "contrast"})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	group.Wait()
	if got := logGap(t, first, LogVocabularyGapParams{Description: "dehaze"}); got.Count != 4*each+1 {
		t.Errorf("count = %d, want %d", got.Count, 4*each+1)
	}
}

func TestAGapIsHeldToItsRules(t *testing.T) {
	e, _, _ := openWithTastes(t, Options{})
	three := Satisfaction(3)
	for name, p := range map[string]LogVocabularyGapParams{
		"blank":        {ImageID: "a", Description: " ", Workaround: "x"},
		"zero byte":    {ImageID: "a", Description: "a\x00b", Workaround: "x"},
		"long":         {ImageID: "a", Description: strings.Repeat("x", 4001), Workaround: "x"},
		"satisfaction": {ImageID: "a", Description: "x", Workaround: "x", Satisfaction: &three},
		"used":         {ImageID: "a", Description: "x", Workaround: "x", VocabularyUsed: make([]string, 51)},
	} {
		if _, err := e.LogVocabularyGap(t.Context(), p); !errors.Is(err, ErrInvalidInput) {
			t.Errorf("%s: err = %v, want invalid_input", name, err)
		}
	}
	_, err := e.LogVocabularyGap(t.Context(), LogVocabularyGapParams{ImageID: "b", Description: "x", Workaround: "x"})
	if !errors.Is(err, ErrNotFound) {
		t.Errorf("err = %v, want not_found", err)
	}
	if err := os.Symlink(filepath.Join(t.TempDir(), "out"), e.workspace.Path("gaps.jsonl")); err == nil {
		_, err := e.LogVocabularyGap(t.Context(), LogVocabularyGapParams{ImageID: "a", Description: "x", Workaround: "x"})
		if !errors.Is(err, ErrPermission) {
			t.Errorf("a link: err = %v, want permission_error", err)
		}
	}
}
