package main

import (
	"strings"
	"testing"

	"github.com/chemigram/chemigram"
)

func TestWhatWasFoundIsTold(t *testing.T) {
	var said strings.Builder
	found := chemigram.MatchReferenceResult{
		EditResult: chemigram.EditResult{Applied: []chemigram.AppliedMove{{
			Move: "exposure", Values: []chemigram.AppliedValue{{Name: "ev", Value: 0.35, Unit: "EV"}},
		}}},
		Likeness: chemigram.Likeness{Understood: "aligned", Before: 8.4, LightAlone: 2.2, After: 0.7},
		JPEGPath: "sheet.jpg",
	}
	if err := tell(&said, found); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"aligned", "8.4", "2.2", "0.7", "exposure 0.35 EV", "sheet.jpg"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("%q does not say %q", said.String(), want)
		}
	}
}

func TestARawHasToBeNamed(t *testing.T) {
	if err := run(t.Context(), &strings.Builder{}, "", "camera", t.TempDir()); err == nil || !strings.Contains(err.Error(), "-raw") {
		t.Errorf("%v", err)
	}
}
