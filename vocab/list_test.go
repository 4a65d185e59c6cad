package vocab

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shipped loads packs that ship; without names all.
func shipped(tb testing.TB, names ...string) *Vocabulary {
	tb.Helper()
	sources, err := Builtin(names...)
	if err != nil {
		tb.Fatal(err)
	}
	v, failures := Load(sources...)
	if len(failures) > 0 {
		tb.Fatal(errors.Join(failures...))
	}
	return v
}

func names(entries []*Entry) []string {
	all := make([]string, len(entries))
	for i, e := range entries {
		all[i] = e.Name
	}
	return all
}

func TestWordsFindMoves(t *testing.T) {
	t.Parallel()
	v := shipped(t, "starter")
	for query, want := range map[string]string{
		"warmer":                     "warmth",
		"make it a bit warmer":       "warmth",
		"cooler light":               "warmth",
		"green cast":                 "tint",
		"brighten":                   "exposure",
		"too dark":                   "exposure",
		"open the shadows":           "shadows",
		"recover sky":                "highlights",
		"black and white":            "black_and_white",
		"monochrome":                 "black_and_white",
		"noisy":                      "denoise",
		"crisper edges":              "sharpen",
		"darken the corners":         "vignette",
		"more structure in clouds":   "clarity",
		"vivid landscape":            "look_natural_punch",
		"saturatoin":                 "saturation",
		"less saturated, more muted": "saturation",
		"Vibrance":                   "vibrance",
		"cropping":                   "crop",
	} {
		if got := names(v.List(Filter{Query: query})); len(got) == 0 || got[0] != want {
			t.Errorf("%q finds %v, want %s first", query, got, want)
		}
	}
	if got := v.List(Filter{Query: "xylophone"}); len(got) != 0 {
		t.Errorf("xylophone finds %v", names(got))
	}
}

func TestFiltersChoose(t *testing.T) {
	t.Parallel()
	v := shipped(t, "starter")
	if got := names(v.List(Filter{})); !slices.IsSorted(got) || len(got) < 14 {
		t.Errorf("all: %v", got)
	}
	for _, e := range v.List(Filter{Layer: L2}) {
		if e.Layer != L2 {
			t.Errorf("%s is of layer %s", e.Name, e.Layer)
		}
	}
	if diff := cmp.Diff([]string{"tint", "warmth"}, names(v.List(Filter{Tags: []string{"White Balance", "colour"}}))); diff != "" {
		t.Error(diff)
	}
}

func TestUnknownEntriesSuggestNearOnes(t *testing.T) {
	t.Parallel()
	v := shipped(t, "starter")
	for name, want := range map[string]string{
		"exposrue": "exposure", "expo": "exposure", "warm": "warmth", "bw": "black_and_white",
		"Sharpen": "sharpen", "saturate": "saturation",
	} {
		_, err := v.Entry(name)
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Kind != Unknown {
			t.Fatalf("Entry(%s): %v", name, err)
		}
		if !slices.Contains(e.Suggestions, want) {
			t.Errorf("%s suggests %v, want %s", name, e.Suggestions, want)
		}
	}
	if _, err := v.Entry("exposure"); err != nil {
		t.Error(err)
	}
}
