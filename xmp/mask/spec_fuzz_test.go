package mask

import (
	"encoding/json"
	"errors"
	"testing"
)

// Whatever a caller writes as a mask is refused with a reason, or becomes blend
// parameters that darktable reads and forms that can be read again.
func FuzzSpec(f *testing.F) {
	for _, s := range []string{
		`{"shapes": [{"kind": "ellipse", "x": 0.4, "y": 0.35, "radius": 0.2, "radius_y": 0.12, "rotation": 20, "softness": 0.08}]}`,
		`{"shapes": [{"kind": "path", "points": [[0.1, 0.1], [0.9, 0.1], [0.5, 0.8]]}, {"kind": "circle", "radius": 0.1, "combine": "difference"}], "opacity": 0.7}`,
		`{"shapes": [{"kind": "brush", "radius": 0.05, "points": [[0.1, 0.1], [0.9, 0.9]], "invert": true}], "match": "any", "invert": true}`,
		`{"shapes": [{"kind": "gradient", "y": 0.36, "rotation": 1e300, "softness": 0}], "blur": 3, "details": -0.5, "contrast": 1}`,
		`{"ranges": [{"channel": "hue", "from": 340, "to": 20, "softness": 400}, {"channel": "lightness", "from": 0.2, "invert": true}], "feather": 20}`,
	} {
		f.Add(s)
	}
	whole := Whole(Size{Width: 3, Height: 2})
	f.Fuzz(func(t *testing.T, data string) {
		var s Spec
		if json.Unmarshal([]byte(data), &s) != nil {
			return
		}
		m, err := s.Mask(whole)
		var c Compiled
		if err == nil {
			c, err = m.Compile(14, ColorSpaceRGBScene)
		}
		if refusal, ok := errors.AsType[*Error](err); err != nil {
			if !ok || refusal.Message == "" {
				t.Errorf("refused with %v", err)
			}
			return
		}
		if _, err := c.Blend.Encode(); err != nil || c.Blend.validate() != nil {
			t.Errorf("blend parameters: %v, %v", err, c.Blend.validate())
		}
		for _, form := range c.Forms {
			if _, err := form.Shape(); err != nil {
				t.Error(err)
			}
		}
	})
}
