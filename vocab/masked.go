package vocab

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/mask"
)

// Within is the part of the picture that a move is limited to.
type Within struct {
	Mask mask.Mask
	// Key names the selection: applying a move again with the same Key replaces
	// it. It is a part of the instances' names.
	Key string
}

// additive are the modules of a baseline of which a second instance adds to the
// first. One of any other module would repeat what the baseline does.
var additive = map[string]bool{"exposure": true}

// checkMaskable refuses a move that cannot be limited to a part of the picture.
func (e *Entry) checkMaskable(a Application) error {
	fail := func(key, format string, args ...any) error {
		return &Error{Kind: Unmaskable, Entry: e.Name, Key: key, Message: fmt.Sprintf(format, args...)}
	}
	if e.Style != "" {
		return fail("", "a captured style is applied whole; it takes no mask")
	}
	for _, o := range e.Ops {
		m, known := a.Target.Module(o.Module)
		whole := o.Enabled != nil || e.BuildsOn != ""
		base, there := a.Baseline.Find(o.Module, "")
		switch {
		case known && !m.SupportsMasks():
			return fail(o.Module, "darktable cannot blend the module %s, so it takes no mask", o.Module)
		case known && m.OneInstance():
			return fail(o.Module, "darktable has only one instance of %s, which works on the whole picture", o.Module)
		case whole, o.Instance == "" && there && base.Enabled && !additive[o.Module]:
			return fail(o.Module, "the move changes how %s develops the whole picture; it takes no mask", o.Module)
		}
	}
	return nil
}

// maskedInstance names the instance that an op has within a mask.
func (e *Entry) maskedInstance(o Op, key string) string {
	name := strings.TrimSpace(o.Instance+" "+e.Name) + " @" + key
	const most = 110 // darktable keeps 127 bytes, of which "chemigram " has 10
	if len(name) > most {
		sum := sha256.Sum256([]byte(name))
		name = strings.ToValidUTF8(name[:most-9], "") + " " + hex.EncodeToString(sum[:4])
	}
	return name
}

// limit gives an instance its mask. It is blended in scene-referred RGB wherever
// darktable can, so that ranges mean the same for every move.
func (c *compiler) limit(put xmp.Put) (xmp.Edit, error) {
	space := mask.ColorSpaceRGBScene
	if mask.SpaceOf(c.op.Module) == mask.ColorSpaceRaw {
		space = mask.ColorSpaceRaw
	}
	within := c.app.Within.Mask
	if c.op.Inset != nil {
		within = inset(within, c.op.Inset.number(c.values)*c.strength)
	}
	made, err := within.Compile(c.app.Target.BlendVersion(), space)
	if err != nil {
		return nil, err
	}
	put.Entry.BlendVersion, put.Forms = made.Blend.Version, made.Forms
	if put.Entry.Blend, err = made.Blend.Encode(); err != nil {
		return nil, err
	}
	return put, nil
}

// mostInset is by how many pixels of the full size darktable blurs a mask at most.
const mostInset = 100

// inset is a mask that begins further in, see [Op].Inset: darktable blurs it, and
// then lowers it until nothing is left of what the blur spread beyond its edge.
func inset(m mask.Mask, pixels float64) mask.Mask {
	const lowered = -0.9 // to begin at 1.3 radii of the blur within the edge
	m.BlurRadius = float32(min(math.Hypot(float64(m.BlurRadius), pixels), mostInset))
	m.Brightness = lowered
	return m
}

// Where gives the part of the picture that the entry is for, when it has a mask
// of its own: with names replaced by what they select. Its key names that part. Of an
// entry with a [Entry.Region] it is what stands for the region in proofs.
func (e *Entry) Where() (selection mask.Spec, key string, limited bool) {
	if e.Mask == nil {
		return mask.Spec{}, "", false
	}
	return e.selection, e.Mask.Key(), true
}

// IsApplied reports whether the move made an instance of a look: within a mask, or for
// nil on the whole picture.
func (e *Entry) IsApplied(look *xmp.Sidecar, within *Within) bool {
	made := func(o Op) bool {
		if within != nil {
			o.Instance = e.maskedInstance(o, within.Key)
		}
		found, ok := look.Find(o.Module, o.multiName())
		return ok && slices.ContainsFunc(found.Origins, func(origin xmp.Origin) bool { return origin.Entry == e.Name })
	}
	return slices.ContainsFunc(e.Ops, made) ||
		within == nil && slices.ContainsFunc(e.style, func(s styleOp) bool { return made(s.op) })
}
