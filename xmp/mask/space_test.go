package mask_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/mask"
)

func TestModulesBlendWhereRealSidecarsBlendThem(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(testutil.SharedData(t, "xmp"), "*.xmp"))
	if err != nil {
		t.Fatal(err)
	}
	modules := map[string]bool{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := xmp.Parse(data)
		if err != nil {
			continue // a format of darktable 2
		}
		for _, e := range s.History() {
			b, err := mask.DecodeBlend(e.BlendVersion, e.Blend)
			if err != nil || b.ColorSpace == mask.ColorSpaceNone {
				continue // an old version, or a module that does not blend
			}
			modules[e.Operation] = true
			space := b.ColorSpace
			if space == mask.ColorSpaceRGBDisplay {
				space = mask.ColorSpaceRGBScene // another workflow
			}
			if want := mask.SpaceOf(e.Operation); space != want {
				t.Errorf("%s: %s blends in %v, want %v", filepath.Base(file), e.Operation, b.ColorSpace, want)
			}
		}
	}
	if len(modules) < 50 {
		t.Errorf("only %d modules were seen", len(modules))
	}
}
