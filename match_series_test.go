package chemigram

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/vocab"
)

// What a series is brought together by is read back from any edit, whatever its size
// and strength, so that more of it can be asked for.
func TestMovesOfASeriesAreReadBack(t *testing.T) {
	e := openWithout(t, Options{})
	for _, version := range []string{"4.2.1", "5.4.1"} {
		id := ImageID("a" + version)
		add(t, e, id, version)
		img, err := e.image(id)
		if err != nil {
			t.Fatal(err)
		}
		for name, values := range map[string][]float64{
			"exposure": {0.7, -1.25}, "warmth": {-12.5, 60}, "tint": {0.31, -1}, "contrast": {-0.2, 0.5},
		} {
			entry, err := e.move(name)
			if err != nil {
				t.Fatal(err)
			}
			read := func() float64 {
				t.Helper()
				now, err := e.start(t.Context(), img, "")
				if err != nil {
					t.Fatal(err)
				}
				value, ok := entry.ValueIn(vocab.Application{Baseline: now.Baseline, Current: now.Current, Target: now.Release})
				if !ok {
					t.Fatalf("%s cannot be read back", name)
				}
				return value
			}
			if got := read(); got != 0 {
				t.Errorf("%s: %s of the baseline is %g", version, name, got)
			}
			for _, want := range values {
				for _, strength := range []Strength{1, 0.5} {
					p := ApplyPrimitiveParams{ImageID: id, PrimitiveName: name, Value: &want, Strength: &strength}
					if _, err := e.ApplyPrimitive(t.Context(), p); err != nil {
						t.Fatal(err)
					}
					if got := read(); math.Abs(got-want*float64(strength)) > 1e-3 {
						t.Errorf("%s: %s %g at strength %g is read back as %g", version, name, want, strength, got)
					}
				}
			}
		}
	}
}

func TestASeriesThatCannotBeMatchedIsRefused(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	many := make([]ImageID, 36)
	for i := range many {
		many[i] = ImageID(fmt.Sprint("many", i))
	}
	for _, tt := range []struct {
		p             MatchSeriesParams
		pointer, says string
	}{
		{MatchSeriesParams{}, "/image_ids", "1 to 500"},
		{MatchSeriesParams{ImageIDs: []ImageID{"a"}}, "/image_ids", "at least 2"},
		{MatchSeriesParams{ImageIDs: []ImageID{"a"}, Reference: "a"}, "/image_ids", "beside the reference"},
		{MatchSeriesParams{ImageIDs: []ImageID{"a", "b", "b"}}, "/image_ids", "b is named twice"},
		{MatchSeriesParams{ImageIDs: []ImageID{"a", "b"}, RefOrHash: "HEAD"}, "/ref_or_hash", "give reference"},
		{MatchSeriesParams{ImageIDs: many, Reference: "a", Sheet: true}, "/sheet", "in parts"},
		{MatchSeriesParams{ImageIDs: []ImageID{"a", "b"}, Match: []MatchPart{"colour"}}, "/match/0", "white_balance"},
	} {
		_, err := e.MatchSeries(t.Context(), tt.p)
		var told *Error
		if !errors.As(err, &told) || told.Code != ErrInvalidInput || !strings.Contains(fmt.Sprint(told.Message, told.Details), tt.says) ||
			!strings.Contains(fmt.Sprint(told.Details), tt.pointer) {
			t.Errorf("%+v: %v, want invalid_input at %s that says %q", tt.p, err, tt.pointer, tt.says)
		}
	}
	if _, err := e.MatchSeries(t.Context(), MatchSeriesParams{ImageIDs: []ImageID{"a"}, Reference: "nobody"}); AsError(err).Code != ErrNotFound {
		t.Errorf("an unknown reference: %v", err)
	}
	read := openWithout(t, Options{Workspace: e.WorkspaceDir(), ReadOnly: true})
	p := MatchSeriesParams{ImageIDs: []ImageID{"a"}, Reference: "nobody"}
	if _, err := read.MatchSeries(t.Context(), p); AsError(err).Code == ErrNotFound {
		t.Errorf("a read-only engine: %v", err)
	}
	p.DryRun = true
	if _, err := read.MatchSeries(t.Context(), p); AsError(err).Code != ErrNotFound {
		t.Errorf("a read-only engine measures: %v", err)
	}
}
