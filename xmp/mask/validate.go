package mask

import (
	"fmt"
	"math"
)

// validate finds what darktable would ignore or misread, such as a drawn mask
// without forms, as an *Error of kind BadValue. Encode does not ask: real
// sidecars may hold anything.
func (b Blend) validate() error {
	switch {
	case b.ColorSpace < ColorSpaceNone || b.ColorSpace > ColorSpaceRGBScene:
		return b.badValue("ColorSpace", "%d is not one of 0 to 4: darktable ignores the mask", b.ColorSpace)
	case !inRange(b.Opacity, 0, 100):
		return b.badValue("Opacity", "%v is outside 0 to 100", b.Opacity)
	case b.MaskMode != 0 && b.MaskMode&Uniform == 0:
		return b.badValue("MaskMode", "%d has a mask without Uniform, which switches blending on", b.MaskMode)
	case b.MaskMode&Drawn != 0 && b.MaskID == 0:
		return b.badValue("MaskID", "a drawn mask needs a group of forms")
	case b.MaskMode&Raster != 0 && b.RasterSource[0] == 0:
		return b.badValue("RasterSource", "a raster mask needs the module that makes it")
	case !inRange(b.FeatherRadius, 0, 250):
		return b.badValue("FeatherRadius", "%v is outside 0 to 250 pixels", b.FeatherRadius)
	case !inRange(b.BlurRadius, 0, 100):
		return b.badValue("BlurRadius", "%v is outside 0 to 100 pixels", b.BlurRadius)
	case !inRange(b.Contrast, -1, 1):
		return b.badValue("Contrast", "%v is outside -1 to 1", b.Contrast)
	case !inRange(b.Brightness, -1, 1):
		return b.badValue("Brightness", "%v is outside -1 to 1", b.Brightness)
	case !inRange(b.Details, -1, 1):
		return b.badValue("Details", "%v is outside -1 to 1", b.Details)
	}
	for c, r := range b.Ranges {
		if !(r.Low <= r.LowFull && r.LowFull <= r.HighFull && r.HighFull <= r.High) {
			return b.badValue(fmt.Sprintf("Ranges[%d]", c), "%v does not rise", r)
		}
	}
	return nil
}

// inRange is false for NaN.
func inRange(x, low, high float32) bool { return x >= low && x <= high && !math.IsInf(float64(x), 0) }

func (b Blend) badValue(field, format string, args ...any) error {
	return &Error{Kind: BadValue, Version: b.Version, Field: field, Message: fmt.Sprintf(format, args...)}
}
