package render

import (
	"os"
	"slices"
)

// A colorSpace is one that pictures are written in. Each has darktable's name
// for its own profile, or a profile of ours, for spaces that darktable lacks
// (Rec. 2020 with a transfer curve), has only in newer releases (Display P3),
// or has under a name that means something else (its ProPhoto is linear).
type colorSpace struct {
	name    string
	icc     string
	profile *Profile
}

var colorSpaces = []colorSpace{
	{name: "srgb", icc: "SRGB"},
	{name: "display-p3", profile: &Profile{Name: "Display P3", Primaries: p3, White: d65, Curve: sRGBCurve}},
	{name: "adobe-rgb", icc: "ADOBERGB"},
	{name: "rec2020", profile: &Profile{Name: "Rec. 2020", Primaries: rec2020, White: d65, Curve: rec709Curve}},
	{name: "prophoto", profile: &Profile{Name: "ProPhoto RGB", Primaries: romm, White: d50, Curve: rommCurve}},
	{name: "linear-rec709", icc: "LIN_REC709"},
	{name: "linear-rec2020", icc: "LIN_REC2020"},
}

// ColorSpaces are the names that Job.ColorSpace may have.
func ColorSpaces() []string {
	var names []string
	for _, c := range colorSpaces {
		names = append(names, c.name)
	}
	return names
}

// colorSpaceNamed finds a colour space; "" is sRGB.
func colorSpaceNamed(name string) *colorSpace {
	if name == "" {
		return &colorSpaces[0]
	}
	i := slices.IndexFunc(colorSpaces, func(c colorSpace) bool { return c.name == name })
	if i < 0 {
		return nil
	}
	return &colorSpaces[i]
}

// args ask darktable for the colour space. It takes a profile only from its
// configuration folder.
func (c *colorSpace) args(tmp *scratch) ([]string, error) {
	if c.profile == nil {
		return []string{"--icc-type", c.icc}, nil
	}
	if err := os.MkdirAll(tmp.path("config", "color", "out"), 0o700); err != nil {
		return nil, err
	}
	path := tmp.path("config", "color", "out", c.name+".icc")
	return []string{"--icc-type", "FILE", "--icc-file", path}, os.WriteFile(path, c.profile.ICC(), 0o600)
}
