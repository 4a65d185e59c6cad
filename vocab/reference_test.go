package vocab

import (
	"slices"
	"testing"

	"github.com/chemigram/chemigram/xmp/iop"
)

func TestReferencesAreNeutral(t *testing.T) {
	t.Parallel()
	for module, fields := range corrections {
		used := false
		for _, version := range supported {
			release, err := iop.ReleaseFor(version)
			if err != nil {
				t.Fatal(err)
			}
			modversion, ok := release.Modversion(module)
			if !ok {
				continue
			}
			p, err := reference(module, modversion)
			if err != nil {
				t.Fatal(err)
			}
			used = used || slices.ContainsFunc(fields, func(c correction) bool {
				v, err := p.Get(c.field)
				f, _ := v.Float()
				return err == nil && f == float64(float32(c.value))
			})
			for _, c := range fields {
				if _, err := p.Get(c.field); err != nil {
					t.Errorf("%s %d: %v", module, modversion, err)
				}
			}
		}
		if !used {
			t.Errorf("%s: no supported darktable has it", module)
		}
	}
}
