package mask

import (
	"slices"
	"strings"
)

// Modules that do not blend in RGB, as darktable itself writes them.
var (
	rawModules = strings.Fields("highlights hotpixels rawdenoise")
	labModules = strings.Fields(`bilat bloom colisa colorbalance colorchecker colorcontrast colorcorrection
		colorize colormapping colorreconstruct colorzones defringe filmic globaltonemap grain highpass levels
		lowlight lowpass monochrome nlmeans relight shadhi sharpen tonecurve vibrance zonesystem`)
)

// SpaceOf gives the colour space that darktable's scene-referred workflow blends
// a module in: raw for the few before demosaicing, Lab for the modules that work
// in Lab, and else scene-referred RGB. In [ColorSpaceRaw] there are shapes but no
// ranges.
//
// Whether a module blends at all is not for this package to know; see
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
