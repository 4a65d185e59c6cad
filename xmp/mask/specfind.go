package mask

import (
	"math"
	"slices"
)

// Meaning is what a region of a picture shows.
type Meaning string

// The meanings that masks are named by.
const (
	Sky     Meaning = "sky"
	Plants  Meaning = "plants"
	Water   Meaning = "water"
	Skin    Meaning = "skin"
	Subject Meaning = "subject"
)

// Background is the name of a mask of all but the [Subject].
const Background = "background"

// Meanings lists them.
func Meanings() []Meaning { return []Meaning{Sky, Plants, Water, Skin, Subject} }

// The limits of what points to a region.
const (
	mostPoints  = 200
	mostCorners = 4000
)

// Meaning is the meaning that the mask is named by, when it is.
func (s Spec) Meaning() (Meaning, bool) {
	if m := Meaning(s.Name); slices.Contains(Meanings(), m) {
		return m, true
	}
	return "", false
}

// Region gives a mask of the background as one of the subject, inverted, and any other
// as it is. Its error is an *[Error] of kind BadValue.
func (s Spec) Region() (Spec, error) {
	if s.Name != Background {
		return s, nil
	}
	if len(s.Shapes)+len(s.Ranges)+len(s.Box)+len(s.Polygon) > 0 || s.File != "" {
		return s, errorf(BadValue, "name", "background cannot be limited by shapes, ranges, a box, a polygon or a file: give points, or the subject with them")
	}
	s.Name, s.Invert = string(Subject), !s.Invert
	s.Points = slices.Clone(s.Points)
	for i, p := range s.Points {
		s.Points[i].Keep = new(!p.Kept())
	}
	return s, nil
}

// Finds reports whether a region has to be found in the developed picture: by its
// meaning, by what points to it, or along the edges near a file's outlines.
func (s Spec) Finds() bool {
	_, meant := s.Meaning()
	return meant || s.pointed() || s.Refine && s.File != ""
}

// pointed reports whether points, a box or a polygon say where a region is.
func (s Spec) pointed() bool { return len(s.Points)+len(s.Box)+len(s.Polygon) > 0 }

// CheckFound checks what says where a region is. Its error is an *[Error] of kind
// BadValue.
func (s Spec) CheckFound() error {
	switch {
	case len(s.Box) != 0 && !isBox(s.Box):
		return errorf(BadValue, "box", "%v; it has to be [left, top, right, bottom], 0 to 1 of the picture, left below right and top below bottom", s.Box)
	case len(s.Box) > 0 && len(s.Polygon) > 0:
		return errorf(BadValue, "box", "a polygon says more than a box: give one of the two")
	case s.File != "" && (s.pointed() || s.Name != ""):
		return errorf(BadValue, "file", "a file's region and one that is found by name, points, box or polygon cannot be one mask: give one of them")
	}
	if err := s.checkPoints(); err != nil {
		return err
	}
	return s.checkPolygon()
}

func (s Spec) checkPoints() error {
	keeps := len(s.Box)+len(s.Polygon) > 0 || s.Name != "" || s.File != ""
	for i, p := range s.Points {
		if !inside(p.X) || !inside(p.Y) {
			return errorf(BadValue, "points", "point %d at %v, %v: it has to lie in the picture, 0 to 1", i, p.X, p.Y)
		}
		keeps = keeps || p.Kept()
	}
	switch {
	case len(s.Points) > mostPoints:
		return errorf(BadValue, "points", "%d of them; at most %d", len(s.Points), mostPoints)
	case !keeps:
		return errorf(BadValue, "points", "none is on the region: give one without keep false, a box or a polygon")
	}
	return nil
}

func (s Spec) checkPolygon() error {
	if n := len(s.Polygon); n != 0 && (n < 3 || n > mostCorners) {
		return errorf(BadValue, "polygon", "%d corners; it needs 3 to %d", n, mostCorners)
	}
	for i, c := range s.Polygon {
		if len(c) != 2 || !inside(c[0]) || !inside(c[1]) {
			return errorf(BadValue, "polygon", "corner %d is %v; it has to be [x, y], each 0 to 1", i, c)
		}
	}
	return nil
}

// Request says what region a masker is asked for. At least one of its fields says
// something.
type Request struct {
	// Meaning of the region: sky, plants, water, skin, subject, or what else the
	// masker can find.
	Meaning Meaning `json:"meaning,omitempty"`
	// Points on the region, and off it.
	Points []SpecPoint `json:"points,omitempty"`
	// Box [left, top, right, bottom] around the region, in fractions of the
	// picture's width and height.
	Box []float64 `json:"box,omitempty"`
	// Outlines are closed rough outlines of the region, corners [x, y] in fractions
	// of width and height. What an even number of them encloses is not of it.
	Outlines [][][2]float64 `json:"outlines,omitempty"`
}

// Request is what the mask asks a masker for; the outlines are those of its file.
func (s Spec) Request(outlines [][][2]float64) Request {
	r := Request{Points: s.Points, Box: s.Box, Outlines: outlines}
	r.Meaning, _ = s.Meaning()
	if len(s.Polygon) > 0 {
		ring := make([][2]float64, len(s.Polygon))
		for i, c := range s.Polygon {
			ring[i] = [2]float64(c)
		}
		r.Outlines = append(r.Outlines, ring)
	}
	return r
}

// Kept reports whether the point is on the region.
func (p SpecPoint) Kept() bool { return p.Keep == nil || *p.Keep }

func isBox(b []float64) bool {
	return len(b) == 4 && !slices.ContainsFunc(b, func(v float64) bool { return !inside(v) }) && b[0] < b[2] && b[1] < b[3]
}

// inside is false for NaN.
func inside(v float64) bool { return v >= 0 && v <= 1 && !math.IsNaN(v) }
