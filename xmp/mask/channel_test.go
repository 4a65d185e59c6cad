package mask

import (
	"slices"
	"testing"
)

func TestEverySpaceHasItsChannelsAndModes(t *testing.T) {
	t.Parallel()
	for space, want := range map[ColorSpace]struct{ channels, modes int }{
		ColorSpaceNone: {0, 0}, ColorSpaceRaw: {0, 1}, ColorSpaceLab: {5, 24}, ColorSpaceRGBDisplay: {7, 25}, ColorSpaceRGBScene: {7, 16},
	} {
		if got := channelsOf(space); len(got) != want.channels {
			t.Errorf("%v has the channels %v", space, got)
		}
		if got := Modes(space); len(got) != want.modes || !slices.IsSorted(got) {
			t.Errorf("%v has %d modes: %q", space, len(got), got)
		}
	}
}
