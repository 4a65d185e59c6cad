package scene

// foreground draws everything on the near shore over c.
func foreground(c rgb, x, y, pixel float64) rgb {
	if y < figureY-figureHeight-0.02 {
		return c
	}
	if y > shoreTop-2*pixel {
		line := shoreBottom
		if y < shoreBottom+0.03 {
			line = shoreAt(x)
		}
		if a := coverage(line-y, pixel*2); a > 0 {
			ground := groundAt(x, max(y, line), line, pixel)
			c = c.mix(ground.times(1-0.85*(1-cast(x, y))), a)
		}
		c = boulder(c, 2, x, y, pixel)
		c = boulder(c, 0, x, y, pixel)
	}
	c = cabin(c, x, y, pixel)
	c = boat(c, x, y, pixel)
	c = figure(c, x, y, pixel)
	if y > 0.85 {
		for _, i := range [...]int{3, 4, 1} {
			c = boulder(c, i, x, y, pixel)
		}
		c = grass(c, x, y, pixel)
	}
	return c
}
