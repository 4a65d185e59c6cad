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

	"github.com/chemigram/chemigram/vocab/measure"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// Renderer develops the test scenes that entries are proven on. It is called
// from several goroutines.
type Renderer interface {
	// Baseline gives a scene's baseline, as darktable sets it up.
	Baseline(ctx context.Context, scene Scene) (*xmp.Sidecar, error)
	// Render develops a scene with a sidecar, always at the same scale, in
	// sRGB.
	Render(ctx context.Context, scene Scene, sidecar []byte) (image.Image, error)
}

// VerifyParams say what to prove, and with what.
type VerifyParams struct {
	Entries []*Entry
	// Others are the moves that must get along with Entries; default Entries.
	Others   []*Entry
	Renderer Renderer
	Target   iop.Release
	// Sweep is the number of points over each parameter's range, at least 3;
	// default 5.
	Sweep int
	// Parallel is the number of entries in work at once; default 1. The
	// renderer bounds its own processes.
	Parallel int
}

// Proof is what was found about one entry on one darktable.
type Proof struct {
	Entry     string
	Darktable string
	// Skipped is why the entry does not work on this darktable, by what it
	// requires. It has no findings then.
	Skipped  string
	Findings []Finding
}

// Finding is the outcome of one check.
type Finding struct {
	// Check is what was looked at: "claim", "sweep", "neutral", "onset",
	// "set" or "others".
	Check string
	// Claim is the claim as a line of text, for claim and sweep.
	Claim string
	// Before and After are the measure in the baseline and with the move.
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
//  3. (masks: none yet)
//  4. applying twice gives the same state; other moves neither undo it nor
//     depend on the order; no module changes that the entry does not name;
//  5. on a darktable that the entry's requires leave out it is skipped.
//
// Looks (L2) must also keep a grey ramp in order and clip at most one percent
// more of the natural scene, unless a claim is about that.
//
// The error is of the renderer or of the context; what fails a check is in the
// proofs, which come in the order of Entries.
func Verify(ctx context.Context, p VerifyParams) ([]Proof, error) {
	if p.Renderer == nil {
		return nil, errors.New("vocab: Verify needs a renderer")
	}
	if p.Others == nil {
		p.Others = p.Entries
	}
	p.Sweep, p.Parallel = max(3, cmp.Or(p.Sweep, 5)), max(1, p.Parallel)
	v := &verifier{VerifyParams: p, baselines: map[Scene]*lazy[*xmp.Sidecar]{}, pictures: map[pictureKey]*lazy[*measure.Picture]{}}

	proofs := make([]Proof, len(p.Entries))
	errs := make([]error, len(p.Entries))
	places := make(chan struct{}, p.Parallel)
	var wg sync.WaitGroup
	for i, e := range p.Entries {
		wg.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			proofs[i], errs[i] = v.prove(ctx, e)
		})
	}
	wg.Wait()
	return proofs, errors.Join(errs...)
}

// verifier renders each state of each scene once.
type verifier struct {
	VerifyParams
	mu        sync.Mutex
	baselines map[Scene]*lazy[*xmp.Sidecar]
	pictures  map[pictureKey]*lazy[*measure.Picture]
}

type pictureKey struct {
	scene Scene
	state [32]byte
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

func slot[K comparable, T any](mu *sync.Mutex, m map[K]*lazy[T], key K) *lazy[T] {
	mu.Lock()
	defer mu.Unlock()
	if m[key] == nil {
		m[key] = &lazy[T]{}
	}
	return m[key]
}

func (v *verifier) baseline(ctx context.Context, scene Scene) (*xmp.Sidecar, error) {
	return slot(&v.mu, v.baselines, scene).get(func() (*xmp.Sidecar, error) {
		s, err := v.Renderer.Baseline(ctx, scene)
		if err != nil {
			return nil, err
		}
		return s.Compact(v.Target)
	})
}

func (v *verifier) picture(ctx context.Context, scene Scene, s *xmp.Sidecar) (*measure.Picture, error) {
	return slot(&v.mu, v.pictures, pictureKey{scene, s.Hash()}).get(func() (*measure.Picture, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		img, err := v.Renderer.Render(ctx, scene, s.Bytes())
		if err != nil {
			return nil, err
		}
		return measure.New(img), nil
	})
}

// apply puts a move on a sidecar of a scene.
func (v *verifier) apply(ctx context.Context, scene Scene, e *Entry, on *xmp.Sidecar, values map[string]float64, strength float64) (*xmp.Sidecar, error) {
	base, err := v.baseline(ctx, scene)
	if err != nil {
		return nil, err
	}
	if on == nil {
		on = base
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

// prove runs all checks on one entry.
func (v *verifier) prove(ctx context.Context, e *Entry) (Proof, error) {
	p := Proof{Entry: e.Name, Darktable: v.Target.Version()}
	if ok, reason := e.Available(v.Target); !ok {
		p.Skipped = reason
		return p, nil
	}
	for _, check := range []func(context.Context, *Entry) ([]Finding, error){
		v.claims, v.sweeps, v.neutral, v.onset, v.set, v.others, v.look,
	} {
		found, err := check(ctx, e)
		if err != nil {
			return p, fmt.Errorf("vocab: prove %s on darktable %s: %w", e.Name, v.Target.Version(), err)
		}
		p.Findings = append(p.Findings, found...)
	}
	return p, nil
}
