package mask_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/xmp/mask"
)

func specOf(t *testing.T, text string) mask.Spec {
	t.Helper()
	var s mask.Spec
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestOneSelectionSaidInTwoWaysHasOneKey(t *testing.T) {
	t.Parallel()
	for name, said := range map[string][2]string{
		"softness":            {`{"shapes":[{"kind":"circle","radius":0.2}]}`, `{"shapes":[{"kind":"circle","radius":0.20,"softness":0.05}]}`},
		"centre":              {`{"shapes":[{"kind":"circle","radius":0.2}]}`, `{"shapes":[{"radius":2e-1,"y":0.5,"x":0.5,"kind":"circle"}]}`},
		"opacity of a shape":  {`{"shapes":[{"kind":"circle","radius":0.2}]}`, `{"shapes":[{"kind":"circle","radius":0.2,"opacity":1}]}`},
		"a circle's rotation": {`{"shapes":[{"kind":"circle","radius":0.2}]}`, `{"shapes":[{"kind":"circle","radius":0.2,"rotation":45}]}`},
		"an ellipse's":        {`{"shapes":[{"kind":"ellipse","radius":0.2,"radius_y":0.1,"rotation":30}]}`, `{"shapes":[{"kind":"ellipse","radius":0.2,"radius_y":0.1,"rotation":-150}]}`},
		"a gradient's":        {`{"shapes":[{"kind":"gradient","rotation":350}]}`, `{"shapes":[{"kind":"gradient","rotation":-10,"softness":0.25}]}`},
		"nothing below zero":  {`{"shapes":[{"kind":"gradient","rotation":0,"x":0}]}`, `{"shapes":[{"kind":"gradient","rotation":-0.0,"x":-0.0}]}`},
		"union":               {`{"shapes":[{"kind":"circle","radius":0.2},{"kind":"circle","radius":0.1}]}`, `{"shapes":[{"kind":"circle","radius":0.2,"combine":"difference"},{"kind":"circle","radius":0.1,"combine":"union"}]}`},
		"match all":           {`{"ranges":[{"channel":"hue","from":20},{"channel":"chroma","to":0.2}]}`, `{"match":"all","ranges":[{"channel":"hue","from":20},{"channel":"chroma","to":0.2}]}`},
		"order of ranges":     {`{"ranges":[{"channel":"hue","from":20},{"channel":"chroma","to":0.2}]}`, `{"ranges":[{"channel":"chroma","to":0.2},{"channel":"hue","from":20}]}`},
		"one part of any":     {`{"ranges":[{"channel":"hue","from":20}]}`, `{"match":"any","ranges":[{"channel":"hue","from":20}]}`},
		"ends of a range":     {`{"ranges":[{"channel":"lightness","from":0.5}]}`, `{"ranges":[{"channel":"lightness","from":0.5,"to":1,"softness":0.1}]}`},
		"ends of hues":        {`{"ranges":[{"channel":"hue","from":200}]}`, `{"ranges":[{"channel":"hue","from":200,"to":0,"softness":15}]}`},
		"a file's name":       {`{"file":"masks/a.png"}`, `{"file":"./masks//a.png"}`},
	} {
		a, b := specOf(t, said[0]), specOf(t, said[1])
		if a.Key() != b.Key() {
			t.Errorf("%s: %s is %s, %s is %s", name, said[0], a.Key(), said[1], b.Key())
		}
	}
}

// A selection that is said anew draws the same shape to the last bit, so that the edit
// does not change.
func TestOneRotationSaidInTwoWaysIsOneShape(t *testing.T) {
	t.Parallel()
	frame := mask.Whole(mask.Size{Width: 300, Height: 200})
	for _, shape := range []mask.SpecShape{{Kind: mask.KindGradient}, {Kind: mask.KindEllipse, Radius: 0.2, RadiusY: 0.1}} {
		for _, said := range [][2]float64{{0, 360}, {350, -10}, {30, 390}, {180, -180}} {
			var masks [2]mask.Mask
			for i, degrees := range said {
				shape.Rotation = degrees
				var err error
				if masks[i], err = (mask.Spec{Shapes: []mask.SpecShape{shape}}).Mask(frame); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(masks[0], masks[1]); diff != "" {
				t.Errorf("%s turned by %v and by %v:\n%s", shape.Kind, said[0], said[1], diff)
			}
		}
	}
}

func TestSelectionsThatDifferHaveTwoKeys(t *testing.T) {
	t.Parallel()
	for name, said := range map[string][2]string{
		"another softness": {`{"shapes":[{"kind":"gradient"}]}`, `{"shapes":[{"kind":"gradient","softness":0.05}]}`},
		"half a turn":      {`{"shapes":[{"kind":"gradient","rotation":10}]}`, `{"shapes":[{"kind":"gradient","rotation":190}]}`},
		"order of shapes":  {`{"shapes":[{"kind":"circle","radius":0.2},{"kind":"circle","radius":0.1,"combine":"difference"}]}`, `{"shapes":[{"kind":"circle","radius":0.1},{"kind":"circle","radius":0.2,"combine":"difference"}]}`},
		"match any":        {`{"ranges":[{"channel":"hue","from":20},{"channel":"chroma","to":0.2}]}`, `{"match":"any","ranges":[{"channel":"hue","from":20},{"channel":"chroma","to":0.2}]}`},
		"match of a name":  {`{"name":"skin","invert":true}`, `{"name":"skin","invert":true,"match":"all"}`},
		"how it joins a named mask": {
			`{"name":"skin","shapes":[{"kind":"circle","radius":0.2}]}`, `{"name":"skin","shapes":[{"kind":"circle","radius":0.2,"combine":"difference"}]}`,
		},
		"no hue": {`{"ranges":[{"channel":"hue","to":0}]}`, `{"ranges":[{"channel":"hue","to":360}]}`},
	} {
		a, b := specOf(t, said[0]), specOf(t, said[1])
		if a.Key() == b.Key() {
			t.Errorf("%s: %s and %s are both %s", name, said[0], said[1], a.Key())
		}
	}
}

// Instances in histories are named by these keys.
func TestKeysOfUsualSelectionsStay(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"shapes":[{"kind":"circle","x":0.3,"y":0.4,"radius":0.2}]}`:           "mask ff78e354",
		`{"ranges":[{"channel":"lightness","from":0.5}],"invert":true}`:         "mask 14f34a88",
		`{"shapes":[{"kind":"gradient","y":0.4,"rotation":90,"softness":0.1}]}`: "mask 6307b2aa",
		`{"shapes":[{"kind":"path","points":[[0.1,0.1],[0.9,0.1],[0.5,0.9]]}]}`: "mask cdef1c68",
	} {
		if got := specOf(t, text).Key(); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}
