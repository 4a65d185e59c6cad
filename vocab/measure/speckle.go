package measure

// speckleStep is how much lighter than all around it a spot has to be.
const speckleStep = 10

// speckles marks pixels that are lighter than each of the eight that lie three
// pixels off, level, upright and aslant.
func (p *Picture) speckles() []bool {
	const far = 3
	out := make([]bool, len(p.L))
	for y := far; y < p.Height-far; y++ {
		for x := far; x < p.Width-far; x++ {
			i := y*p.Width + x
			around := p.L[i-far]
			for _, j := range [...]int{
				i + far, i - far*p.Width, i + far*p.Width,
				i - far*p.Width - far, i - far*p.Width + far, i + far*p.Width - far, i + far*p.Width + far,
			} {
				around = max(around, p.L[j])
			}
			out[i] = p.L[i] > around+speckleStep
		}
	}
	return out
}
