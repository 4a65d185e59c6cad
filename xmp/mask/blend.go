package mask

// Blend are a module instance's blend parameters: a plain value, which may be
// copied and changed field by field. Fields that a version's layout does not
// have are ignored by Encode; their values in a decoded Blend are those that
// darktable gives them when it reads the old version.
type Blend struct {
	Version int // blendop_version: which layout Encode writes

	MaskMode       Limits
	ColorSpace     ColorSpace // of the parametric channels and the blend modes; from version 10 on
	Mode           uint32     // blend mode; 24 is normal
	Parameter      float32    // fulcrum of some modes in EV; from version 10 on
	Opacity        float32    // percent, 0 to 100
	Combine        Combine
	MaskID         uint32  // the form group of a drawn mask; 0 is none
	Channels       uint32  // bit c: parametric channel c is active; bit c+16: it is inverted
	FeatherRadius  float32 // in pixels of the full picture
	FeatherGuide   uint32  // 1 output, 2 input; 5 output and 6 input after the blur
	BlurRadius     float32 // in pixels of the full picture
	Contrast       float32 // of the mask, -1 to 1
	Brightness     float32 // of the mask, -1 to 1
	Details        float32 // threshold, -1 to 1; from version 11 on
	FeatherVersion uint32  // 1 is today's guided filter, 0 the one before; from version 13 on
	Reserved       [4]uint32
	Ranges         [16]Range   // of the parametric channels
	Boost          [16]float32 // EV by which a channel's range is stretched; from version 10 on

	RasterSource   [20]byte // operation that gives the raster mask, NUL-terminated
	RasterInstance int32
	RasterID       int32 // -1 is none from version 13 on
	RasterInvert   int32 // not 0: inverted
}

// Range is a parametric channel's trapezium: the mask is 0 up to Low, rises to
// 1 at LowFull, stays until HighFull and is 0 again from High on. The whole
// range, 0 0 1 1, selects everything.
type Range struct{ Low, LowFull, HighFull, High float32 }

// Limits says which masks limit the module: a sum of flags.
type Limits uint32

// The flags of Limits. Uniform has to be there for any of the others.
const (
	Uniform    Limits = 1
	Drawn      Limits = 2
	Parametric Limits = 4
	Raster     Limits = 8
)

// ColorSpace is the blend colour space.
type ColorSpace int32

// The blend colour spaces. There is no other: darktable ignores the mask of
// one that it does not know.
const (
	ColorSpaceNone ColorSpace = iota // the module's own
	ColorSpaceRaw
	ColorSpaceLab
	ColorSpaceRGBDisplay
	ColorSpaceRGBScene
)

// Combine says how drawn and parametric masks are combined: a sum of flags.
type Combine uint32

// The flags of Combine.
const (
	CombineInvert    Combine = 1 // the whole mask is inverted
	CombineInclusive Combine = 2 // channels add up instead of limiting each other
	CombineMasksPos  Combine = 4 // the drawn mask is inverted
)

// ModeReversed is the flag of a blend mode that changes what comes into the module for
// what it makes: at opacity 0 the module has its whole effect.
const ModeReversed uint32 = 1 << 31

const (
	blendNormal = 24
	// boostJz is log2 of 0.01: in scene-referred RGB, the ranges of Jz and Cz
	// (channels 8, 9 and, on the output side, 12, 13) are stretched by it.
	boostJz = -6.643856
)

// DefaultBlend returns the blend parameters that leave a module unmasked and
// unblended, in the layout of one blendop_version, 4 to 14. They are
// darktable's own defaults for a module of no particular colour space.
func DefaultBlend(version int) ([]byte, error) {
	b, err := NewBlend(version, ColorSpaceNone)
	if err != nil {
		return nil, err
	}
	return b.Encode()
}

// NewBlend returns darktable's default blend parameters for a colour space.
func NewBlend(version int, space ColorSpace) (Blend, error) {
	if _, err := blendSize(version); err != nil {
		return Blend{}, err
	}
	b := Blend{Version: version, ColorSpace: space, Mode: blendNormal, Opacity: 100, FeatherGuide: 1}
	for c := range b.Ranges {
		b.Ranges[c] = Range{HighFull: 1, High: 1}
	}
	if version < 10 {
		b.ColorSpace = ColorSpaceNone
		return b, nil
	}
	if space == ColorSpaceRGBScene {
		for _, c := range []int{8, 9, 12, 13} {
			b.Boost[c] = boostJz
		}
	}
	if version >= 11 {
		b.FeatherGuide = 5
	}
	if version >= 13 {
		b.FeatherVersion, b.RasterID = 1, -1
	}
	return b, nil
}
