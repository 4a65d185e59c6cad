package mask

// Mask says where, how strongly and in which way a module's effect is mixed
// into the picture: within shapes, within ranges of colour or light, or both. A
// Mask with neither shapes nor ranges covers the whole picture.
type Mask struct {
	// Shapes are drawn, and combined one after the other.
	Shapes []Member
	// Ranges select by what the picture shows, each another channel or side.
	Ranges []Select
	// Combine says how the shapes and the ranges are combined, and the ranges
	// among each other. Default All.
	Combine Combination
	// Invert inverts the whole mask, after everything was combined.
	Invert bool
	// Opacity is how much of the effect is mixed in where the mask is full,
	// 0 to 1; nil is 1.
	Opacity *float64
	// Mode is a blend mode's name, one of [Modes]; "" is normal.
	Mode string
	Refine
}

// Refine is how the mask is changed before it is used. Its numbers are darktable's
// own.
type Refine struct {
	// FeatherRadius makes the mask follow edges of the picture, within so many
	// pixels of the full picture, 0 (off) to 250.
	FeatherRadius float32
	// BlurRadius softens the mask, in pixels of the full picture, 0 to 100.
	BlurRadius float32
	// Contrast makes the mask's transition steeper (positive) or flatter, -1 to 1.
	Contrast float32
	// Brightness grows (positive) or shrinks what is partly selected, -1 to 1.
	Brightness float32
	// Details limits the mask to places with fine detail (positive) or without
	// (negative), the more strictly the farther from 0, -1 to 1. Useful values
	// begin at about 0.2 and at -0.5.
	Details float32
}

// Combination says how the parts of a mask are combined.
type Combination string

const (
	// All selects what every part of the mask selects: the product.
	All Combination = "all"
	// Any selects what some part of the mask selects.
	Any Combination = "any"
)

// Member is a shape of a mask.
type Member struct {
	// Shape is drawn, or Group is combined first and then counts as a shape.
	Shape Shape
	Group []Member
	// Op combines it with the members before; of no meaning for the first.
	// Default OpUnion.
	Op Op
	// Invert selects what lies outside of the shape.
	Invert bool
	// Opacity of the shape, 0 to 1; nil is 1.
	Opacity *float64
}

// Op combines a shape with those before it.
type Op string

const (
	// OpUnion selects what either selects: the larger value.
	OpUnion Op = "union"
	// OpIntersection selects what both select: the smaller value.
	OpIntersection Op = "intersection"
	// OpDifference takes the shape away from what was selected.
	OpDifference Op = "difference"
	// OpExclusion selects what one of them selects, but not both.
	OpExclusion Op = "exclusion"
)

// Ops lists the ways of combining shapes.
func Ops() []Op { return []Op{OpUnion, OpIntersection, OpDifference, OpExclusion} }

// Compiled is a mask in darktable's terms. Blend.MaskID names the group among
// Forms; the numbers hold among these forms only.
type Compiled struct {
	Blend Blend
	Forms []Form
}

// Compile makes blend parameters and forms. version is the blendop_version to
// write, from 10 on; space is the one that the module shall blend in, such as
// [SpaceOf] gives.
//
// It fails with an *[Error] of kind Empty, BadShape, UnknownChannel,
// UnknownMode, BadValue or UnknownVersion.
func (m Mask) Compile(version int, space ColorSpace) (Compiled, error) {
	b, err := m.newBlend(version, space)
	if err != nil {
		return Compiled{}, err
	}
	var builder formBuilder
	if len(m.Shapes) > 0 {
		b.MaskMode |= Drawn
		if b.MaskID, err = builder.addGroup(m.Shapes); err != nil {
			return Compiled{}, err
		}
	}
	if err := b.validate(); err != nil {
		return Compiled{}, err
	}
	return Compiled{b, builder.forms}, nil
}

// newBlend makes the blend parameters of all but the shapes.
func (m Mask) newBlend(version int, space ColorSpace) (Blend, error) {
	b, err := NewBlend(version, space)
	if err != nil {
		return b, err
	}
	if version < 10 {
		return b, &Error{Kind: UnknownVersion, Version: version, Message: "masks are written from version 10 on, which says the colour space"}
	}
	if space < ColorSpaceRaw || space > ColorSpaceRGBScene {
		return b, errorf(BadValue, "blend colour space", "in %d darktable ignores the mask and applies the edit everywhere; it must be 1 (raw) to 4", space)
	}
	if b.Mode, err = modeNumber(m.Mode, space); err != nil {
		return b, err
	}
	opacity, err := fraction("opacity", m.Opacity)
	if err != nil {
		return b, err
	}
	b.MaskMode = Uniform
	b.Opacity = 100 * opacity
	b.FeatherRadius, b.BlurRadius = m.FeatherRadius, m.BlurRadius
	b.Contrast, b.Brightness, b.Details = m.Contrast, m.Brightness, m.Details
	if m.Invert {
		if len(m.Shapes) == 0 && len(m.Ranges) == 0 {
			return b, errorf(Empty, "invert", "without shapes and ranges the mask is the whole picture, and nothing is left outside of it")
		}
		b.Combine |= CombineInvert
	}
	err = m.setRanges(&b)
	return b, err
}

// setRanges sets the parametric part.
func (m Mask) setRanges(b *Blend) error {
	if m.Combine != "" && m.Combine != All && m.Combine != Any {
		return errorf(BadValue, "combine", "%q is neither %q nor %q", m.Combine, All, Any)
	}
	if len(m.Ranges) == 0 {
		return nil
	}
	b.MaskMode |= Parametric
	if m.Combine == Any {
		// darktable then takes an idle channel for one that selects everything,
		// unless it is inverted.
		b.Combine |= CombineInclusive
		for _, c := range channels[b.ColorSpace] {
			b.Channels |= 1<<(c+16) | 1<<(c+outputSide+16)
		}
	}
	for _, s := range m.Ranges {
		if err := s.apply(b); err != nil {
			return err
		}
	}
	return nil
}
