package iop

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Where darktable's own flag and the table differ, in every release.
func TestWhatBelongsToOnePictureIsMoreThanDarktableFlags(t *testing.T) {
	t.Parallel()
	flaggedOnly := []string{"mask_manager", "temperature"}
	listedOnly := []string{
		"ashift", "borders", "cacorrect", "clipping", "colorin", "crop", "demosaic", "enlargecanvas", "hotpixels",
		"liquify", "overlay", "rasterfile", "rawdenoise", "retouch", "spots", "watermark",
	}
	for _, r := range Releases() {
		var flagged, listed, both []string
		for _, m := range r.Modules() {
			switch op := m.Operation; {
			case m.PerImage() && BelongsToPicture(op):
				both = append(both, op)
			case m.PerImage():
				flagged = append(flagged, op)
			case BelongsToPicture(op):
				listed = append(listed, op)
			}
		}
		t.Logf("%s: flagged and listed %v, flagged only %v, listed only %v", r.Version(), both, flagged, listed)
		if diff := cmp.Diff([]string{"flip", "gamma", "lens", "rawprepare", "rotatepixels", "scalepixels"}, both); diff != "" {
			t.Errorf("%s, flagged and listed (-want +got):\n%s", r.Version(), diff)
		}
		if diff := cmp.Diff(flaggedOnly, flagged); diff != "" {
			t.Errorf("%s, flagged only (-want +got):\n%s", r.Version(), diff)
		}
		want := slices.DeleteFunc(slices.Clone(listedOnly), func(op string) bool { _, ok := r.Module(op); return !ok })
		if diff := cmp.Diff(want, listed); diff != "" {
			t.Errorf("%s, listed only (-want +got):\n%s", r.Version(), diff)
		}
	}
}

func TestModulesWithARoleExist(t *testing.T) {
	t.Parallel()
	for _, op := range slices.Sorted(maps.Keys(roles)) {
		inSome := false
		for _, r := range Releases() {
			_, ok := r.Module(op)
			inSome = inSome || ok
			if !ok && OnEveryRaw(op) {
				t.Errorf("%s has no %s", r.Version(), op)
			}
		}
		if !inSome {
			t.Errorf("no release has %s", op)
		}
		if Required(op) && !OnEveryRaw(op) {
			t.Errorf("%s is required but not run on every raw", op)
		}
	}
	if !OnEveryRaw("highlights") || Required("highlights") || Required("exposure") || ChangesGeometry("exposure") || !ChangesGeometry("crop") {
		t.Error("highlights can be switched off, exposure has no role, and crop changes the geometry")
	}
}
