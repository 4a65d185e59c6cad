package version_test

import (
	"testing"

	"github.com/chemigram/chemigram/internal/version"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]version.Version{
		"5.4.1":             {Major: 5, Minor: 4, Patch: 1},
		"5.4":               {Major: 5, Minor: 4},
		"v4.2.1":            {Major: 4, Minor: 2, Patch: 1},
		"release-5.0.0":     {Major: 5},
		"5.4.1+git12":       {Major: 5, Minor: 4, Patch: 1},
		"4.2.1-4":           {Major: 4, Minor: 2, Patch: 1},
		"5.5.0+123~gabcdef": {Major: 5, Minor: 5},
		"4.2.1\ncopyright":  {Major: 4, Minor: 2, Patch: 1},
	} {
		if got, ok := version.Parse(text); !ok || got != want {
			t.Errorf("%q is %v, %t", text, got, ok)
		}
	}
	for _, text := range []string{"", "five", "5.", "5.4.1.2", "12345", ".5", " 5"} {
		if got, ok := version.Parse(text); ok {
			t.Errorf("%q is %v", text, got)
		}
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	old, young := version.Version{Major: 4, Minor: 10}, version.Version{Major: 5}
	if old.Compare(young) != -1 || young.Compare(old) != 1 || old.Compare(version.Version{Major: 4, Minor: 10}) != 0 {
		t.Errorf("%v and %v", old, young)
	}
}
