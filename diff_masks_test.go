package chemigram

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// maskAs gives an instance of exposure a mask, in the frame of the raw.
func maskAs(t *testing.T, e *Engine, spec Mask) string {
	t.Helper()
	res, err := e.edit(t.Context(), "a", versioning.Change{Op: "test"}, func(now compose.Start, _ *versioning.Change) (*xmp.Sidecar, error) {
		entry, _ := now.Current.Find("exposure", "part")
		m, err := spec.Mask(mask.Whole(mask.Size{Width: 3000, Height: 2000}))
		if err != nil {
			return nil, err
		}
		made, err := m.Compile(entry.BlendVersion, mask.ColorSpaceRGBScene)
		if err != nil {
			return nil, err
		}
		if entry.Blend, err = made.Blend.Encode(); err != nil {
			return nil, err
		}
		return now.Current.With(now.Release, xmp.Put{Entry: entry, Forms: made.Forms})
	})
	if err != nil {
		t.Fatal(err)
	}
	return res.Event
}

// maskChanges lists how the fields of one mask become those of another.
func maskChanges(t *testing.T, e *Engine, from, to string) map[string][2]string {
	t.Helper()
	d, err := e.Diff(t.Context(), DiffParams{ImageID: "a", HashA: RefOrHash(from), HashB: RefOrHash(to)})
	if err != nil {
		t.Fatal(err)
	}
	changes := map[string][2]string{}
	for _, c := range d.Changes {
		if c.Module != "exposure" || c.Instance != "part" || c.Kind != "mask" {
			t.Errorf("%+v is no change of the mask", c)
		}
		for _, f := range c.Fields {
			changes[f.Name] = [2]string{f.Before, f.After}
		}
	}
	return changes
}

func TestDiffTellsHowAMaskChanged(t *testing.T) {
	half, third := 0.5, 0.3
	share := func(x float64) *mask.Share { return (*mask.Share)(&x) }
	circle := func() MaskShape { return MaskShape{Kind: "circle", X: &third, Y: &half, Radius: 0.2} }
	one := func(change func(*Mask)) Mask {
		m := Mask{Shapes: []MaskShape{circle()}}
		change(&m)
		return m
	}
	triangle := [][]float64{{0.1, 0.1}, {0.9, 0.1}, {0.5, 0.9}}
	lightness := []MaskRange{{Channel: "lightness", From: &half}}
	eachBaseline(t, func(t *testing.T, e *Engine) {
		mustSet(t, e, "exposure", "part", "exposure", "1")
		before := maskAs(t, e, one(func(*Mask) {}))
		for name, c := range map[string]struct {
			mask Mask
			want map[string][2]string
		}{
			"place":     {one(func(m *Mask) { m.Shapes[0].X = &half }), map[string][2]string{"mask.shapes[0].x": {"0.3", "0.5"}}},
			"radius":    {one(func(m *Mask) { m.Shapes[0].Radius = 0.25 }), map[string][2]string{"mask.shapes[0].radius": {"0.2", "0.25"}}},
			"softness":  {one(func(m *Mask) { m.Shapes[0].Softness = share(0.1) }), map[string][2]string{"mask.shapes[0].softness": {"0.05", "0.1"}}},
			"opacity":   {one(func(m *Mask) { m.Opacity = share(0.4) }), map[string][2]string{"mask.opacity": {"", "0.4"}}},
			"a shape's": {one(func(m *Mask) { m.Shapes[0].Opacity = share(0.4) }), map[string][2]string{"mask.shapes[0].opacity": {"", "0.4"}}},
			"invert":    {one(func(m *Mask) { m.Invert = true }), map[string][2]string{"mask.invert": {"", "true"}}},
			"outside":   {one(func(m *Mask) { m.Shapes[0].Invert = true }), map[string][2]string{"mask.shapes[0].invert": {"", "true"}}},
			"refined": {
				one(func(m *Mask) { m.Feather, m.Blur, m.Contrast, m.Details = 20, 5, 0.5, -0.5 }),
				map[string][2]string{"mask.feather": {"", "20"}, "mask.blur": {"", "5"}, "mask.contrast": {"", "0.5"}, "mask.details": {"", "-0.5"}},
			},
			"a second shape": {one(func(m *Mask) {
				m.Shapes = append(m.Shapes, MaskShape{Kind: "gradient", Rotation: 90, Softness: share(0.2), Combine: "exclusion"})
			}), map[string][2]string{
				"mask.shapes[1].kind": {"", "gradient"}, "mask.shapes[1].x": {"", "0.5"}, "mask.shapes[1].y": {"", "0.5"},
				"mask.shapes[1].rotation": {"", "90"}, "mask.shapes[1].softness": {"", "0.11094"}, "mask.shapes[1].combine": {"", "exclusion"},
			}},
			"a path": {one(func(m *Mask) { m.Shapes[0] = MaskShape{Kind: "path", Points: triangle} }), map[string][2]string{
				"mask.shapes[0].kind": {"circle", "path"}, "mask.shapes[0].x": {"0.3", ""}, "mask.shapes[0].y": {"0.5", ""},
				"mask.shapes[0].radius": {"0.2", ""}, "mask.shapes[0].points": {"", "[[0.1, 0.1], [0.9, 0.1], [0.5, 0.9]]"},
			}},
			"a brush": {one(func(m *Mask) { m.Shapes[0] = MaskShape{Kind: "brush", Radius: 0.1, Points: triangle[:2]} }), map[string][2]string{
				"mask.shapes[0].kind": {"circle", "brush"}, "mask.shapes[0].x": {"0.3", ""}, "mask.shapes[0].y": {"0.5", ""},
				"mask.shapes[0].radius": {"0.2", "0.1"}, "mask.shapes[0].points": {"", "[[0.1, 0.1], [0.9, 0.1]]"},
			}},
			"a range": {one(func(m *Mask) { m.Ranges = lightness }), map[string][2]string{
				"mask.kind": {"shapes", "shapes and ranges"}, "mask.ranges[lightness].from": {"", "0.5"}, "mask.ranges[lightness].softness": {"", "0.1"},
			}},
			"any of both": {one(func(m *Mask) { m.Ranges, m.Match = lightness, "any" }), map[string][2]string{
				"mask.kind": {"shapes", "shapes and ranges"}, "mask.ranges[lightness].from": {"", "0.5"}, "mask.ranges[lightness].softness": {"", "0.1"},
				"mask.match": {"", "any"},
			}},
			"a little": {one(func(m *Mask) { m.Shapes[0].Radius = 0.2000003 }), map[string][2]string{"mask.shapes[0].radius": {"0.200000003", "0.200000301"}}},
		} {
			if diff := cmp.Diff(c.want, maskChanges(t, e, before, maskAs(t, e, c.mask))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	})
}

func TestDescribeStateTellsMasks(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	from, to := 350.0, 20.0
	mustSet(t, e, "exposure", "part", "exposure", "1")
	maskAs(t, e, Mask{Ranges: []MaskRange{{Channel: "hue", From: &from, To: &to}}, Shapes: []MaskShape{{Kind: "ellipse", Radius: 0.3, RadiusY: 0.1, Rotation: 30}}})
	res, err := e.DescribeState(t.Context(), DescribeStateParams{ImageID: "a"})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, m := range res.Modules {
		for _, f := range m.Fields {
			if m.Instance == "part" && len(f.Name) > 5 && f.Name[:5] == "mask." {
				got[f.Name] = f.Value
			}
		}
	}
	want := map[string]string{
		"mask.kind": "shapes and ranges", "mask.shapes[0].kind": "ellipse", "mask.shapes[0].x": "0.5", "mask.shapes[0].y": "0.5",
		"mask.shapes[0].radius": "0.3", "mask.shapes[0].radius_y": "0.1", "mask.shapes[0].rotation": "30", "mask.shapes[0].softness": "0.05",
		"mask.ranges[hue].from": "350", "mask.ranges[hue].to": "20", "mask.ranges[hue].softness": "15",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// putSpots puts spots in the frame of the raw.
func putSpots(t *testing.T, e *Engine, spots ...mask.Spot) string {
	t.Helper()
	res, err := e.edit(t.Context(), "a", versioning.Change{Op: "test"}, func(now compose.Start, _ *versioning.Change) (*xmp.Sidecar, error) {
		made, err := mask.CompileSpots(now.Release.BlendVersion(), spots)
		if err != nil {
			return nil, err
		}
		params, err := now.Release.Defaults("retouch")
		for i, spot := range spots {
			at := fmt.Sprintf("rt_forms[%d].", i)
			if err == nil {
				params, err = params.With(at+"formid", iop.Number(float64(made.Forms[i+1].ID)))
			}
			if err == nil {
				params, err = params.With(at+"algorithm", iop.Text(mask.Algorithms[spot.Kind]))
			}
		}
		if err != nil {
			return nil, err
		}
		put := xmp.Put{Forms: made.Forms, Entry: xmp.Entry{
			Operation: "retouch", MultiName: "spots", Enabled: true, Modversion: params.Modversion(), Params: params.Encode(),
			BlendVersion: made.Blend.Version, Origins: []xmp.Origin{{Entry: "apply_spot"}},
		}}
		if put.Entry.Blend, err = made.Blend.Encode(); err != nil {
			return nil, err
		}
		return now.Current.With(now.Release, put)
	})
	if err != nil {
		t.Fatal(err)
	}
	return res.Event
}

func TestDiffTellsHowSpotsChanged(t *testing.T) {
	eachBaseline(t, func(t *testing.T, e *Engine) {
		spot := mask.Spot{ID: 1, Kind: mask.SpotHeal, Shape: mask.Circle{X: 0.3, Y: 0.4, Radius: 0.02, Border: 0.01}, SourceX: 0.4, SourceY: 0.4}
		moved, cloned, second := spot, spot, spot
		moved.Shape = mask.Circle{X: 0.35, Y: 0.4, Radius: 0.02, Border: 0.01}
		cloned.Kind = mask.SpotClone
		second.ID, second.SourceX = 2, 0.5
		before := putSpots(t, e, spot)
		for name, c := range map[string]struct {
			spots []mask.Spot
			want  map[string][2]string
		}{
			"moved": {[]mask.Spot{moved}, map[string][2]string{"spots[1].x": {"0.3", "0.35"}}},
			"added": {[]mask.Spot{spot, second}, map[string][2]string{
				"spots[2].kind": {"", "heal, circle"}, "spots[2].x": {"", "0.3"}, "spots[2].y": {"", "0.4"}, "spots[2].radius": {"", "0.02"},
				"spots[2].softness": {"", "0.01"}, "spots[2].source_x": {"", "0.5"}, "spots[2].source_y": {"", "0.4"},
			}},
			"cloned": {[]mask.Spot{cloned}, map[string][2]string{"spots[1].kind": {"heal, circle", "clone, circle"}}},
		} {
			d, err := e.Diff(t.Context(), DiffParams{ImageID: "a", HashA: RefOrHash(before), HashB: RefOrHash(putSpots(t, e, c.spots...))})
			if err != nil || len(d.Changes) != 1 || d.Changes[0].Module != "retouch" {
				t.Fatalf("%s: %+v, %v", name, d, err)
			}
			got := map[string][2]string{}
			for _, f := range d.Changes[0].Fields {
				if strings.HasPrefix(f.Name, "spots[") {
					got[f.Name] = [2]string{f.Before, f.After}
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	})
}
