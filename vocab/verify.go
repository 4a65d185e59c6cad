package vocab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"strings"
	"sync"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// Renderer develops the test scenes that entries are proven on. It is called
// from several goroutines.
type Renderer interface {
	// Baseline gives a scene's baseline, as darktable sets it up.
	Baseline(ctx context.Context, scene Scene) (*xmp.Sidecar, error)
	// Render develops scenes, always at the same scale, in sRGB, and gives the
	// pictures in the order of shots: many at once, to be developed together.
	Render(ctx context.Context, shots []Shot) ([]image.Image, error)
	// Places names parts of a scene, for the claims of masks.
	Places(scene Scene) map[string]Place
}

// Place is a part of a scene, in fractions of its width and height, counted from
// the top left corner.
type Place struct{ X, Y, Width, Height float64 }

// Shot is a scene to develop with a sidecar.
type Shot struct {
	Scene   Scene
	Sidecar []byte
}

// Memo keeps what was found on pixels from one run to the next. A key stands
// for the claims, the scenes and the states looked at; the memo itself has to
// know of the raws, the darktable and the program.
type Memo interface {
	Recall(key [32]byte) ([]Finding, bool)
	Keep(key [32]byte, found []Finding)
}

// VerifyParams say what to prove, and with what.
type VerifyParams struct {
	Entries []*Entry
	// Others are the moves that must get along with Entries; default Entries.
	Others []*Entry
	// Masks are named masks to prove, after Entries.
	Masks    []*NamedMask
	Renderer Renderer
	Target   iop.Release
	// Sweep is the least number of points over each parameter's range, its ends,
	// its neutral and the claim's own among them; default 3.
	Sweep int
	// Parallel is the number of calls of Renderer.Render at once; default 1.
	Parallel int
	// Memo spares the renderer what was found before. Default: none.
	Memo Memo
}

// Proof is what was found about one entry, or one named mask, on one darktable.
type Proof struct {
	Entry     string // empty for a mask
	Mask      string // empty for an entry
	Darktable string
	// Skipped is why the entry does not work on this darktable, by what it
	// requires. It has no findings then.
	Skipped  string
	Findings []Finding
}

// Finding is the outcome of one check.
type Finding struct {
	// Check is what was looked at: "claim", "sweep", "onset", "ramp", "clip",
	// "mask", "neutral", "set" or "others", or "selects" for a named mask.
	Check string
	// Claim is the claim as a line of text, for claim and sweep.
	Claim string
	// Before and After are the measure in the baseline and with the move; for
	// mask, how far the move goes outside and inside; for a named mask's claim,
	// After is how much is selected.
	Before, After float64
	// Sweep are the measures over the range, for sweep.
	Sweep []float64
	OK    bool
	// Message says what is wrong, when not OK.
	Message string
}

// OK tells whether everything that was looked at holds.
func (p Proof) OK() bool {
	return !slices.ContainsFunc(p.Findings, func(f Finding) bool { return !f.OK })
}

// Failures gives one line for each finding that does not hold.
func (p Proof) Failures() []string {
	var lines []string
	for _, f := range p.Findings {
		if !f.OK {
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s: %s", f.Check, f.Claim, f.Message)))
		}
	}
	return lines
}

// Verify proves entries by pixels, on the darktable behind the renderer:
//
//  1. each claim holds at the entry's defaults, and its measure moves one way
//     over a sweep of each parameter;
//  2. every parameter at neutral, and strength 0, give the baseline's own
//     state, and a touch of the move is a touch and not a jump;
//  3. an entry with a mask changes what its mask selects and nothing outside,
//     and the mask selects a part of the scene;
//  4. applying twice gives the same state; other moves neither undo it nor
//     depend on the order; no module changes that the entry does not name;
//  5. on a darktable that the entry's requires leave out it is skipped.
//
// Looks (L2) must also keep a grey ramp in order and clip at most one percent
// more of the natural scene, unless a claim is about that.
//
// A named mask selects what each of its claims says, and neither all nor nothing
// of the scenes.
//
// The error is of the renderer or of the context; what fails a check is in the
// proofs, which come in the order of Entries and then of Masks.
func Verify(ctx context.Context, p VerifyParams) ([]Proof, error) {
	if p.Renderer == nil {
		return nil, errors.New("vocab: Verify needs a renderer")
	}
	if p.Others == nil {
		p.Others = p.Entries
	}
	p.Sweep, p.Parallel = max(3, cmp.Or(p.Sweep, 3)), max(1, p.Parallel)
	return (&verifier{VerifyParams: p, baselines: map[Scene]*lazy[*xmp.Sidecar]{}, samples: map[*Entry]*lazy[*xmp.Sidecar]{}}).all(ctx)
}

// verifier proves entries, wave by wave.
type verifier struct {
	VerifyParams
	mu        sync.Mutex
	baselines map[Scene]*lazy[*xmp.Sidecar]
	samples   map[*Entry]*lazy[*xmp.Sidecar] // on the natural scene's baseline
}

type lazy[T any] struct {
	once  sync.Once
	value T
	err   error
}

func (l *lazy[T]) get(f func() (T, error)) (T, error) {
	l.once.Do(func() { l.value, l.err = f() })
	return l.value, l.err
}

func (v *verifier) baseline(ctx context.Context, scene Scene) (*xmp.Sidecar, error) {
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

// start gives what a move begins from: a scene's baseline, with the move that
// this one builds on where the baseline does not do as well.
func (v *verifier) start(ctx context.Context, scene Scene, e *Entry) (*xmp.Sidecar, error) {
	base, err := v.baseline(ctx, scene)
	if err != nil || e.missingGround(base) == "" {
		return base, err
	}
	return v.apply(ctx, scene, e.ground, base, nil, 1)
}

// apply puts a move on a sidecar of a scene; nil is what the move begins from.
func (v *verifier) apply(ctx context.Context, scene Scene, e *Entry, on *xmp.Sidecar, values map[string]float64, strength float64) (*xmp.Sidecar, error) {
	base, err := v.baseline(ctx, scene)
	if err != nil {
		return nil, err
	}
	if on == nil {
		if on, err = v.start(ctx, scene, e); err != nil {
			return nil, err
		}
	}
	within, err := e.inScene()
	if err != nil {
		return nil, err
	}
	edits, _, err := e.Compile(Application{Values: values, Strength: &strength, Baseline: base, Current: on, Target: v.Target, Within: within})
	if err != nil {
		return nil, err
	}
	return on.With(v.Target, edits...)
}
