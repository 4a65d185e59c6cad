package vocab

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/vocab/measure"
	"github.com/chemigram/chemigram/xmp"
)

func TestAStyleBecomesAnEntryInOneCall(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "vocabulary") // it is made
	c := Captured{
		Style: captured(t, nil), Name: "look_my_film", Description: "My film.", Tags: []string{"film"},
		Claims: []Claim{{Measure: measure.Chroma, Moves: Up, AtLeast: 1}},
	}
	if err := Capture(folder, c); err != nil {
		t.Fatal(err)
	}
	words, failures := Load(Dir(folder))
	if len(failures) > 0 {
		t.Fatal(errors.Join(failures...))
	}
	e, err := words.Entry("look_my_film")
	if err != nil || e.Layer != L2 || e.Pack.Name != "my_moves" || !slices.Equal(e.Touches(), []string{"colorbalancergb", "exposure", "sigmoid"}) {
		t.Errorf("%+v, %v", e, err)
	}
	if err := Capture(folder, c); !errors.Is(err, fs.ErrExist) {
		t.Errorf("again: %v", err)
	}
	if err := Capture(folder, Captured{Style: c.Style, Name: "another", Description: "Another.", Claims: c.Claims}); err != nil {
		t.Errorf("a second one: %v", err)
	}
}

func TestAStyleThatCannotBeCarriedLeavesNothing(t *testing.T) {
	t.Parallel()
	claims := []Claim{{Measure: measure.Chroma, Moves: Up}}
	newer := captured(t, func(s *xmp.Style) { s.Entries[0].Modversion = 99 })
	for says, c := range map[string]Captured{
		"99":              {Style: newer, Name: "film", Description: "Film.", Claims: claims},
		"no usable style": {Style: []byte("film"), Name: "film", Description: "Film.", Claims: claims},
		"claims":          {Style: captured(t, nil), Name: "film", Description: "Film."},
		"blank":           {Style: captured(t, nil), Name: "film", Claims: claims},
		"lower-case":      {Style: captured(t, nil), Name: "../film", Description: "Film.", Claims: claims},
		`"L9" is unknow`:  {Style: captured(t, nil), Name: "film", Layer: "L9", Description: "Film.", Claims: claims},
	} {
		folder := t.TempDir()
		err := Capture(folder, c)
		if e, ok := errors.AsType[*Error](err); !ok || e.Kind != BadPack || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
		if left, err := os.ReadDir(folder); err != nil || slices.ContainsFunc(left, func(e fs.DirEntry) bool { return !e.IsDir() }) {
			t.Errorf("%s: it left %v, %v", says, left, err)
		}
	}
}
