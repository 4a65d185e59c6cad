package mask_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/xmp/mask"
)

func compile(t *testing.T, m mask.Mask, space mask.ColorSpace) mask.Compiled {
	t.Helper()
	c, err := m.Compile(14, space)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAMaskOfNothingCoversThePicture(t *testing.T) {
	t.Parallel()
	c := compile(t, mask.Mask{Opacity: new(0.25), Mode: "multiply"}, mask.ColorSpaceRGBScene)
	if b := c.Blend; b.MaskMode != mask.Uniform || b.Opacity != 25 || b.Mode != 4 || b.MaskID != 0 || b.Channels != 0 || len(c.Forms) != 0 {
		t.Errorf("compiled to %+v", c)
	}
}

func TestShapesBecomeAGroup(t *testing.T) {
	t.Parallel()
	a, b := mask.Circle{X: 0.5, Y: 0.5, Radius: 0.1}, mask.Circle{X: 0.6, Y: 0.5, Radius: 0.1}
	c := compile(t, mask.Mask{Shapes: []mask.Member{
		{Shape: a, Op: mask.OpDifference},
		{Op: mask.OpIntersection, Invert: true, Opacity: new(0.5), Group: []mask.Member{{Shape: a}, {Shape: b, Op: mask.OpExclusion}}},
	}}, mask.ColorSpaceRGBScene)
	if c.Blend.MaskMode != mask.Uniform|mask.Drawn || c.Blend.MaskID != 1 {
		t.Errorf("the blend parameters have mode %d and form %d", c.Blend.MaskMode, c.Blend.MaskID)
	}
	var shapes []mask.Shape
	for i, f := range c.Forms {
		s, err := f.Shape()
		if err != nil || f.ID != uint32(i+1) {
			t.Errorf("form %d: %+v, %v", i+1, f, err)
		}
		shapes = append(shapes, s)
	}
	want := []mask.Shape{
		mask.Group{Members: []mask.GroupMember{{ID: 2, Parent: 1, State: 3, Opacity: 1}, {ID: 3, Parent: 1, State: 3 | 4 | 16, Opacity: 0.5}}},
		a,
		mask.Group{Members: []mask.GroupMember{{ID: 4, Parent: 3, State: 3, Opacity: 1}, {ID: 5, Parent: 3, State: 3 | 64, Opacity: 1}}},
		a, b,
	}
	if diff := cmp.Diff(want, shapes); diff != "" {
		t.Error(diff)
	}
}

func TestRangesGoToTheirChannels(t *testing.T) {
	t.Parallel()
	some := mask.Range{Low: 0.1, LowFull: 0.2, HighFull: 0.3, High: 0.4}
	for name, tt := range map[string]struct {
		space mask.ColorSpace
		mask  mask.Mask
		bits  uint32
		at    int
		want  mask.Range
		boost float32
	}{
		"gray":           {4, mask.Mask{Ranges: []mask.Select{{Channel: mask.Gray, Range: some, Boost: 2}}}, 1, 0, some, 2},
		"blue, output":   {3, mask.Mask{Ranges: []mask.Select{{Channel: mask.Blue, Range: some, Output: true}}}, 1 << 7, 7, some, 0},
		"inverted":       {3, mask.Mask{Ranges: []mask.Select{{Channel: mask.Lightness, Range: some, Invert: true}}}, 1<<10 | 1<<26, 10, some, 0},
		"Jz":             {4, mask.Mask{Ranges: []mask.Select{{Channel: mask.Lightness, Range: some}}}, 1 << 8, 8, some, -6.643856},
		"Cz, output":     {4, mask.Mask{Ranges: []mask.Select{{Channel: mask.Chroma, Range: some, Output: true, Boost: 1}}}, 1 << 13, 13, some, -5.643856},
		"Lab hue":        {2, mask.Mask{Ranges: []mask.Select{{Channel: mask.Hue, Range: some}}}, 1 << 9, 9, some, 0},
		"Lab b":          {2, mask.Mask{Ranges: []mask.Select{{Channel: mask.LabB, Range: some}}}, 1 << 2, 2, some, 0},
		"any":            {4, mask.Mask{Combine: mask.Any, Ranges: []mask.Select{{Channel: mask.Gray, Range: some}}}, 0x77fe0001, 0, some, 0},
		"any, inverted":  {2, mask.Mask{Combine: mask.Any, Ranges: []mask.Select{{Channel: mask.Lightness, Range: some, Invert: true}}}, 0x33770001, 0, some, 0},
		"a hue across 0": {3, mask.Mask{Ranges: []mask.Select{{Channel: mask.Hue, Range: mask.Range{Low: -0.25, LowFull: -0.125, HighFull: 0.125, High: 0.25}}}}, 1<<8 | 1<<24, 8, mask.Range{Low: 0.125, LowFull: 0.25, HighFull: 0.75, High: 0.875}, 0},
		"a hue across 1": {3, mask.Mask{Ranges: []mask.Select{{Channel: mask.Hue, Invert: true, Range: mask.Range{Low: 0.75, LowFull: 0.875, HighFull: 1.125, High: 1.25}}}}, 1 << 8, 8, mask.Range{Low: 0.125, LowFull: 0.25, HighFull: 0.75, High: 0.875}, 0},
		"only the slope": {3, mask.Mask{Ranges: []mask.Select{{Channel: mask.Hue, Range: mask.Range{Low: -0.125, LowFull: 0.125, HighFull: 0.25, High: 0.5}}}}, 1 << 8, 8, mask.Range{LowFull: 0.125, HighFull: 0.25, High: 0.5}, 0},
		"a hue beyond 1": {3, mask.Mask{Ranges: []mask.Select{{Channel: mask.Hue, Range: mask.Range{Low: 1, LowFull: 1.125, HighFull: 1.25, High: 1.5}}}}, 1 << 8, 8, mask.Range{LowFull: 0.125, HighFull: 0.25, High: 0.5}, 0},
		"a wide hue":     {3, mask.Mask{Ranges: []mask.Select{{Channel: mask.Hue, Range: mask.Range{Low: -0.25, LowFull: -0.125, HighFull: 0.5, High: 0.625}}}}, 1<<8 | 1<<24, 8, mask.Range{Low: 0.5, LowFull: 0.625, HighFull: 0.75, High: 0.875}, 0},
	} {
		c := compile(t, tt.mask, tt.space)
		b := c.Blend
		if b.MaskMode != mask.Uniform|mask.Parametric || b.Channels != tt.bits || b.Ranges[tt.at] != tt.want || b.Boost[tt.at] != tt.boost || len(c.Forms) != 0 {
			t.Errorf("%s: mode %d, channels %08x, range %v, boost %v", name, b.MaskMode, b.Channels, b.Ranges[tt.at], b.Boost[tt.at])
		}
	}
}

func TestMasksThatCannotWorkAreRefused(t *testing.T) {
	t.Parallel()
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	of := func(s mask.Shape) mask.Mask { return mask.Mask{Shapes: []mask.Member{{Shape: s}}} }
	where := func(s mask.Select) mask.Mask { return mask.Mask{Ranges: []mask.Select{s}} }
	full := mask.Range{HighFull: 1, High: 1}
	stroke := func(nodes ...mask.BrushNode) mask.Mask { return of(mask.Brush{Nodes: nodes}) }
	node := mask.BrushNode{X: 0.5, Y: 0.5, InX: 0.5, InY: 0.5, OutX: 0.5, OutY: 0.5, BorderA: 0.1, BorderB: 0.1, Density: 1}
	far, thin, dense := node, node, node
	far.X, far.InX, far.OutX, thin.BorderB, dense.Density = 3, 3, 3, 0, 2
	for name, tt := range map[string]struct {
		mask  mask.Mask
		space mask.ColorSpace
		want  mask.Kind
	}{
		"no blend colour space":    {mask.Mask{}, 0, mask.BadValue},
		"a space there is not":     {mask.Mask{}, 5, mask.BadValue},
		"inverted nothing":         {mask.Mask{Invert: true}, 4, mask.Empty},
		"an empty member":          {mask.Mask{Shapes: []mask.Member{{}}}, 4, mask.Empty},
		"an empty group":           {mask.Mask{Shapes: []mask.Member{{Group: []mask.Member{{}}}}}, 4, mask.Empty},
		"shape and group":          {mask.Mask{Shapes: []mask.Member{{Shape: mask.Circle{X: 0.5, Y: 0.5, Radius: 1}, Group: []mask.Member{{}}}}}, 4, mask.BadShape},
		"a group of forms":         {of(mask.Group{}), 4, mask.BadShape},
		"no radius":                {of(mask.Circle{X: 0.5, Y: 0.5, Border: 1}), 4, mask.BadShape},
		"a negative border":        {of(mask.Circle{X: 0.5, Y: 0.5, Radius: 1, Border: -0.1}), 4, mask.BadShape},
		"a circle outside":         {of(mask.Circle{X: 1.5, Y: 0.5, Radius: 0.2, Border: 0.2}), 4, mask.BadShape},
		"no number":                {of(mask.Circle{X: nan, Y: 0.5, Radius: 0.2}), 4, mask.BadShape},
		"an infinite one":          {of(mask.Circle{X: 0.5, Y: 0.5, Radius: inf}), 4, mask.BadShape},
		"a flat ellipse":           {of(mask.Ellipse{X: 0.5, Y: 0.5, RadiusA: 0.2}), 4, mask.BadShape},
		"an ellipse outside":       {of(mask.Ellipse{X: -0.5, Y: 0.5, RadiusA: 0.1, RadiusB: 0.2, Border: 0.5, Proportional: 1}), 4, mask.BadShape},
		"a gradient outside":       {of(mask.Gradient{X: 0.5, Y: -0.1}), 4, mask.BadShape},
		"too much compression":     {of(mask.Gradient{X: 0.5, Y: 0.5, Compression: 1.5}), 4, mask.BadShape},
		"two vertices":             {of(polygon(0, 0.2, 0.2, 0.8, 0.8)), 4, mask.BadShape},
		"vertices on a line":       {of(polygon(0, 0.2, 0.2, 0.8, 0.8, 0.4, 0.4)), 4, mask.BadShape},
		"vertices in one place":    {of(polygon(0, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2)), 4, mask.BadShape},
		"a path outside":           {of(polygon(0, 1.2, 0.2, 1.5, 0.2, 1.5, 0.5)), 4, mask.BadShape},
		"a path along the edge":    {of(polygon(0, 0, 0, 0, 1, -1, 1)), 4, mask.BadShape},
		"a path around a corner":   {of(polygon(0, 1.2, 0.5, 1.2, 1.2, 0.5, 1.2, 1.2, 1.3)), 4, mask.BadShape},
		"too small a path":         {of(polygon(0, 0.5, 0.5, 0.501, 0.5, 0.501, 0.501)), 4, mask.BadShape},
		"too short a stroke":       {stroke(node, node), 4, mask.BadShape},
		"one node":                 {stroke(node), 4, mask.BadShape},
		"a stroke outside":         {stroke(far, far), 4, mask.BadShape},
		"a stroke without width":   {stroke(node, thin), 4, mask.BadShape},
		"too dense a stroke":       {stroke(node, dense), 4, mask.BadShape},
		"opacity":                  {mask.Mask{Opacity: new(1.5)}, 4, mask.BadValue},
		"a shape's opacity":        {mask.Mask{Shapes: []mask.Member{{Shape: mask.Circle{X: 0.5, Y: 0.5, Radius: 1}, Opacity: new(math.NaN())}}}, 4, mask.BadValue},
		"operator":                 {mask.Mask{Shapes: []mask.Member{{Shape: mask.Circle{X: 0.5, Y: 0.5, Radius: 1}, Op: "xor"}}}, 4, mask.BadValue},
		"combination":              {mask.Mask{Combine: "both"}, 4, mask.BadValue},
		"blur":                     {mask.Mask{Refine: mask.Refine{BlurRadius: 101}}, 4, mask.BadValue},
		"contrast":                 {mask.Mask{Refine: mask.Refine{Contrast: nan}}, 4, mask.BadValue},
		"blend mode":               {mask.Mask{Mode: "dodge"}, 4, mask.UnknownMode},
		"a mode of another space":  {mask.Mask{Mode: "overlay"}, 4, mask.UnknownMode},
		"channel":                  {where(mask.Select{Channel: "cyan", Range: full}), 4, mask.UnknownChannel},
		"another space's channel":  {where(mask.Select{Channel: mask.LabA, Range: full}), 4, mask.UnknownChannel},
		"gray in Lab":              {where(mask.Select{Channel: mask.Gray, Range: full}), 2, mask.UnknownChannel},
		"raw":                      {where(mask.Select{Channel: mask.Gray, Range: full}), 1, mask.UnknownChannel},
		"falling":                  {where(mask.Select{Channel: mask.Gray, Range: mask.Range{Low: 0.5, LowFull: 0.4, HighFull: 1, High: 1}}), 4, mask.BadValue},
		"no number in a range":     {where(mask.Select{Channel: mask.Gray, Range: mask.Range{Low: nan, HighFull: 1, High: 1}}), 4, mask.BadValue},
		"beyond the channel":       {where(mask.Select{Channel: mask.Gray, Range: mask.Range{HighFull: 1, High: 1.5}}), 4, mask.BadValue},
		"nothing of it":            {where(mask.Select{Channel: mask.Gray, Range: mask.Range{}}), 4, mask.BadValue},
		"all around":               {where(mask.Select{Channel: mask.Hue, Range: mask.Range{Low: -0.5, LowFull: -0.4, HighFull: 0.4, High: 0.5}}), 4, mask.BadValue},
		"one hue":                  {where(mask.Select{Channel: mask.Hue, Range: mask.Range{Low: 0.5, LowFull: 0.5, HighFull: 0.5, High: 0.5}}), 4, mask.BadValue},
		"a boost of the hue":       {where(mask.Select{Channel: mask.Hue, Range: mask.Range{HighFull: 0.5, High: 0.5}, Boost: 1}), 4, mask.BadValue},
		"a boost of display light": {where(mask.Select{Channel: mask.Gray, Range: full, Boost: 1}), 3, mask.BadValue},
		"too much boost":           {where(mask.Select{Channel: mask.Gray, Range: full, Boost: 19}), 4, mask.BadValue},
		"a channel twice":          {mask.Mask{Ranges: []mask.Select{{Channel: mask.Gray, Range: full}, {Channel: mask.Gray, Range: full}}}, 4, mask.BadValue},
	} {
		_, err := tt.mask.Compile(14, tt.space)
		if e, ok := errors.AsType[*mask.Error](err); !ok || e.Kind != tt.want || e.Error() == "" {
			t.Errorf("%s: err = %v, want kind %v", name, err, tt.want)
		}
	}
	if _, err := (mask.Mask{}).Compile(9, 0); err == nil {
		t.Error("version 9, which has no colour space, is written")
	}
}
