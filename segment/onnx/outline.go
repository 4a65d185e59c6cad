package onnx

// grid is the side of the squares in which outlines are filled.
const grid = 64

// filled are the squares whose middles are within outlines.
type filled [grid][grid]bool

// outlined fills outlines: within is what an odd number of them encloses.
func outlined(outlines [][][2]float64) (f filled) {
	for y := range grid {
		for x := range grid {
			px, py := (float64(x)+0.5)/grid, (float64(y)+0.5)/grid
			for _, ring := range outlines {
				for i, a := range ring {
					b := ring[(i+1)%len(ring)]
					if (a[1] > py) != (b[1] > py) && px < a[0]+(py-a[1])/(b[1]-a[1])*(b[0]-a[0]) {
						f[y][x] = !f[y][x]
					}
				}
			}
		}
	}
	return f
}

// deepest is the place that is farthest within, in fractions of width and height.
func (f filled) deepest() (x, y float64) {
	x, y = 0.5, 0.5
	for {
		var inner filled
		left := false
		for row := range grid {
			for column := range grid {
				if !f[row][column] {
					continue
				}
				x, y = (float64(column)+0.5)/grid, (float64(row)+0.5)/grid
				inner[row][column] = f.at(column-1, row) && f.at(column+1, row) && f.at(column, row-1) && f.at(column, row+1)
				left = left || inner[row][column]
			}
		}
		if !left {
			return x, y
		}
		f = inner
	}
}

func (f filled) at(x, y int) bool {
	return x >= 0 && y >= 0 && x < grid && y < grid && f[y][x]
}

// box is around what is filled, [left, top, right, bottom]; nil when that is nothing.
func (f filled) box() []float64 {
	box := []float64{1, 1, 0, 0}
	for y := range grid {
		for x := range grid {
			if f[y][x] {
				box[0], box[1] = min(box[0], float64(x)/grid), min(box[1], float64(y)/grid)
				box[2], box[3] = max(box[2], float64(x+1)/grid), max(box[3], float64(y+1)/grid)
			}
		}
	}
	if box[0] >= box[2] {
		return nil
	}
	return box
}
