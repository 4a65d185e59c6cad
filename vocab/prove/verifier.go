package prove

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync"

	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// verifier composes the states that entries are proven by. It is safe for
// concurrent use.
type verifier struct {
	VerifyParams
	mu        sync.Mutex
	baselines map[vocab.Scene]*lazy[*xmp.Sidecar]
	samples   map[*vocab.Entry]*lazy[*xmp.Sidecar] // on the natural scene's baseline
	frames    map[pictureKey]*lazy[mask.Size]
}

func newVerifier(p VerifyParams) *verifier {
	return &verifier{
		VerifyParams: p,
		baselines:    map[vocab.Scene]*lazy[*xmp.Sidecar]{},
		samples:      map[*vocab.Entry]*lazy[*xmp.Sidecar]{},
		frames:       map[pictureKey]*lazy[mask.Size]{},
	}
}

// lazy is a value that is made when it is first asked for.
type lazy[T any] struct {
	once  sync.Once
	value T
	err   error
}

func (l *lazy[T]) get(f func() (T, error)) (T, error) {
	l.once.Do(func() { l.value, l.err = f() })
	return l.value, l.err
}

func (v *verifier) baseline(ctx context.Context, scene vocab.Scene) (*xmp.Sidecar, error) {
	v.mu.Lock()
	if v.baselines[scene] == nil {
		v.baselines[scene] = &lazy[*xmp.Sidecar]{}
	}
	l := v.baselines[scene]
	v.mu.Unlock()
	return l.get(func() (*xmp.Sidecar, error) {
		s, err := v.Renderer.Baseline(ctx, scene)
		if err != nil {
			return nil, err
		}
		return s.Compact(v.Target)
	})
}

// start gives the state that a move is applied to: a scene's baseline, with the
// move's prerequisite unless the baseline meets it.
func (v *verifier) start(ctx context.Context, scene vocab.Scene, e *vocab.Entry) (*xmp.Sidecar, error) {
	base, err := v.baseline(ctx, scene)
	if err != nil || e.MissingModule(base) == "" {
		return base, err
	}
	return v.apply(ctx, scene, e.Prerequisite(), base, nil, 1)
}

// apply applies a move to a state of a scene; nil is the state of start.
func (v *verifier) apply(
	ctx context.Context, scene vocab.Scene, e *vocab.Entry, on *xmp.Sidecar, values map[string]float64, strength float64,
) (*xmp.Sidecar, error) {
	base, err := v.baseline(ctx, scene)
	if err != nil {
		return nil, err
	}
	if on == nil {
		if on, err = v.start(ctx, scene, e); err != nil {
			return nil, err
		}
	}
	within, err := ownMask(e)
	if err != nil {
		return nil, err
	}
	a := vocab.Application{
		Values: values, Strength: &strength, Baseline: base, Current: on, Target: v.Target, Within: within,
		Frame: func(look *xmp.Sidecar) (mask.Size, error) { return v.frame(ctx, scene, look) },
	}
	edits, _, err := e.Compile(a)
	if err != nil {
		return nil, err
	}
	next, err := on.With(v.Target, edits...)
	if err != nil {
		return nil, err
	}
	return e.Reframe(on, next, a)
}

// frame gives the size of a look's picture. It develops the look's frame alone, once for
// all looks of one frame.
func (v *verifier) frame(ctx context.Context, scene vocab.Scene, look *xmp.Sidecar) (mask.Size, error) {
	var plain []xmp.Edit
	framed := sha256.New()
	for _, x := range look.History() {
		if x.Enabled && iop.ChangesGeometry(x.Operation) {
			fmt.Fprintf(framed, "%s %d %d %x\n", x.Operation, x.MultiPriority, x.Modversion, x.Params)
		}
		if x.Enabled && !iop.OnEveryRaw(x.Operation) && !iop.ChangesGeometry(x.Operation) {
			x.Enabled = false
			if x.MultiPriority == 0 {
				x.MultiName = "" // a base instance may be called after a preset
			}
			plain = append(plain, xmp.Put{Entry: x, Numbered: x.MultiPriority != 0})
		}
	}
	look, err := look.With(v.Target, plain...)
	if err != nil {
		return mask.Size{}, err
	}
	key := pictureKey{scene, [32]byte(framed.Sum(nil))}
	v.mu.Lock()
	if v.frames[key] == nil {
		v.frames[key] = &lazy[mask.Size]{}
	}
	l := v.frames[key]
	v.mu.Unlock()
	return l.get(func() (mask.Size, error) {
		images, err := v.Renderer.Render(ctx, []Shot{{scene, look.Bytes()}})
		if err != nil {
			return mask.Size{}, err
		}
		size := images[0].Bounds().Size()
		return mask.Size{Width: float64(size.X), Height: float64(size.Y)}, nil
	})
}

// ownMask gives the part of a test scene that an entry limits itself to; nil is
// all of it.
func ownMask(e *vocab.Entry) (*vocab.Within, error) {
	selection, key, limited := e.Where()
	if !limited {
		return nil, nil
	}
	return onScene(selection, key)
}

// onScene makes a mask for the test scenes, which have no crop or rotation.
func onScene(selection mask.Spec, key string) (*vocab.Within, error) {
	m, err := selection.Mask(mask.Whole(mask.Size{Width: 3, Height: 2}))
	return &vocab.Within{Mask: m, Key: key}, err
}

// sampleValues gives values at which the entry does something: those of the first
// claim that has any, otherwise nil, which is its defaults.
func sampleValues(e *vocab.Entry) map[string]float64 {
	for _, c := range e.Claims {
		if c.At != nil {
			return c.At
		}
	}
	return nil
}

func neutralValues(e *vocab.Entry) map[string]float64 {
	values := map[string]float64{}
	for _, p := range e.Amounts() {
		values[p.Name] = p.Neutral
	}
	return values
}
