package mask

import (
	"slices"
	"strings"
)

// Modules that darktable's window does not blend in RGB.
var (
	rawModules = strings.Fields("highlights hotpixels rawdenoise")
	labModules = strings.Fields(`bilat bloom colisa colorbalance colorchecker colorcontrast colorcorrection
		colorize colormapping colorreconstruct colorzones defringe filmic globaltonemap grain highpass levels
		lowlight lowpass monochrome nlmeans relight shadhi sharpen tonecurve vibrance zonesystem`)
)

// SpaceOf returns the colour space in which darktable's scene-referred workflow
// blends a module: raw for the few before demosaicing, Lab for the modules that
// work in Lab, and else scene-referred RGB. In [ColorSpaceRaw] there are shapes
// but no ranges.
//
// That is the default of darktable's window. When darktable develops, it blends any
// module behind demosaicing in the space that the blend parameters name, Lab or
// RGB, and the raw ones in raw only (measured on 5.4.1, with all modules that can
// be masked). In any other space, and with [ColorSpaceNone], it ignores the mask and
// applies the edit everywhere.
//
// Whether a module blends at all:
// [github.com/chemigram/chemigram/xmp/iop.Module.SupportsMasks].
func SpaceOf(operation string) ColorSpace {
	switch {
	case slices.Contains(rawModules, operation):
		return ColorSpaceRaw
	case slices.Contains(labModules, operation):
		return ColorSpaceLab
	}
	return ColorSpaceRGBScene
}
