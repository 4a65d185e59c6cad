package cnn

// A tiled layer makes four places of sixteen at once, with 16 products for each two
// channels instead of 36 (Lavin and Gray, "Fast Algorithms for Convolutional Neural
// Networks", 2016): F(2×2, 3×3) there.

// tile makes a layer ready to be run by tiles.
func (l *layer) tile() {
	l.tiles = make([]float32, 16*l.out*l.in)
	for o := range l.out {
		for c := range l.in {
			var w [9]float32
			for place := range w {
				w[place] = l.weights[(o*9+place)*l.in+c]
			}
			var half [12]float32 // three columns of four
			for x := range 3 {
				half[x], half[3+x], half[6+x], half[9+x] = widen(w[x], w[3+x], w[6+x])
			}
			for y := range 4 {
				a, b, d, e := widen(half[3*y], half[3*y+1], half[3*y+2])
				for x, v := range [4]float32{a, b, d, e} {
					l.tiles[((4*y+x)*l.out+o)*l.in+c] = v
				}
			}
		}
	}
	l.weights = nil
}

func widen(a, b, c float32) (float32, float32, float32, float32) {
	return a, (a + b + c) / 2, (a - b + c) / 2, c
}

// tileRow makes two rows.
func (l *layer) tileRow(in, out view, row int) {
	tiles := (out.width + 1) / 2
	count := max(tiles, 4) // as many as multiply takes at once
	taken, made := make([]float32, 16*count*l.in), make([]float32, 16*count*l.out)
	nothing := make([]float32, l.in) // beyond the border
	for t := range tiles {
		var places [16][]float32
		for i := range places {
			places[i] = nothing
			if x, y := 2*t-1+i%4, 2*row-1+i/4; x <= in.width && y <= in.height {
				places[i] = in.values[in.at(x, y)+in.first:][:l.in]
			}
		}
		take(&places, taken[t*l.in:], count*l.in)
	}
	for i := range 16 {
		multiply(made[i*count*l.out:], taken[i*count*l.in:][:count*l.in], l.tiles[i*l.out*l.in:][:l.out*l.in], l.in)
	}
	for t := range tiles {
		for o, bias := range l.bias {
			var m [16]float32
			for i := range m {
				m[i] = made[(i*count+t)*l.out+o]
			}
			for i, v := range narrow(&m) {
				if x, y := 2*t+i%2, 2*row+i/2; x < out.width && y < out.height {
					out.values[out.at(x, y)+out.first+o] = l.bend(v + bias)
				}
			}
		}
	}
}

// take writes what the products are made of, each of the sixteen step further.
//
//go:norace
func take(places *[16][]float32, to []float32, step int) {
	for c := range places[0] {
		var d [16]float32
		for x := range 4 {
			p, q, r, s := places[x][c], places[4+x][c], places[8+x][c], places[12+x][c]
			d[x], d[4+x], d[8+x], d[12+x] = p-r, q+r, r-q, q-s
		}
		for y := 0; y < 16; y += 4 {
			p, q, r, s := d[y], d[y+1], d[y+2], d[y+3]
			to[y*step+c], to[(y+1)*step+c], to[(y+2)*step+c], to[(y+3)*step+c] = p-r, q+r, r-q, q-s
		}
	}
}

// narrow makes four places of the sums of products.
func narrow(m *[16]float32) [4]float32 {
	var half [8]float32
	for x := range 4 {
		half[x], half[4+x] = m[x]+m[4+x]+m[8+x], m[4+x]-m[8+x]-m[12+x]
	}
	return [4]float32{half[0] + half[1] + half[2], half[1] - half[2] - half[3], half[4] + half[5] + half[6], half[5] - half[6] - half[7]}
}

// multiply writes the product of each n numbers of a with each n of b, which are four or
// more and an even number.
func multiply(to, a, b []float32, n int) {
	rows, columns := len(a)/n, len(b)/n
	for o := 0; o < columns; o += 2 {
		v, w := b[o*n:][:n], b[(o+1)*n:][:n]
		for t := 0; t < rows; t += 4 {
			t := min(t, rows-4)
			for i, product := range products(a[t*n:], n, v, w) {
				to[(t+i/2)*columns+o+i%2] = product
			}
		}
	}
}
