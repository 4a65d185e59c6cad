package vocab

// Harm is damage that a move may do to a picture beside what it is for.
type Harm string

// The harms. The package prove says how each is measured, and from where on it is
// one.
const (
	// Noise is grain that the picture did not have.
	Noise Harm = "noise"
	// Banding is a gradient that breaks into steps.
	Banding Harm = "banding"
	// Halos are rims along edges, lighter than the light side or darker than the
	// dark one.
	Halos Harm = "halos"
	// Clipping is light that is lost: a channel arrives at its top.
	Clipping Harm = "clipping"
	// Speckle are single pixels that a mask selects or leaves out apart from those
	// around them.
	Speckle Harm = "speckle"
	// Cast is colour in what was grey.
	Cast Harm = "cast"
	// Skin is skin that turns to another hue.
	Skin Harm = "skin"
)

// Harms lists the harms that an entry can say it intends.
func Harms() []Harm { return []Harm{Noise, Banding, Halos, Clipping, Speckle, Cast, Skin} }
