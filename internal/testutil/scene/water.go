package scene

// mirror is the picture above the water, in a size that is enough for what
// ripples leave of it.
type mirror struct {
	width, height int // of the whole picture at this size
	rows          int // that are above the water
	pix           []float32
}

// sample interpolates the mirror's pixels.
func (m *mirror) sample(x, y float64) rgb {
	u := min(max(x*float64(m.height)-0.5, 0), float64(m.width)-1.001)
	v := min(max(y*float64(m.height)-0.5, 0), float64(m.rows)-1.001)
	i, j := int(u), int(v)
	fu, fv := u-float64(i), v-float64(j)
	p, q := m.pix[3*(j*m.width+i):], m.pix[3*((j+1)*m.width+i):]
	read := func(c int) float64 {
		return (float64(p[c])*(1-fu)+float64(p[c+3])*fu)*(1-fv) + (float64(q[c])*(1-fu)+float64(q[c+3])*fu)*fv
	}
	return rgb{read(0), read(1), read(2)}
}

// waterAt is the lake: what it mirrors, bent by ripples, over its own dark
// green.
func waterAt(x, y, pixel float64, m *mirror) rgb {
	below := max(y-horizon, 0.0008)
	z := focal * cameraHeight / below
	wx := (x - centre) / focal * z
	// Gusts roughen some stretches; the rest lies nearly still.
	gust := smoothstep(-0.25, 0.45, fbm(wx/90+3, z/38, 3, 81))
	deep := pixel * z * z / (focal * cameraHeight) // a pixel's length on the water
	var slope, side float64
	for i, wavelength := range [...]float64{9, 4.1, 1.7, 0.75, 0.33} {
		fade := 1 - smoothstep(wavelength/3, wavelength, deep)
		if fade == 0 {
			break
		}
		_, dx, dz := noise(wx/wavelength*0.55+float64(i)*3, z/wavelength, uint32(82+i))
		slope += fade * dz * 0.20
		side += fade * dx * 0.10
	}
	rough := 0.012 + 0.040*gust
	slope, side = slope*rough, side*rough
	reflected := m.sample(x+side*0.6, horizon-below*1.02+slope*1.1)
	// Far waves are smaller than a pixel: their reflections mix with higher sky.
	far := smoothstep(0.3, 3, deep) * gust
	reflected = reflected.mix(m.sample(x, max(horizon-below*1.4-0.10, 0.02)), 0.12*far)

	cosine := clamp01(below/focal + 0.9*slope)
	f := 1 - cosine
	fresnel := 0.03 + 0.97*f*f*f*f*f
	body := rgb{0.012, 0.050, 0.052}.mix(rgb{0.05, 0.085, 0.06}, smoothstep(0.12, 0.30, below))
	return body.times(1 - fresnel).add(reflected.times(0.93 * fresnel))
}
