package pixel

// TableSide is how many nodes [ThroughTable] has along each of red, green and blue.
const TableSide = 17

// ThroughTable is a picture through the global table of colours (a 3D LUT of 17³ nodes over
// sRGB, interpolated trilinearly) that brings it nearest to another of the same size: what
// no edit that treats equal colours alike can do much better than. The table is found by
// least squares, in which a node that hardly any pixel touches stays where it is.
func ThroughTable(from, to *Image) *Image {
	const rounds, stay = 40, 1e-3
	type node struct {
		value, sum [3]float64
		weight     float64
	}
	nodes := make([]node, TableSide*TableSide*TableSide)
	for i := range nodes {
		for c, at := range [3]int{i / (TableSide * TableSide), i / TableSide % TableSide, i % TableSide} {
			nodes[i].value[c] = float64(at) / (TableSide - 1)
		}
	}
	look := func(p []float32) (out [3]float64, corners [8]*node, weights [8]float64) {
		var whole [3]int
		var part [3]float64
		for c := range 3 {
			at := encode(float64(p[c])) * (TableSide - 1)
			whole[c] = min(int(at), TableSide-2)
			part[c] = at - float64(whole[c])
		}
		for k := range corners {
			i, weight := 0, 1.0
			for c := range 3 {
				up := k >> c & 1
				i = i*TableSide + whole[c] + up
				weight *= float64(up)*part[c] + float64(1-up)*(1-part[c])
			}
			corners[k], weights[k] = &nodes[i], weight
			for c := range 3 {
				out[c] += weight * nodes[i].value[c]
			}
		}
		return out, corners, weights
	}
	for range rounds {
		for i := 0; i < len(from.Pix); i += 3 {
			out, corners, weights := look(from.Pix[i:])
			for k, n := range corners {
				n.weight += weights[k]
				for c := range 3 {
					n.sum[c] += weights[k] * (encode(float64(to.Pix[i+c])) - out[c])
				}
			}
		}
		for i := range nodes {
			for c := range 3 {
				nodes[i].value[c] += nodes[i].sum[c] / (nodes[i].weight + stay)
			}
			nodes[i].sum, nodes[i].weight = [3]float64{}, 0
		}
	}
	m := &Image{Width: from.Width, Height: from.Height, Pix: make([]float32, len(from.Pix))}
	for i := 0; i < len(from.Pix); i += 3 {
		out, _, _ := look(from.Pix[i:])
		for c, v := range out {
			m.Pix[i+c] = float32(Linearise(min(max(v, 0), 1)))
		}
	}
	return m
}
