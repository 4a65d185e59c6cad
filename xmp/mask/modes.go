package mask

import (
	"maps"
	"slices"
)

// The blend modes by darktable's names. They mix the module's output with its
// input; which there are depends on the blend colour space. darktable takes any
// other number for normal.
//
// Left out are color adjustment and, in Lab, difference: both change the picture
// outside of the mask as well (measured on 4.2.1).
var (
	modesEverywhere = map[string]uint32{
		"normal": blendNormal, "multiply": 4, "average": 5, "add": 6, "subtract": 7,
		"lightness": 16, "chromaticity": 17,
	}
	modesOfLab = map[string]uint32{
		"lab lightness": 26, "lab color": 27, "lab L": 30, "lab a": 31, "lab b": 32,
	}
	modesOfDisplay = map[string]uint32{
		"difference": 23, "hsv value": 28, "hsv color": 29, "red": 33, "green": 34, "blue": 35,
	}
	// modesOfBoth compare with white, or with a middle, which scene-referred
	// light does not have.
	modesOfBoth = map[string]uint32{
		"bounded": 25, "lighten": 2, "darken": 3, "screen": 9, "overlay": 10, "soft light": 11,
		"hard light": 12, "vivid light": 13, "linear light": 14, "pin light": 15, "hue": 18, "color": 19,
	}
	modesOfScene = map[string]uint32{
		"subtract inverse": 37, "difference": 23, "divide": 38, "divide inverse": 39,
		"geometric mean": 40, "harmonic mean": 41, "red": 33, "green": 34, "blue": 35,
	}
)

var modes = map[ColorSpace]map[string]uint32{
	ColorSpaceRaw:        {"normal": blendNormal},
	ColorSpaceLab:        merged(modesEverywhere, modesOfBoth, modesOfLab),
	ColorSpaceRGBDisplay: merged(modesEverywhere, modesOfBoth, modesOfDisplay),
	ColorSpaceRGBScene:   merged(modesEverywhere, modesOfScene),
}

func merged(tables ...map[string]uint32) map[string]uint32 {
	all := map[string]uint32{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}

// Modes lists the names of a colour space's blend modes, sorted.
func Modes(space ColorSpace) []string { return slices.Sorted(maps.Keys(modes[space])) }

// modeNumber finds a blend mode; "" is normal.
func modeNumber(name string, space ColorSpace) (uint32, error) {
	if name == "" {
		return blendNormal, nil
	}
	n, ok := modes[space][name]
	if !ok {
		return 0, errorf(UnknownMode, "mode", "%q is no blend mode in %v, which has %q", name, space, Modes(space))
	}
	return n, nil
}
