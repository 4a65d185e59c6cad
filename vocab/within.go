package vocab

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/mask"
)

// Within is the part of the picture that a move is limited to.
type Within struct {
	Mask mask.Mask
	// Key names the selection: the same move within the same Key is replaced.
	// It is a part of the instances' names.
	Key string
}

// added are the modules of a baseline of which a second instance adds to the
// first. One of any other module would do the baseline's work twice.
var added = map[string]bool{"exposure": true}

// maskable tells why a move cannot be limited to a part of the picture.
func (e *Entry) maskable(a Application) error {
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
		case whole, o.Instance == "" && there && base.Enabled && !added[o.Module]:
			return fail(o.Module, "the move changes how %s develops the whole picture; it takes no mask", o.Module)
		}
	}
	return nil
}

// maskedInstance names the instance of an op within a mask.
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
	made, err := c.app.Within.Mask.Compile(c.app.Target.BlendVersion(), space)
	if err != nil {
		return nil, err
	}
	put.Entry.BlendVersion, put.Forms = made.Blend.Version, made.Forms
	if put.Entry.Blend, err = made.Blend.Encode(); err != nil {
		return nil, err
	}
	return put, nil
}

// inScene is the entry's own part of a test scene, which no geometry changes; nil
// is all of it.
func (e *Entry) inScene() (*Within, error) {
	where, key, limited := e.Where()
	if !limited {
		return nil, nil
	}
	return inScene(where, key)
}

// inScene is a selection on a test scene.
func inScene(where mask.Spec, key string) (*Within, error) {
	m, err := where.Mask(mask.Whole(mask.Size{Width: 3, Height: 2}))
	return &Within{Mask: m, Key: key}, err
}

// Where gives the part of the picture that the entry is for, when it has a mask
// of its own: with names replaced by what they select. Its key names that part.
func (e *Entry) Where() (selection mask.Spec, key string, limited bool) {
	if e.Mask == nil {
		return mask.Spec{}, "", false
	}
	return e.where, e.Mask.Key(), true
}
