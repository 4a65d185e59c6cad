package vocab

import (
	"slices"

	"github.com/chemigram/chemigram/xmp/mask"
)

// maskSpec reads a mask. Its numbers are checked later, when names are known.
func (d *decoder) maskSpec(n *node, key string) *mask.Spec {
	s := &mask.Spec{}
	d.fields(n, key, nil, map[string]func(*node, string){
		"name": func(n *node, k string) { s.Name = d.name(n, k) },
		"shapes": func(n *node, k string) {
			d.list(n, k, func(n *node, k string) { s.Shapes = append(s.Shapes, d.maskShape(n, k)) })
		},
		"ranges": func(n *node, k string) {
			d.list(n, k, func(n *node, k string) { s.Ranges = append(s.Ranges, d.maskRange(n, k)) })
		},
		"match":    func(n *node, k string) { s.Match = choice(d, n, k, []mask.Combination{mask.All, mask.Any}) },
		"invert":   func(n *node, k string) { s.Invert = d.flag(n, k) },
		"opacity":  func(n *node, k string) { s.Opacity = d.share(n, k) },
		"feather":  func(n *node, k string) { s.Feather = d.number(n, k) },
		"blur":     func(n *node, k string) { s.Blur = d.number(n, k) },
		"contrast": func(n *node, k string) { s.Contrast = d.number(n, k) },
		"details":  func(n *node, k string) { s.Details = d.number(n, k) },
	})
	return s
}

func (d *decoder) maskShape(n *node, key string) mask.SpecShape {
	var s mask.SpecShape
	d.fields(n, key, []string{"kind"}, map[string]func(*node, string){
		"kind":     func(n *node, k string) { s.Kind = choice(d, n, k, mask.ShapeKinds()) },
		"x":        func(n *node, k string) { s.X = new(d.number(n, k)) },
		"y":        func(n *node, k string) { s.Y = new(d.number(n, k)) },
		"radius":   func(n *node, k string) { s.Radius = d.number(n, k) },
		"radius_y": func(n *node, k string) { s.RadiusY = d.number(n, k) },
		"rotation": func(n *node, k string) { s.Rotation = d.number(n, k) },
		"softness": func(n *node, k string) { s.Softness = d.share(n, k) },
		"points": func(n *node, k string) {
			d.list(n, k, func(n *node, k string) {
				var point []float64
				d.list(n, k, func(n *node, k string) { point = append(point, d.number(n, k)) })
				s.Points = append(s.Points, point)
			})
		},
		"combine": func(n *node, k string) { s.Combine = choice(d, n, k, mask.Ops()) },
		"invert":  func(n *node, k string) { s.Invert = d.flag(n, k) },
		"opacity": func(n *node, k string) { s.Opacity = d.share(n, k) },
	})
	return s
}

func (d *decoder) maskRange(n *node, key string) mask.SpecRange {
	var r mask.SpecRange
	d.fields(n, key, []string{"channel"}, map[string]func(*node, string){
		"channel":  func(n *node, k string) { r.Channel = choice(d, n, k, mask.SpecChannels()) },
		"from":     func(n *node, k string) { r.From = new(d.number(n, k)) },
		"to":       func(n *node, k string) { r.To = new(d.number(n, k)) },
		"softness": func(n *node, k string) { r.Softness = new(d.number(n, k)) },
		"invert":   func(n *node, k string) { r.Invert = d.flag(n, k) },
	})
	return r
}

// masksName is the file of a pack that holds masks and not entries.
const masksName = "masks.json"

// decodeMasks reads a pack's masks: a list.
func (d *decoder) decodeMasks(data []byte, info PackInfo) []*NamedMask {
	root := d.parseList(data, "masks")
	if root == nil {
		return nil
	}
	var masks []*NamedMask
	for i, n := range root.items {
		d.entry = entryName(n, i)
		m := &NamedMask{Pack: info}
		d.fields(n, "", []string{"name", "description", "mask", "claims"}, map[string]func(*node, string){
			"name":        func(n *node, k string) { m.Name = d.name(n, k) },
			"description": func(n *node, k string) { m.Description = d.text(n, k) },
			"tags": func(n *node, k string) {
				d.list(n, k, func(n *node, k string) { m.Tags = append(m.Tags, d.text(n, k)) })
			},
			"mask": func(n *node, k string) { m.Mask = *d.maskSpec(n, k) },
			"claims": func(n *node, k string) {
				d.list(n, k, func(n *node, k string) { m.Claims = append(m.Claims, d.maskClaim(n, k)) })
			},
		})
		switch {
		case slices.ContainsFunc(masks, func(other *NamedMask) bool { return other.Name == m.Name }):
			d.fail(n, "name", "the pack already has a mask of this name")
		case m.Mask.Name != "":
			d.fail(n, "mask.name", "a named mask cannot name another; write its shapes and ranges out")
		case len(m.Claims) == 0:
			d.fail(n, "claims", "a mask claims at least one thing that can be measured")
		default:
			d.checkMask(n, "mask", m.Mask)
		}
		masks = append(masks, m)
	}
	d.entry = ""
	return masks
}

func (d *decoder) maskClaim(n *node, key string) MaskClaim {
	c := MaskClaim{Scene: Natural}
	d.fields(n, key, []string{"place"}, map[string]func(*node, string){
		"scene":    func(n *node, k string) { c.Scene = choice(d, n, k, scenes) },
		"place":    func(n *node, k string) { c.Place = d.text(n, k) },
		"at_least": func(n *node, k string) { c.AtLeast = new(d.number(n, k)) },
		"at_most":  func(n *node, k string) { c.AtMost = new(d.number(n, k)) },
	})
	if (c.AtLeast == nil) == (c.AtMost == nil) {
		d.fail(n, key, "want either at_least or at_most")
	}
	return c
}

// checkMask checks that a mask without a name can be compiled.
func (d *decoder) checkMask(n *node, key string, s mask.Spec) {
	m, err := s.Mask(mask.Whole(mask.Size{Width: 3, Height: 2}))
	if err == nil {
		_, err = m.Compile(newestBlend, mask.ColorSpaceRGBScene)
	}
	if err != nil {
		d.fail(n, key, "%s", err)
	}
}

// newestBlend is the version of blend parameters that checkMask compiles for.
const newestBlend = 14
