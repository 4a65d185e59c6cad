package mask_test

import (
	"slices"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/mask"
)

// above selects from a value on, with a soft step.
func above(c mask.Channel, from, full float32) mask.Select {
	return mask.Select{Channel: c, Range: mask.Range{Low: from, LowFull: full, HighFull: 1, High: 1}}
}

func between(c mask.Channel, low, lowFull, highFull, high float32) mask.Select {
	return mask.Select{Channel: c, Range: mask.Range{Low: low, LowFull: lowFull, HighFull: highFull, High: high}}
}

func inverse(s mask.Select) mask.Select {
	s.Invert = !s.Invert
	return s
}

func ranges(s ...mask.Select) mask.Mask { return mask.Mask{Ranges: s} }

type rangeCase struct {
	name  string
	space mask.ColorSpace
	mask  mask.Mask
	want  []string // patches of the chart
}

var (
	neutrals = []string{"white", "neutral 8", "neutral 6.5", "neutral 5", "neutral 3.5", "black"}
	reddish  = []string{"moderate red", "red", "magenta"}
	bluish   = []string{"blue sky", "blue flower", "purplish blue", "blue"}
	// redLight and blueLight have much of it.
	redLight  = []string{"light skin", "orange", "orange yellow", "yellow", "white", "neutral 8"}
	blueLight = []string{"purplish blue", "blue flower", "bluish green", "cyan", "white", "neutral 8", "neutral 6.5"}
	topRow    = []string{"dark skin", "light skin", "blue sky", "foliage", "blue flower", "bluish green"}
)

func patches(sets ...[]string) []string { return slices.Concat(sets...) }

// but returns the chart's patches without some.
func but(sets ...[]string) []string {
	var rest []string
	for _, p := range (scene.Chart{}).Patches() {
		if !slices.Contains(patches(sets...), p.Name) {
			rest = append(rest, p.Name)
		}
	}
	return rest
}

func both(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(p string) bool { return !slices.Contains(b, p) })
}

func rangeCases() []rangeCase {
	const lab, display, light = mask.ColorSpaceLab, mask.ColorSpaceRGBDisplay, mask.ColorSpaceRGBScene
	blues := between(mask.Hue, 0.67, 0.69, 0.78, 0.8)
	reds := between(mask.Hue, -0.07, -0.05, 0.1, 0.11)
	colourful := above(mask.Chroma, 0.1, 0.2)
	red, blue := above(mask.Red, 0.41, 0.43), above(mask.Blue, 0.305, 0.315)
	bright := []string{"light skin", "bluish green", "yellow green", "orange yellow", "yellow", "white", "neutral 8", "neutral 6.5"}
	stretched := above(mask.Gray, 0.325/2, 0.34/2)
	stretched.Boost = 1
	output := above(mask.Red, 0.41/4, 0.43/4) // two stops darker
	output.Output = true
	row := []mask.Member{{Shape: polygon(0, 0, 0, 1, 0, 1, 0.29, 0, 0.29)}}
	with := func(m mask.Mask, f func(*mask.Mask)) mask.Mask { f(&m); return m }
	either := func(m *mask.Mask) { m.Combine = mask.Any }
	return []rangeCase{
		{"gray", light, ranges(above(mask.Gray, 0.325, 0.34)), bright},
		{"gray, boosted", light, ranges(stretched), bright},
		{"gray, inverted", light, ranges(inverse(above(mask.Gray, 0.325, 0.34))), but(bright)},
		{"gray, the whole mask inverted", light, with(ranges(above(mask.Gray, 0.325, 0.34)), func(m *mask.Mask) { m.Invert = true }), but(bright)},
		{"red", light, ranges(red), redLight},
		{"red of the output", light, ranges(output), redLight},
		{"green", light, ranges(above(mask.Green, 0.35, 0.36)), []string{"bluish green", "yellow green", "yellow", "white", "neutral 8", "neutral 6.5"}},
		{"blue", light, ranges(blue), blueLight},
		{"Jz", light, ranges(above(mask.Lightness, 0.78, 0.85)), patches(bright, []string{"orange"})},
		{"Cz", light, ranges(above(mask.Chroma, 0.1, 0.2)), but(neutrals)},
		{"hz", light, ranges(blues, colourful), bluish},
		{"hz across 0", light, ranges(reds, colourful), reddish},
		{"hz across 0, inverted", light, ranges(inverse(reds), colourful), but(reddish, neutrals)},
		{"all of two", light, ranges(red, blue), both(redLight, blueLight)},
		{"any of two", light, with(ranges(red, blue), either), patches(redLight, blueLight)},
		{"any of one inverted", light, with(ranges(inverse(red)), either), but(redLight)},
		{"any of two, inverted", light, with(with(ranges(red, blue), either), func(m *mask.Mask) { m.Invert = true }), but(redLight, blueLight)},
		{"a shape and a range", light, mask.Mask{Shapes: row, Ranges: []mask.Select{blue}}, both(topRow, blueLight)},
		{"a shape or a range", light, with(mask.Mask{Shapes: row, Ranges: []mask.Select{blue}}, either), patches(topRow, blueLight)},
		{"neither a shape nor a range", light, with(with(mask.Mask{Shapes: row, Ranges: []mask.Select{blue}}, either), func(m *mask.Mask) { m.Invert = true }), but(topRow, blueLight)},
		{"gray for display", display, ranges(above(mask.Gray, 0.42, 0.45)), []string{"yellow", "white", "neutral 8"}},
		{"hue for display, across 0", display, ranges(between(mask.Hue, -0.1, -0.08, 0.02, 0.03), above(mask.Chroma, 0.1, 0.15)), reddish},
		{"hue for display", display, ranges(between(mask.Hue, 0.3, 0.32, 0.5, 0.52), above(mask.Chroma, 0.1, 0.15)), []string{"green", "bluish green"}},
		{"lightness for display", display, ranges(above(mask.Lightness, 0.37, 0.39)), []string{"yellow", "white", "neutral 8"}},
		{"red for display, of the output", display, ranges(output), redLight},
		{"L", lab, ranges(above(mask.Lightness, 0.58, 0.6)), patches(bright, []string{"orange"})},
		{"a", lab, ranges(above(mask.LabA, 0.605, 0.62)), patches(reddish, []string{"orange"})},
		{"b", lab, ranges(between(mask.LabB, 0, 0, 0.42, 0.44)), []string{"blue sky", "blue flower", "purplish blue", "blue", "cyan", "purple"}},
		{"C", lab, ranges(above(mask.Chroma, 0.24, 0.255)), []string{"orange", "purplish blue", "moderate red", "yellow green", "orange yellow", "blue", "green", "red", "yellow", "magenta"}},
		{"h across 0", lab, ranges(between(mask.Hue, -0.08, -0.06, 0.09, 0.1), above(mask.Chroma, 0.05, 0.08)), reddish},
	}
}

func TestRangesSelectWhatTheyName(t *testing.T) {
	t.Parallel()
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		s := newDeveloper(t, dt, scene.Chart{}, scene.Options{Megapixels: 0.05})
		cases := rangeCases()
		// Lab means colours as they are seen only behind the input profile.
		edit := func(space mask.ColorSpace) xmp.Put {
			if space == mask.ColorSpaceLab {
				return s.put("colisa", "mask", map[string]float64{"brightness": -0.5})
			}
			return s.darker("mask")
		}
		jobs := map[string]*xmp.Sidecar{"": s.baseline}
		for _, c := range cases {
			jobs["everywhere in "+c.space.String()] = s.with(s.baseline, edit(c.space))
			jobs[c.name] = s.with(s.baseline, s.masked(edit(c.space), c.mask, c.space))
		}
		pictures := s.develop(jobs)
		for _, c := range cases {
			for _, p := range (scene.Chart{}).Patches() {
				at := func(m *pixel.Image) pixel.Colour { return m.Mean(p.Rect) }
				plain, dark, got := at(pictures[""]), at(pictures["everywhere in "+c.space.String()]), at(pictures[c.name])
				value := (plain.Luminance() - got.Luminance()) / (plain.Luminance() - dark.Luminance())
				if c.space == mask.ColorSpaceLab {
					value = (plain.Lab().L - got.Lab().L) / (plain.Lab().L - dark.Lab().L)
				}
				want := 0.0
				if slices.Contains(c.want, p.Name) {
					want = 1
				}
				if value < want-0.1 || value > want+0.1 {
					t.Errorf("%s: %s is selected by %.2f, want %.0f", c.name, p.Name, value, want)
				}
			}
		}
	})
}
