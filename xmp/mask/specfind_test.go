package mask_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/xmp/mask"
)

func TestWhatSaysWhereARegionIsHasToMakeSense(t *testing.T) {
	t.Parallel()
	off := false
	on := []mask.SpecPoint{{X: 0.5, Y: 0.5}}
	triangle := [][]float64{{0.1, 0.1}, {0.9, 0.1}, {0.5, 0.8}}
	for name, tt := range map[string]struct {
		spec mask.Spec
		want string // of the error; "" when it is right
	}{
		"a meaning":            {mask.Spec{Name: "sky"}, ""},
		"a meaning and points": {mask.Spec{Name: "sky", Points: []mask.SpecPoint{{X: 1, Y: 0, Keep: &off}}}, ""},
		"a point":              {mask.Spec{Points: on}, ""},
		"a box":                {mask.Spec{Box: []float64{0, 0.2, 0.5, 1}}, ""},
		"a polygon":            {mask.Spec{Polygon: triangle, Points: on}, ""},
		"a refined file":       {mask.Spec{File: "a.png", Refine: true}, ""},
		"only what is off":     {mask.Spec{Points: []mask.SpecPoint{{X: 0.5, Y: 0.5, Keep: &off}}}, "none is on the region"},
		"a point outside":      {mask.Spec{Points: []mask.SpecPoint{{X: 1.5, Y: 0.5}}}, "0 to 1"},
		"three sides":          {mask.Spec{Box: []float64{0, 0, 1}}, "left, top, right, bottom"},
		"a box turned over":    {mask.Spec{Box: []float64{0.8, 0, 0.2, 1}}, "left below right"},
		"two corners":          {mask.Spec{Polygon: triangle[:2]}, "it needs 3"},
		"half a corner":        {mask.Spec{Polygon: [][]float64{{0.1}, {0.9, 0.1}, {0.5, 0.8}}}, "[x, y]"},
		"a box and a polygon":  {mask.Spec{Box: []float64{0, 0, 1, 1}, Polygon: triangle}, "one of the two"},
		"a file and points":    {mask.Spec{File: "a.png", Refine: true, Points: on}, "one of them"},
	} {
		if !tt.spec.Finds() || !tt.spec.NeedsFrame() {
			t.Errorf("%s: it does not have to be found", name)
		}
		err := tt.spec.CheckFound()
		if tt.want == "" && err != nil || tt.want != "" && (!errors.Is(err, mask.BadValue) || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
		if _, err := tt.spec.Mask(mask.Whole(mask.Size{Width: 3, Height: 2})); !errors.Is(err, mask.BadValue) {
			t.Errorf("%s: it is a mask before it is found: %v", name, err)
		}
	}
	for name, spec := range map[string]mask.Spec{"a colour": {Name: "sky_blue"}, "a file": {File: "a.png"}, "nothing": {}, "refine alone": {Refine: true}} {
		if spec.Finds() {
			t.Errorf("%s has to be found", name)
		}
	}
}

// The background is the subject, inverted, however it is said.
func TestTheBackgroundIsAllButTheSubject(t *testing.T) {
	t.Parallel()
	on, off := true, false
	for _, c := range []struct{ said, want mask.Spec }{
		{mask.Spec{Name: mask.Background}, mask.Spec{Name: "subject", Invert: true}},
		{mask.Spec{Name: mask.Background, Invert: true, Blur: 2}, mask.Spec{Name: "subject", Blur: 2}},
		{
			mask.Spec{Name: mask.Background, Points: []mask.SpecPoint{{X: 0.1, Y: 0.2}, {X: 0.5, Y: 0.5, Keep: &off}}},
			mask.Spec{Name: "subject", Invert: true, Points: []mask.SpecPoint{{X: 0.1, Y: 0.2, Keep: &off}, {X: 0.5, Y: 0.5, Keep: &on}}},
		},
		{mask.Spec{Name: "sky", Invert: true}, mask.Spec{Name: "sky", Invert: true}},
	} {
		got, err := c.said.Region()
		if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
			t.Errorf("%v (-want +got)\n%s", err, diff)
		}
		if c.said.Key() != c.want.Key() {
			t.Errorf("%+v has the key %q, %+v %q", c.said, c.said.Key(), c.want, c.want.Key())
		}
	}
	if key := (mask.Spec{Name: mask.Background}).Key(); key != "background" {
		t.Errorf("the key is %q", key)
	}
	if _, err := (mask.Spec{Name: mask.Background, Box: []float64{0, 0, 1, 1}}).Region(); !errors.As(err, new(*mask.Error)) {
		t.Errorf("a box around it: %v", err)
	}
}

func TestPointsCountInTheKey(t *testing.T) {
	t.Parallel()
	on := true
	a := mask.Spec{Points: []mask.SpecPoint{{X: 0.5, Y: 0.5}}}
	b := mask.Spec{Points: []mask.SpecPoint{{X: 0.5, Y: 0.5, Keep: &on}}}
	c := mask.Spec{Points: []mask.SpecPoint{{X: 0.5, Y: 0.6}}}
	if a.Key() != b.Key() || a.Key() == c.Key() || (mask.Spec{Name: "sky"}).Key() != "sky" {
		t.Error(a.Key(), b.Key(), c.Key())
	}
}
