package xmp

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/xmp/mask"
)

// Every mask of real sidecars is told in words.
func TestMasksOfRealSidecarsHaveWords(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(filepath.Join(testutil.SharedData(t, "xmp"), "*.xmp"))
	if err != nil || len(names) == 0 {
		t.Skip("no real sidecars")
	}
	shapes, masked := 0, 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Parse(data)
		if err != nil {
			continue
		}
		for _, e := range s.History() {
			b, err := mask.DecodeBlend(e.BlendVersion, e.Blend)
			if err != nil || b.MaskMode <= mask.Uniform {
				continue
			}
			masked++
			forms := s.FormsOfNumber(e.Operation, e.MultiPriority)
			words := mask.Lens{}.Words(b, forms)
			if len(words) == 0 {
				t.Errorf("%s: the mask of %s has no words", filepath.Base(name), e.Operation)
			}
			for _, w := range words {
				if w.Name == "shapes[0].kind" {
					shapes++
				}
			}
		}
	}
	t.Logf("%d masks, %d with shapes", masked, shapes)
}
