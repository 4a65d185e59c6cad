package prove

import (
	"cmp"
	"context"
	"errors"
	"image"

	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// Renderer develops the test scenes that entries are proven on. It is called
// from several goroutines.
type Renderer interface {
	// Baseline gives a scene's baseline, as darktable sets it up.
	Baseline(ctx context.Context, scene vocab.Scene) (*xmp.Sidecar, error)
	// Render develops scenes, always at the same scale, in sRGB, and gives the
	// pictures in the order of shots: many at once, to be developed together.
	Render(ctx context.Context, shots []Shot) ([]image.Image, error)
	// Places names parts of a scene, for the claims of masks, and those of the smooth
	// scene on which harm is measured: "darks", "mid-tones", "lights", "… gradient"
	// (across), "edge …" (upright, in the middle of the place), "grey …" and "skin …".
	Places(scene vocab.Scene) map[string]Place
}

// Place is a part of a scene, in fractions of its width and height, counted from
// the top left corner.
type Place struct{ X, Y, Width, Height float64 }

// Shot is a scene to develop with a sidecar.
type Shot struct {
	Scene   vocab.Scene
	Sidecar []byte
}

// Memo keeps what was found on pixels from one run to the next. A key stands
// for the claims, the scenes and the states looked at; the memo itself has to
// distinguish the raws, the darktable and the program.
type Memo interface {
	Recall(key [32]byte) ([]Finding, bool)
	Keep(key [32]byte, found []Finding)
}

// VerifyParams say what to prove, and with what.
type VerifyParams struct {
	Entries []*vocab.Entry
	// Others are the moves that must be compatible with Entries; default Entries.
	Others []*vocab.Entry
	// Masks are named masks to prove, after Entries.
	Masks    []*vocab.NamedMask
	Renderer Renderer
	Target   iop.Release
	// Sweep is the least number of points over each parameter's range, its ends,
	// its neutral and the claim's own among them; default 3.
	Sweep int
	// Whole looks for harm at both ends of each parameter's range, too, and not at
	// the defaults alone.
	Whole bool
	// HarmAlone leaves out all other checks, and NoHarm the search for harm.
	HarmAlone, NoHarm bool
	// Photographs are further scenes on which a move may do no harm. Default: none.
	Photographs []vocab.Scene
	// OnPhotographs leaves out all checks but one: on Photographs, the claims keep their
	// directions, and nothing clips or shows a border.
	OnPhotographs bool
	// Parallel is the number of calls of Renderer.Render at once; default 1.
	Parallel int
	// Memo avoids rendering again what was found before. Default: none.
	Memo Memo
	// Finished is called with each proof as soon as it is made, one at a time and in the
	// order in which they are, with what it shows; nil is nothing. Default: none.
	Finished func(Proof, *Shown)
}

// Shown are two pictures of a proof, which the renderer developed: a scene before and
// after a move, or for a named mask, in linear light, before and after more light within
// it.
type Shown struct {
	Scene         vocab.Scene
	Before, After image.Image
}

// Verify proves entries by pixels, on the darktable behind the renderer:
//
//  1. each claim holds at the entry's defaults, and its measure is monotonic
//     over a sweep of each parameter;
//  2. every parameter at neutral, and strength 0, give the baseline's own
//     state, and a small strength has a small effect;
//  3. an entry with a mask changes what its mask selects and nothing outside,
//     and the mask selects a part of the scene;
//  4. applying twice gives the same state; other moves neither undo it nor
//     depend on the order; no module changes that the entry does not name;
//  5. it does no harm beyond [HarmLimit] that it does not say it intends: noise,
//     banding, halos, clipping, speckle in its mask, a cast in greys, another hue in
//     skin, on the smooth and the natural scene and on Photographs;
//  6. on a darktable that the entry's requires leave out it is skipped.
//
// Looks (L2) must also keep a grey ramp in order and clip at most one percent
// more of the natural scene, unless a claim is about that.
//
// A named mask selects what each of its claims says, and neither all nor nothing
// of the scenes.
//
// The error is the renderer's or the context's; what fails a check is in the
// proofs, which come in the order of Entries and then of Masks.
func Verify(ctx context.Context, p VerifyParams) ([]Proof, error) {
	if p.Renderer == nil {
		return nil, errors.New("proving needs a renderer")
	}
	if p.Others == nil {
		p.Others = p.Entries
	}
	p.Sweep, p.Parallel = max(3, cmp.Or(p.Sweep, 3)), max(1, p.Parallel)
	return newVerifier(p).proveAll(ctx)
}
