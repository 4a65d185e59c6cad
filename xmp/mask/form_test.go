package mask_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/mask"
)

func TestRealFormsAreReadAndKeptByteForByte(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(testutil.SharedData(t, "xmp"), "*.xmp"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[mask.FormType]int{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := xmp.Parse(data)
		if err != nil {
			continue // a format of darktable 2
		}
		for _, f := range s.Forms() {
			shape, err := f.Shape()
			if err != nil {
				t.Errorf("%s: form %d: %v", filepath.Base(file), f.ID, err)
				continue
			}
			again := mask.NewForm(f.ID, f.Name, shape)
			again.Type |= f.Type & (mask.TypeClone | mask.TypeNonClone)
			again.Source = f.Source
			if diff := cmp.Diff(f, again); diff != "" {
				t.Errorf("%s: form %d is written differently:\n%s", filepath.Base(file), f.ID, diff)
			}
			seen[again.Type&^(mask.TypeClone|mask.TypeNonClone)]++
		}
	}
	for _, kind := range []mask.FormType{mask.TypeCircle, mask.TypeEllipse, mask.TypeGradient, mask.TypePath, mask.TypeBrush, mask.TypeGroup} {
		if seen[kind] == 0 {
			t.Errorf("no form of type %d was read", kind)
		}
	}
	t.Logf("forms by type: %v", seen)
}

func floats(values ...float32) (b []byte) {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

func TestNumbersAreAtTheirPlaces(t *testing.T) {
	t.Parallel()
	one := []byte{1, 0, 0, 0}
	for name, tt := range map[string]struct {
		shape mask.Shape
		kind  mask.FormType
		count int
		want  []byte
	}{
		"circle":   {mask.Circle{X: 1, Y: 2, Radius: 3, Border: 4}, 1, 1, floats(1, 2, 3, 4)},
		"ellipse":  {mask.Ellipse{X: 1, Y: 2, RadiusA: 3, RadiusB: 4, Rotation: 5, Border: 6, Proportional: 1}, 32, 1, append(floats(1, 2, 3, 4, 5, 6), one...)},
		"gradient": {mask.Gradient{X: 1, Y: 2, Rotation: 3, Compression: 4, Steepness: 5, Curvature: 6, Falloff: 1}, 16, 1, append(floats(1, 2, 3, 4, 5, 6), one...)},
		"path": {
			mask.Path{Vertices: []mask.Vertex{{X: 1, Y: 2, InX: 3, InY: 4, OutX: 5, OutY: 6, BorderA: 7, BorderB: 8, State: 1}, {}}},
			2, 2,
			append(append(floats(1, 2, 3, 4, 5, 6, 7, 8), one...), make([]byte, 36)...),
		},
		"brush": {
			mask.Brush{Nodes: []mask.BrushNode{{X: 1, Y: 2, InX: 3, InY: 4, OutX: 5, OutY: 6, BorderA: 7, BorderB: 8, Density: 9, Hardness: 10, State: 1}}},
			64, 1,
			append(floats(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), one...),
		},
		"group": {
			mask.Group{Members: []mask.GroupMember{{ID: 1, Parent: 2, State: 0x13, Opacity: 0.5}}},
			4, 1,
			append([]byte{1, 0, 0, 0, 2, 0, 0, 0, 0x13, 0, 0, 0}, floats(0.5)...),
		},
	} {
		f := mask.NewForm(9, name, tt.shape)
		if f.ID != 9 || f.Name != name || f.Type != tt.kind || f.Version != 6 || f.Count != tt.count || !bytes.Equal(f.Points, tt.want) || !bytes.Equal(f.Source, make([]byte, 8)) {
			t.Errorf("%s: form = %+v, want type %d, %d points, % x", name, f, tt.kind, tt.count, tt.want)
		}
		if got, err := f.Shape(); err != nil || !cmp.Equal(got, tt.shape) {
			t.Errorf("%s: read as %+v, %v", name, got, err)
		}
	}
}

func TestFormsOfAnotherLayoutAreNotRead(t *testing.T) {
	t.Parallel()
	circle := mask.NewForm(1, "circle", mask.Circle{Radius: 1})
	change := func(f func(*mask.Form)) mask.Form { c := circle; f(&c); return c }
	for name, tt := range map[string]struct {
		form mask.Form
		want mask.Kind
	}{
		"older":           {change(func(f *mask.Form) { f.Version = 5 }), mask.UnknownVersion},
		"unknown":         {change(func(f *mask.Form) { f.Type = 256 }), mask.UnknownForm},
		"two shapes":      {change(func(f *mask.Form) { f.Type = mask.TypeCircle | mask.TypePath }), mask.UnknownForm},
		"short":           {change(func(f *mask.Form) { f.Points = f.Points[:15] }), mask.SizeMismatch},
		"long":            {change(func(f *mask.Form) { f.Points = make([]byte, 32) }), mask.SizeMismatch},
		"two circles":     {change(func(f *mask.Form) { f.Points, f.Count = make([]byte, 32), 2 }), mask.SizeMismatch},
		"fewer than said": {change(func(f *mask.Form) { f.Type, f.Points, f.Count = mask.TypePath, make([]byte, 36), 2 }), mask.SizeMismatch},
		"less than none":  {change(func(f *mask.Form) { f.Type, f.Points, f.Count = mask.TypePath, nil, -1 }), mask.SizeMismatch},
	} {
		_, err := tt.form.Shape()
		if e, ok := errors.AsType[*mask.Error](err); !ok || e.Kind != tt.want {
			t.Errorf("%s: err = %v, want kind %v", name, err, tt.want)
		}
	}
}

func FuzzForm(f *testing.F) {
	f.Add(uint32(1), 6, 1, floats(1, 2, 3, 4))
	f.Add(uint32(2), 6, 3, make([]byte, 108))
	f.Add(uint32(12), 6, 1, make([]byte, 16))
	f.Add(uint32(72), 6, 2, make([]byte, 88))
	f.Add(uint32(16), 6, 1, make([]byte, 28))
	f.Fuzz(func(t *testing.T, kind uint32, version, count int, points []byte) {
		form := mask.Form{ID: 1, Type: mask.FormType(kind), Version: version, Count: count, Points: points}
		shape, err := form.Shape()
		if err != nil {
			if _, ok := errors.AsType[*mask.Error](err); !ok {
				t.Fatalf("err = %T", err)
			}
			return
		}
		again := mask.NewForm(1, "", shape)
		if !bytes.Equal(again.Points, points) || again.Count != count {
			t.Fatalf("% x is written as % x", points, again.Points)
		}
		// Whatever the numbers, a shape that is compiled is read again.
		if c, err := (mask.Mask{Shapes: []mask.Member{{Shape: shape}}}).Compile(14, mask.ColorSpaceRGBScene); err == nil {
			if _, err := c.Forms[1].Shape(); err != nil || c.Forms[0].ID != c.Blend.MaskID {
				t.Fatalf("compiled to %+v, %v", c, err)
			}
		}
	})
}
