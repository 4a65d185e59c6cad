package vocab

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/xmp"
)

// mappers lists the tone mappers that are on in an edit.
func mappers(s *xmp.Sidecar) (on []string) {
	for _, module := range []string{"agx", "filmicrgb", "sigmoid"} {
		if e, ok := s.Find(module, ""); ok && e.Enabled {
			on = append(on, module)
		}
	}
	return on
}

func TestOneToneMapperWorksAtATime(t *testing.T) {
	t.Parallel()
	defaults := map[string]string{"4.2.1": "filmicrgb", "5.4.1": "sigmoid"}
	eachBaseline(t, func(t *testing.T, b *fixture) {
		b.words = shipped(t)
		s, usual := b.baseline, defaults[b.release.Version()]
		for _, step := range []struct {
			move     string
			strength float64
			want     string
		}{
			{"use_filmic", 1, "filmicrgb"},
			{"filmic_contrast", 1, "filmicrgb"},
			{"use_sigmoid", 0.3, "sigmoid"},
			{"sigmoid_contrast", 1, "sigmoid"},
			{"use_filmic", 0.01, "filmicrgb"},
			{"use_filmic", 0, usual},
			{"use_sigmoid", 0, usual},
		} {
			s = b.apply(s, step.move, Application{Strength: &step.strength})
			if diff := cmp.Diff([]string{step.want}, mappers(s)); diff != "" {
				t.Errorf("after %s at %g (-want +got):\n%s", step.move, step.strength, diff)
			}
		}
		for _, move := range []string{"filmic_contrast", "sigmoid_contrast"} {
			s = b.apply(s, move, value(0))
		}
		if s.Hash() != b.baseline.Hash() {
			t.Error("with all taken back, the baseline has not come back")
		}
	})
}

// A choice that is the baseline's own changes nothing.
func TestChoosingWhatIsThereChangesNothing(t *testing.T) {
	t.Parallel()
	eachBaseline(t, func(t *testing.T, b *fixture) {
		b.words = shipped(t)
		move := map[string]string{"4.2.1": "use_filmic", "5.4.1": "use_sigmoid"}[b.release.Version()]
		if s := b.apply(b.baseline, move, Application{}); s.Hash() != b.baseline.Hash() {
			t.Errorf("%s changed the edit", move)
		}
	})
}

func TestAMoveThatBuildsOnAnotherOneAsksForIt(t *testing.T) {
	t.Parallel()
	b := newFixture(t, "5.4.1")
	b.words = shipped(t)
	_, err := b.try(b.baseline, "filmic_contrast", value(0.3))
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Kind != NotInUse || e.Key != "filmicrgb" || !strings.Contains(e.Message, "apply use_filmic first") {
		t.Fatalf("filmic_contrast on sigmoid: %v", err)
	}
	if s := b.apply(b.baseline, "filmic_contrast", value(0)); s.Hash() != b.baseline.Hash() {
		t.Error("a move that does nothing changed the edit")
	}
	s := b.apply(b.apply(b.baseline, "use_filmic", Application{}), "filmic_contrast", value(0.3))
	near(t, "contrast", b.field(s, "filmicrgb", "", "contrast"), 1.3)
	near(t, "white", b.field(s, "filmicrgb", "", "white_point_source"), 4.56)
}

func TestBuildsOnNamesAMove(t *testing.T) {
	t.Parallel()
	build := func(on string) string {
		return strings.Replace(goodEntry, `"layer"`, `"builds_on": "`+on+`", "layer"`, 1)
	}
	second := strings.Replace(build("lift"), `"name": "lift"`, `"name": "raise"`, 1)
	tests := []struct{ name, entries, says string }{
		{"unknown", build("nothing"), `a move "nothing"`},
		{"itself", build("lift"), "builds on lift itself"},
		{"a move of the pack", goodEntry + "," + second, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, failures := Load(Source{"mine", pack(tt.entries)})
			if err := errors.Join(failures...); (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("failures %v, want %q", err, tt.says)
			}
		})
	}
}
