package mask

import (
	"bytes"
	"strconv"
	"strings"
)

// SpotWords tells the spots of a module that draws its forms itself (retouch, spots):
// the forms that its blending names, each with what is done there, by its form's
// number. Spots that apply_spot made are named by their ids, others are counted.
func (l Lens) SpotWords(b Blend, forms []Form, done func(form uint32) string) []Word {
	w := words{Lens: l, forms: map[uint32]Form{}}
	for _, f := range forms {
		w.forms[f.ID] = f
	}
	n := 0
	for _, f := range forms {
		if f.Type&TypeGroup != 0 {
			continue
		}
		n++
		name := strconv.Itoa(n)
		kind, number, _ := strings.Cut(f.Name, " ")
		if _, err := strconv.Atoi(number); err == nil && Algorithms[SpotKind(kind)] != "" {
			name = number
		}
		w.spot("spots["+name+"]", f, done(f.ID))
	}
	if b.Opacity != 100 {
		w.number("opacity", float64(b.Opacity)/100, 1, "")
	}
	return w.list
}

// spot tells a spot, and where it copies from.
func (w *words) spot(at string, f Form, kind string) {
	shape, err := f.Shape()
	w.form(at, f)
	if kind != "" {
		for i := range w.list {
			if w.list[i].Name == at+".kind" {
				w.list[i].Value = kind + ", " + w.list[i].Value
			}
		}
	}
	if err != nil || len(f.Source) != 8 || f.Type&TypeClone == 0 || kind == "blur" || kind == "fill" {
		return
	}
	var x, y float32
	r := reader{bytes.Clone(f.Source)}
	r.f32(&x)
	r.f32(&y)
	if anchorX, anchorY, ok := Anchor(shape); ok {
		middle := middleOf(shape)
		x, y = middle.x+x-anchorX, middle.y+y-anchorY
	}
	if w.Frame.At != nil {
		u, v := w.Frame.Seen(float64(x), float64(y))
		x, y = float32(u), float32(v)
	}
	w.add(at+".source_x", w.text(float64(x)), w.of("width"))
	w.add(at+".source_y", w.text(float64(y)), w.of("height"))
}

// middleOf is the middle of a spot's shape, which a caller's source is the middle of.
func middleOf(s Shape) point {
	path, ok := s.(Path)
	if !ok {
		x, y, _ := Anchor(s)
		return point{x, y}
	}
	low, high := point{path.Vertices[0].X, path.Vertices[0].Y}, point{path.Vertices[0].X, path.Vertices[0].Y}
	for _, v := range path.Vertices {
		low, high = point{min(low.x, v.X), min(low.y, v.Y)}, point{max(high.x, v.X), max(high.y, v.Y)}
	}
	return interpolate(low, high, 0.5)
}
