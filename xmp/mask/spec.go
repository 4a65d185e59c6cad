package mask

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Spec is a mask as people and programs write it: flat, portable as JSON, and in
// the frame of the developed picture. [Spec.Mask] takes it into darktable's
// frame and numbers.
type Spec struct {
	// Name is a mask of list_masks. Shapes and ranges beside it limit it.
	Name string `json:"name,omitempty"`
	// Points are on a region to find (or off it); more of them correct it.
	Points []SpecPoint `json:"points,omitempty"`
	// Box [left, top, right, bottom] lies around a region to find.
	Box []float64 `json:"box,omitempty"`
	// Polygon is a region's rough outline [[x, y], …], which is laid along its
	// edges.
	Polygon [][]float64 `json:"polygon,omitempty"`
	// Shapes are drawn on the picture as it looks now, joined in order.
	Shapes []SpecShape `json:"shapes,omitempty"`
	// File is the path of a PNG (white, or opaque, is selected) or of JSON
	// [[x, y], …] with the picture's proportions, joined before the shapes.
	File string `json:"file,omitempty"`
	// Refine lays the file's outlines along the picture's edges.
	Refine bool `json:"refine,omitempty"`
	// Ranges select by light or colour, each by another channel.
	Ranges []SpecRange `json:"ranges,omitempty"`
	// Match is all (what the shapes and every range select) or any. Default:
	// all.
	Match Combination `json:"match,omitempty"`
	// Invert selects everything else.
	Invert bool `json:"invert,omitempty"`
	// Opacity of the whole mask. Default: 1.
	Opacity *Share `json:"opacity,omitempty"`
	// Feather follows the picture's edges within 0 to 250 pixels of the full
	// size.
	Feather float64 `json:"feather,omitempty"`
	// Blur softens the mask by 0 to 100 pixels of the full size.
	Blur float64 `json:"blur,omitempty"`
	// Contrast makes edges harder (to 1) or softer (to -1).
	Contrast float64 `json:"contrast,omitempty"`
	// Details keeps fine detail (to 1) or smooth places (to -1).
	Details float64 `json:"details,omitempty"`
	// Label names this use: the same move with it is replaced, whatever the
	// mask. Default: with the same mask.
	Label Label `json:"label,omitempty"`
}

// SpecShape is a drawn shape of a [Spec]. Coordinates are fractions of the
// developed picture's width and height from the top left; lengths are fractions
// of its shorter side.
type SpecShape struct {
	// Kind is circle, ellipse, gradient, path (a polygon) or brush (a stroke).
	Kind ShapeKind `json:"kind"`
	// X is the horizontal centre, or of a point on a gradient's line: 0 left, 1
	// right. Default: 0.5.
	X *float64 `json:"x,omitempty"`
	// Y is the vertical centre: 0 top, 1 bottom. Default: 0.5.
	Y *float64 `json:"y,omitempty"`
	// Radius of a circle, half axis of an ellipse, half width of a brush: a
	// fraction of the shorter side.
	Radius float64 `json:"radius,omitempty"`
	// RadiusY is an ellipse's other half axis.
	RadiusY float64 `json:"radius_y,omitempty"`
	// Rotation in degrees, clockwise. A gradient selects what is above its
	// line, at 90 what is right.
	Rotation float64 `json:"rotation,omitempty"`
	// Softness is how far beyond its edge the shape fades (a gradient on both
	// sides), a fraction of the shorter side. Default: 0.05; gradient 0.25.
	Softness *Share `json:"softness,omitempty"`
	// Points are a path's corners, [x, y], or a brush's, [x, y] or [x, y, radius].
	// What a path encloses twice is not selected.
	Points [][]float64 `json:"points,omitempty"`
	// Combine joins it to the shapes before. Default: union.
	Combine Op `json:"combine,omitempty"`
	// Invert selects what is outside.
	Invert bool `json:"invert,omitempty"`
	// Opacity of the shape. Default: 1.
	Opacity *Share `json:"opacity,omitempty"`
}

// SpecPoint is a place on a region, or off it: fractions of the developed picture's
// width and height from the top left.
type SpecPoint struct {
	// X is 0 left, 1 right.
	X float64 `json:"x"`
	// Y is 0 top, 1 bottom.
	Y float64 `json:"y"`
	// Keep is false for what is not of the region. Default: true.
	Keep *bool `json:"keep,omitempty"`
}

// SpecRange is a range of light or colour of a [Spec].
type SpecRange struct {
	// Channel is lightness (0 black, 1 white), chroma (0 grey, 0.3 plain
	// colour), hue (30 red, 90 yellow, 140 green, 250 blue), or linear gray,
	// red, green, blue.
	Channel Channel `json:"channel"`
	// From is the lower end. Default: open.
	From *float64 `json:"from,omitempty"`
	// To is the upper end; a hue's may be below from. Default: open.
	To *float64 `json:"to,omitempty"`
	// Softness is how far beyond its ends it fades. Default: 0.1; hue 15.
	Softness *float64 `json:"softness,omitempty"`
	// Invert selects what is outside.
	Invert bool `json:"invert,omitempty"`
}

// Share is a fraction of a whole, 0 to 1.
type Share float64

// Label is at most 40 letters, digits, blanks, hyphens and underscores.
type Label string

// ShapeKind is a kind of drawn shape.
type ShapeKind string

// The kinds of shapes.
const (
	KindCircle   ShapeKind = "circle"
	KindEllipse  ShapeKind = "ellipse"
	KindGradient ShapeKind = "gradient"
	KindPath     ShapeKind = "path"
	KindBrush    ShapeKind = "brush"
)

// ShapeKinds lists the kinds of shapes.
func ShapeKinds() []ShapeKind {
	return []ShapeKind{KindCircle, KindEllipse, KindGradient, KindPath, KindBrush}
}

// SpecChannels lists the channels that a [SpecRange] can be of.
func SpecChannels() []Channel {
	return []Channel{Lightness, Chroma, Hue, Gray, Red, Green, Blue}
}

// NeedsFrame reports whether the mask has shapes or a file of them, which have a
// place.
func (s Spec) NeedsFrame() bool { return len(s.Shapes) > 0 || s.File != "" || s.Finds() }

// Within returns the mask that a named one makes with what was asked for beside
// its name: further shapes and ranges, and refinements in place of its own.
// Error: *[Error] of kind BadValue, when the two cannot be joined.
func (s Spec) Within(named Spec) (Spec, error) {
	further := len(s.Shapes)+len(s.Ranges) > 0 || s.File != "" || s.pointed()
	if further && (named.Invert || named.Match == Any || s.Match == Any) {
		return Spec{}, errorf(BadValue, "name", "%q cannot be limited by shapes or ranges when it, or the mask, is inverted or matches any; give all shapes and ranges instead of the name", s.Name)
	}
	out := s
	out.Name = ""
	out.Shapes = append(append([]SpecShape(nil), named.Shapes...), s.Shapes...)
	out.Ranges = append(append([]SpecRange(nil), named.Ranges...), s.Ranges...)
	out.Invert = s.Invert != named.Invert
	if out.Match == "" {
		out.Match = named.Match
	}
	if out.Opacity == nil {
		out.Opacity = named.Opacity
	}
	for _, number := range []struct{ have, other *float64 }{
		{&out.Feather, &named.Feather}, {&out.Blur, &named.Blur}, {&out.Contrast, &named.Contrast}, {&out.Details, &named.Details},
	} {
		if *number.have == 0 {
			*number.have = *number.other
		}
	}
	return out, nil
}

// Key is a short text that is the same for the same selection, however it is said:
// the label, else the name of a named mask, else of what is selected. Opacity and
// refinements do not count.
func (s Spec) Key() string {
	if region, err := s.Region(); err == nil {
		s = region
	}
	alone := len(s.Shapes)+len(s.Ranges) == 0 && s.File == "" && !s.pointed()
	switch {
	case s.Label != "":
		return string(s.Label)
	case alone && s.Name == string(Subject) && s.Invert:
		return Background
	case alone && s.Name != "" && !s.Invert:
		return s.Name
	}
	selection := s.selection()
	data, err := json.Marshal(selection)
	if err != nil {
		data = fmt.Append(nil, selection) // a number that is none; Mask refuses it
	}
	sum := sha256.Sum256(data)
	return "mask " + hex.EncodeToString(sum[:4])
}
