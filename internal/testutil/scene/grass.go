package scene

import (
	"math"
	"sync"
)

// blade is one blade of grass: it rises from x, base to its tip, leaning more
// and more.
type blade struct {
	x, base, tall, lean, half float64
	colour                    rgb // of its tip
}

// meadowRow is a row of blades at equal distances; a blade of no height is
// left out.
type meadowRow struct {
	spacing     float64
	top, bottom float64 // nothing of the row is above or below
	reach       int     // how many spacings a blade may lean
	blades      []blade
}

// meadow is the grass at the picture's lower edge, from back to front.
var meadow = sync.OnceValue(func() []meadowRow {
	rows := make([]meadowRow, 9)
	for r := range rows {
		depth := float64(r) / 8
		base, tall := 0.925+0.115*depth, 0.036+0.075*depth
		row := meadowRow{spacing: 0.0022 + 0.0030*depth, top: base, bottom: base + 0.012}
		for i := range int(aspect/row.spacing) + 1 {
			b := grow(i, r, row.spacing, base, tall)
			row.top = min(row.top, b.base-b.tall)
			row.reach = max(row.reach, int(math.Ceil((math.Abs(b.lean)+b.half)/row.spacing))+1)
			row.blades = append(row.blades, b)
		}
		rows[r] = row
	}
	return rows
})

func grow(i, row int, spacing, base, tall float64) blade {
	h := hash2(i, row, 171)
	b := blade{
		x:    (float64(i) + float64(h&0xff)/256) * spacing,
		base: base + 0.012*float64(h>>16&0xff)/256,
		half: spacing * 0.42,
	}
	// Blades stand in tufts, at the sides more than in the middle.
	side := max(smoothstep(0.34, 0.02, b.x), smoothstep(0.98, 1.40, b.x))
	tuft := value(b.x*9+float64(row)*3.7, float64(row)*1.3, 172)
	b.tall = tall * clamp01(1.1*side+0.55*tuft-0.28) * (0.55 + float64(h>>8&0xff)/400)
	if b.tall < 0.004 {
		b.tall = 0
	}
	b.lean = (float64(h>>24)/255 - 0.35) * 0.5 * b.tall
	tip := rgb{0.34, 0.38, 0.075}
	if h>>5&7 == 0 {
		tip = rgb{0.62, 0.50, 0.22} // gone to seed
	}
	b.colour = tip.times(0.55 + 0.45*float64(h>>12&0xff)/255)
	return b
}

// grass draws the meadow over c.
func grass(c rgb, x, y, pixel float64) rgb {
	light := sunlight.times(0.85).add(skylight.times(0.6))
	for _, row := range meadow() {
		if y < row.top || y > row.bottom {
			continue
		}
		first := int(x / row.spacing)
		for _, b := range row.blades[max(first-row.reach, 0):min(first+row.reach+1, len(row.blades))] {
			rise := b.base - y
			if rise < 0 || rise >= b.tall {
				continue
			}
			t := rise / b.tall
			a := coverage(math.Abs(x-b.x-b.lean*t*t)-b.half*(1-t), pixel)
			if a > 0 {
				c = c.mix(rgb{0.016, 0.026, 0.006}.mix(b.colour, t*t).mul(light), a)
			}
		}
	}
	return c
}
