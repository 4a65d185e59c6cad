package pixel

import "testing"

// A table undoes what treats equal colours alike, and nothing that depends on the place.
func TestThroughTable(t *testing.T) {
	from := &Image{Width: 32, Height: 32, Pix: make([]float32, 3*32*32)}
	global, local := &Image{Width: 32, Height: 32, Pix: make([]float32, 3*32*32)}, &Image{Width: 32, Height: 32, Pix: make([]float32, 3*32*32)}
	for i := range from.Pix {
		from.Pix[i] = float32(i%7+1) / 8
		global.Pix[i] = from.Pix[i] * from.Pix[i]
		local.Pix[i] = from.Pix[i]
		if i > len(from.Pix)/2 {
			local.Pix[i] /= 2
		}
	}
	for name, c := range map[string]struct {
		to          *Image
		least, most float64
	}{"global": {global, 0, 0.3}, "local": {local, 3, 100}} {
		d, err := Compare(ThroughTable(from, c.to), c.to)
		if err != nil {
			t.Fatal(err)
		}
		if d.Mean < c.least || d.Mean > c.most {
			t.Errorf("%s: ΔE2000 %.2f, want %g to %g", name, d.Mean, c.least, c.most)
		}
	}
}
