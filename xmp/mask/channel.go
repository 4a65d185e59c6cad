package mask

import "slices"

// Channel is a quantity that a parametric range is of.
type Channel string

// The channels. Which a colour space has, and what their numbers mean there, is in
// docs/masks.md.
const (
	Gray      Channel = "gray"
	Red       Channel = "red"
	Green     Channel = "green"
	Blue      Channel = "blue"
	Lightness Channel = "lightness"
	Chroma    Channel = "chroma" // in RGB display the saturation
	Hue       Channel = "hue"
	LabA      Channel = "a" // green to red
	LabB      Channel = "b" // blue to yellow
)

// channels gives the number of a channel's input side, by space.
var channels = map[ColorSpace]map[Channel]int{
	ColorSpaceLab:        {Lightness: 0, LabA: 1, LabB: 2, Chroma: 8, Hue: 9},
	ColorSpaceRGBDisplay: {Gray: 0, Red: 1, Green: 2, Blue: 3, Hue: 8, Chroma: 9, Lightness: 10},
	ColorSpaceRGBScene:   {Gray: 0, Red: 1, Green: 2, Blue: 3, Lightness: 8, Chroma: 9, Hue: 10},
}

// outputSide is the distance from the number of a channel's input side to that of
// its output side.
const outputSide = 4

// channelsOf lists the channels that a blend colour space has; raw has none.
func channelsOf(space ColorSpace) []Channel {
	var list []Channel
	for _, c := range []Channel{Gray, Red, Green, Blue, Lightness, LabA, LabB, Chroma, Hue} {
		if _, ok := channels[space][c]; ok {
			list = append(list, c)
		}
	}
	return slices.Clip(list)
}

// String names the space as darktable does.
func (s ColorSpace) String() string {
	switch s {
	case ColorSpaceNone:
		return "none"
	case ColorSpaceRaw:
		return "raw"
	case ColorSpaceLab:
		return "Lab"
	case ColorSpaceRGBDisplay:
		return "RGB (display)"
	case ColorSpaceRGBScene:
		return "RGB (scene)"
	}
	return "unknown"
}
